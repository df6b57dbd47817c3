#include "import/rt_app_tasks.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/counted.h"
#include "import/rt_app_barriers.h"
#include "import/word_names.h"

namespace parcast {

namespace {

// The kernel keeps 15 letters of a thread's name, and rt-app adds a hyphen and its number.
std::size_t most_letters(ThreadProgram const& program) {
    return 14 - std::min<std::size_t>(std::to_string(program.lists.size() - 1).size(), 6);
}

constexpr std::int64_t longest_us = std::numeric_limits<std::int32_t>::max();

// Durations in ns as whole us whose sum is never wrong by more than half of one.
class Microseconds {
public:
    std::int64_t take(std::int64_t ns) {
        total_ns_ += ns;
        auto const due = (total_ns_ + 500) / 1000 - taken_;
        taken_ += due;
        return due;
    }

private:
    std::int64_t total_ns_ = 0;
    std::int64_t taken_ = 0;
};

// How often something was done otherwise than the program does it.
struct Departures {
    std::int64_t inner_locks = 0;
    std::int64_t input_output = 0;
    std::int64_t concurrency = 0;
};

// What is known of an object before the first event is written.
struct ObjectUse {
    std::int64_t waits = 0;         // for units or tokens
    std::set<std::uint32_t> users;  // of a reader-writer lock
    bool has_readers = false;
    bool is_spin_lock = false;                      // that is taken
    std::map<std::uint32_t, std::uint32_t> takers;  // token -> thread, of a condition that pairs as recorded
};

class Translation {
public:
    explicit Translation(ThreadProgram const& program)
        : program_(program),
          names_(word_names(program, most_letters(program))),
          uses_(program.objects.size()) {}

    Result<RtAppTasks> translate() {
        look_at_operations();
        auto meetings = rt_app_meetings(program_, begins_);
        if (!meetings)
            return pass_on(meetings);
        meetings_ = std::move(*meetings);
        for (std::size_t thread = 0; thread < program_.lists.size(); ++thread) {
            begin_task(ThreadId(thread));
            for (Operation const& operation : program_.lists[thread])
                if (auto const added = add(operation); !added)
                    return pass_on(added);
            end_task();
        }
        write_notes();
        return std::move(result_);
    }

private:
    void look_at_operations() {
        begins_.resize(program_.lists.size());
        joins_.resize(program_.lists.size());
        for (auto const thread : initial_threads(program_))
            begins_[thread.index()] = true;
        at_start_ = begins_;
        for (std::uint32_t thread = 0; thread < program_.lists.size(); ++thread)
            for (Operation const& operation : program_.lists[thread])
                look_at(operation, thread);
    }

    void look_at(Operation const& operation, std::uint32_t thread) {
        switch (operation.kind()) {
            case OperationKind::create: begins_[operation.object] = true; break;
            case OperationKind::join: ++joins_[operation.object]; break;
            case OperationKind::join_any: joins_any_ = true; break;
            case OperationKind::lock: {
                auto const kind = program_.catalogue.objects[operation.object].kind;
                uses_[operation.object].is_spin_lock = kind == ObjectKind::spin_lock;
                break;
            }
            case OperationKind::read_lock: uses_[operation.object].has_readers = true; [[fallthrough]];
            case OperationKind::write_lock: uses_[operation.object].users.insert(thread); break;
            case OperationKind::semaphore_wait: ++uses_[operation.object].waits; break;
            case OperationKind::condition_wait: {
                auto& use = uses_[operation.object];
                ++use.waits;
                auto const token = decode_wait(operation.value).token;
                if (token && program_.objects[operation.object].pairs_as_recorded)
                    use.takers[*token] = thread;
                break;
            }
            default: break;
        }
    }

    void begin_task(ThreadId thread) {
        thread_ = thread;
        held_.clear();
        arrived_.clear();
        run_ = slept_ = ticked_ = {};
        result_.tasks.push_back({names_.threads[thread.index()], begins_[thread.index()], {}});
        auto const& parameters = program_.parameters[thread.index()];
        stretches().push_back({{parameters.affinity, parameters.affinity_word}, parameters.priority, {}});
        if (!at_start_[thread.index()])
            event(RtAppWord::sem_wait, start_of(thread));
        if (thread.index() == 0)
            post_what_is_there();
    }

    // Semaphores of rt-app begin with nothing.
    void post_what_is_there() {
        for (std::uint32_t object = 0; object < uses_.size(); ++object) {
            give(object, program_.objects[object].initial_count, 0);
            if (uses_[object].has_readers)
                repeat(RtAppWord::sem_post, name_of(object), writer_units(object));
        }
    }

    // rt-app takes no task and no phase without an event.
    void end_task() {
        if (stretches().size() > 1 && stretches().back().events.empty())
            stretches().pop_back();
        if (stretches().back().events.empty())
            stretches().back().events.push_back({RtAppWord::run, 0});
    }

    void begin_stretch(RtAppCpus cpus, std::optional<Priority> priority) {
        if (!stretches().back().events.empty())
            stretches().push_back({});
        stretches().back().cpus = cpus;
        if (priority)
            stretches().back().priority = priority;
    }

    Result<void> add(Operation const& operation) {
        duration(RtAppWord::run, run_.take(operation.work_ns));
        auto const object = operation.object;
        switch (operation.kind()) {
            case OperationKind::work_only: break;
            case OperationKind::end: end(); break;
            case OperationKind::create:
                if (!at_start_[object])
                    event(RtAppWord::sem_post, start_of(operation.thread_id()));
                break;
            case OperationKind::join: event(RtAppWord::sem_wait, end_of(operation.thread_id())); break;
            case OperationKind::join_any: event(RtAppWord::sem_wait, any_end); break;
            case OperationKind::lock: lock(object); break;
            case OperationKind::read_lock: lock(object, Hold::shared); break;
            case OperationKind::write_lock: lock(object, Hold::exclusive); break;
            case OperationKind::unlock:
            case OperationKind::read_write_unlock: return unlock(object);
            case OperationKind::condition_wait: wait(object, decode_wait(operation.value)); break;
            case OperationKind::semaphore_wait: event(RtAppWord::sem_wait, name_of(object)); break;
            case OperationKind::condition_signal:
            case OperationKind::semaphore_post: {
                auto const grant = decode_grant(operation.value);
                give(object, grant.tokens, grant.first);
                break;
            }
            case OperationKind::barrier_wait: arrive(operation.object_id()); break;
            case OperationKind::condition_barrier: {
                auto const& barrier = program_.barriers[static_cast<std::size_t>(operation.value)];
                without(barrier.mutex, [&] { arrive(barrier.condition); });
                break;
            }
            case OperationKind::input_output: ++departures_.input_output; [[fallthrough]];
            case OperationKind::delay: duration(RtAppWord::sleep, slept_.take(operation.value)); break;
            case OperationKind::sleep_until: duration(RtAppWord::timer, ticked_.take(operation.value)); break;
            case OperationKind::yield: stretches().back().events.push_back({RtAppWord::yield, 0}); break;
            case OperationKind::set_affinity:
                begin_stretch({static_cast<std::uint64_t>(operation.value), 0}, std::nullopt);
                break;
            case OperationKind::set_priority:
                begin_stretch(stretches().back().cpus, decode_priority(operation.value));
                break;
            case OperationKind::activate:
                event(RtAppWord::sem_post, names_.threads[object] + " activated");
                event(RtAppWord::sem_wait, names_.threads[object] + " accepts");
                break;
            case OperationKind::accept:
                event(RtAppWord::sem_wait, names_.threads[thread_.index()] + " activated");
                event(RtAppWord::sem_post, names_.threads[thread_.index()] + " accepts");
                break;
            case OperationKind::set_concurrency: ++departures_.concurrency; break;
        }
        return {};
    }

    // Whoever is joined by name is not there for a join of any thread.
    void end() {
        repeat(RtAppWord::sem_post, end_of(thread_), joins_[thread_.index()]);
        if (joins_any_ && joins_[thread_.index()] == 0 && thread_.index() != 0)
            event(RtAppWord::sem_post, any_end);
    }

    enum class Hold : std::uint8_t { alone, shared, exclusive };
    struct Held {
        std::uint32_t times = 0;
        Hold how = Hold::alone;
    };

    // Readers take a unit of a semaphore that has one for each thread, writers take all, one after the other.
    void lock(std::uint32_t object, Hold how = Hold::alone) {
        auto& held = held_[object];
        if (++held.times > 1) {
            ++departures_.inner_locks;
            return;
        }
        held.how = how;
        if (how != Hold::shared)
            event(RtAppWord::lock, name_of(object));
        repeat(RtAppWord::sem_wait, name_of(object), units(object, how));
    }

    Result<void> unlock(std::uint32_t object) {
        auto& held = held_[object];
        if (held.times == 0)
            return fail(ErrorCode::unsupported,
                        display_name(program_.catalogue, thread_) + " unlocks " +
                            display_name(program_.catalogue, ObjectId(object)) +
                            ", which it does not hold: rt-app has mutexes that only their holder unlocks");
        if (--held.times > 0)
            return {};
        repeat(RtAppWord::sem_post, name_of(object), units(object, held.how));
        if (held.how != Hold::shared)
            event(RtAppWord::unlock, name_of(object));
        return {};
    }

    std::int64_t units(std::uint32_t object, Hold how) const {
        return how == Hold::shared ? 1 : how == Hold::exclusive ? writer_units(object) : 0;
    }
    std::int64_t writer_units(std::uint32_t object) const {
        auto const& use = uses_[object];
        return use.has_readers ? static_cast<std::int64_t>(use.users.size()) : 0;
    }

    // A mutex that the thread holds afterwards in any case, as after a wait on a condition.
    template <class Wait>
    void without(ObjectId mutex, Wait const& wait) {
        if (mutex.is_none()) {
            wait();
            return;
        }
        auto& held = held_[mutex.value];
        if (held.times > 0)
            event(RtAppWord::unlock, name_of(mutex.value));
        wait();
        event(RtAppWord::lock, name_of(mutex.value));
        held.times = std::max(held.times, 1U);
    }

    void wait(std::uint32_t object, TokenWait const& wait) {
        bool const is_paired = wait.token && program_.objects[object].pairs_as_recorded;
        without(wait.mutex, [&] {
            event(RtAppWord::sem_wait, is_paired ? tokens_of(object, thread_.value) : name_of(object));
        });
    }

    // To whom the recording gave them where the condition pairs as it did; more than are waited for are not
    // needed.
    void give(std::uint32_t object, std::int64_t tokens, std::uint32_t first) {
        auto const& use = uses_[object];
        std::int64_t given = 0;
        for (auto taker = use.takers.lower_bound(first);
             taker != use.takers.end() && taker->first - first < tokens; ++taker, ++given)
            event(RtAppWord::sem_post, tokens_of(object, taker->second));
        auto const waits = use.waits - static_cast<std::int64_t>(use.takers.size());
        repeat(RtAppWord::sem_post, name_of(object), std::clamp<std::int64_t>(tokens - given, 0, waits));
    }

    void arrive(ObjectId barrier) {
        if (!begins_[thread_.index()])
            return;
        auto const meeting = meetings_.at({barrier, thread_})[arrived_[barrier.value]++];
        event(RtAppWord::barrier, name_of(barrier.value) + ' ' + std::to_string(meeting + 1));
    }

    void repeat(RtAppWord word, std::string const& resource, std::int64_t times) {
        for (std::int64_t time = 0; time < times; ++time)
            event(word, resource);
    }

    void event(RtAppWord word, std::string const& resource) {
        auto const [entry, is_new] = numbers_.try_emplace(resource, result_.resources.size());
        if (is_new)
            result_.resources.push_back(resource);
        stretches().back().events.push_back({word, static_cast<std::int64_t>(entry->second)});
    }

    // One event for what follows each other, up to the longest that rt-app takes.
    void duration(RtAppWord word, std::int64_t us) {
        auto& events = stretches().back().events;
        while (us > 0) {
            if (events.empty() || events.back().word != word || events.back().value == longest_us)
                events.push_back({word, 0});
            auto const added = std::min(us, longest_us - events.back().value);
            events.back().value += added;
            us -= added;
        }
    }

    void write_notes() {
        std::vector<std::string> spin_locks;
        std::int64_t reader_writer_locks = 0;
        bool is_waking_left_out = false;
        for (std::size_t object = 0; object < uses_.size(); ++object) {
            if (uses_[object].is_spin_lock)
                spin_locks.push_back(display_name(program_.catalogue, ObjectId(object)));
            reader_writer_locks += uses_[object].has_readers ? 1 : 0;
            is_waking_left_out = is_waking_left_out || program_.objects[object].waking > Duration{0};
        }
        auto const note = [this](bool is_due, std::string text) {
            if (is_due)
                result_.notes.push_back(std::move(text));
        };
        note(!spin_locks.empty(),
             (spin_locks.size() == 1 ? spin_locks.front()
                                     : counted(static_cast<std::int64_t>(spin_locks.size()), "spin lock")) +
                 " became a mutex: threads that wait for a spin lock sleep");
        note(reader_writer_locks > 0,
             counted(reader_writer_locks, "reader-writer lock") +
                 " became a mutex and a semaphore: a waiting writer goes before readers that come later");
        note(departures_.inner_locks > 0,
             counted(departures_.inner_locks, "lock") +
                 " of what the thread held already left out, with the unlock: rt-app's mutexes do not count");
        note(departures_.input_output > 0, counted(departures_.input_output, "wait") +
                                               " for input or output became a sleep of the same length");
        note(departures_.concurrency > 0, counted(departures_.concurrency, "call") +
                                              " of pthread_setconcurrency left out: rt-app has none");
        note(is_waking_left_out,
             "the work of waking others at barriers is left out: rt-app wakes them itself");
        note(program_.refill > Duration{0},
             "the work of filling caches again after a time slice is left out: the kernel decides on slices");
    }

    // Names of objects and threads are one word each, so that these are none of theirs.
    std::string const& name_of(std::size_t object) const { return names_.objects[object]; }
    std::string tokens_of(std::uint32_t object, std::uint32_t thread) const {
        return names_.objects[object] + " for " + names_.threads[thread];
    }
    std::string start_of(ThreadId thread) const { return names_.threads[thread.index()] + " starts"; }
    std::string end_of(ThreadId thread) const { return names_.threads[thread.index()] + " ends"; }
    inline static std::string const any_end = "any ends";

    std::vector<RtAppStretch>& stretches() { return result_.tasks.back().stretches; }

    ThreadProgram const& program_;
    WordNames names_;
    std::vector<ObjectUse> uses_;       // by object
    std::vector<bool> begins_;          // by thread
    std::vector<bool> at_start_;        // by thread
    std::vector<std::uint32_t> joins_;  // by thread: how many join it by name
    bool joins_any_ = false;
    RtAppMeetings meetings_;
    std::unordered_map<std::string, std::size_t> numbers_;  // of resources
    Departures departures_;
    RtAppTasks result_;

    // The thread that is translated now has these.
    ThreadId thread_;
    std::map<std::uint32_t, Held> held_;
    std::map<std::uint32_t, std::size_t> arrived_;  // by barrier
    Microseconds run_, slept_, ticked_;
};

}  // namespace

Result<RtAppTasks> rt_app_tasks(ThreadProgram const& program) {
    return Translation(program).translate();
}

}  // namespace parcast
