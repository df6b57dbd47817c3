#include "model/bounds/binding_bound.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program/sleeps.h"

namespace parcast::model {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

struct LockUse {
    std::int64_t held_ns = 0;         // work of all threads
    std::int64_t first_ns = never;    // when it can be taken at first
    std::int64_t least_rest = never;  // work and delays of a thread after it gave it back
    bool is_held = false;             // ever
    bool is_passed_on = false;        // somebody gives back what another thread took
};

bool takes_alone(OperationKind kind) {
    return kind == OperationKind::lock || kind == OperationKind::write_lock;
}
bool gives_back(OperationKind kind) {
    return kind == OperationKind::unlock || kind == OperationKind::read_write_unlock;
}

// A thread on its own: what it works, and how long it holds which lock.
class LockUses {
public:
    explicit LockUses(ThreadProgram const& program) : uses_(program.objects.size()) {
        for (auto const& list : program.lists)
            add(list);
    }

    void can_be_taken(ObjectId lock, std::int64_t when) {
        auto& first = uses_[lock.index()].first_ns;
        first = std::min(first, when);
    }

    std::pair<Duration, ObjectId> longest() const {
        std::pair<Duration, ObjectId> longest{Duration{0}, ObjectId::none()};
        for (std::size_t lock = 0; lock < uses_.size(); ++lock) {
            auto const& use = uses_[lock];
            if (!use.is_held || use.is_passed_on || use.first_ns == never)
                continue;
            auto const time = use.first_ns + use.held_ns + use.least_rest;
            if (time > longest.first.ns)
                longest = {Duration{time}, ObjectId(lock)};
        }
        return longest;
    }

private:
    void add(OperationList const& list) {
        auto rest =
            std::accumulate(list.begin(), list.end(), std::int64_t{0},
                            [](std::int64_t sum, Operation const& each) { return sum + own_time(each); });
        std::vector<std::pair<std::uint32_t, int>> held;  // locks, and how often
        for (auto const& operation : list) {
            rest -= own_time(operation);
            for (auto const& [lock, depth] : held)
                uses_[lock].held_ns += operation.work_ns;
            if (takes_alone(operation.kind()))
                take(held, operation.object);
            else if (gives_back(operation.kind()))
                give_back(held, operation.object, rest);
        }
        for (auto const& [lock, depth] : held)
            uses_[lock].least_rest = 0;
    }

    // At least: a sleep_until may be over when the thread comes to it.
    static std::int64_t own_time(Operation const& operation) {
        bool const lasts = is_delay(operation.kind()) && operation.kind() != OperationKind::sleep_until;
        return operation.work_ns + (lasts ? operation.value : 0);
    }

    void take(std::vector<std::pair<std::uint32_t, int>>& held, std::uint32_t lock) {
        uses_[lock].is_held = true;
        auto const found = std::ranges::find(held, lock, &std::pair<std::uint32_t, int>::first);
        if (found != held.end())
            ++found->second;
        else
            held.emplace_back(lock, 1);
    }

    void give_back(std::vector<std::pair<std::uint32_t, int>>& held, std::uint32_t lock, std::int64_t rest) {
        auto const found = std::ranges::find(held, lock, &std::pair<std::uint32_t, int>::first);
        if (found == held.end())
            uses_[lock].is_passed_on = true;
        if (found == held.end() || --found->second > 0)
            return;
        held.erase(found);
        uses_[lock].least_rest = std::min(uses_[lock].least_rest, rest);
    }

    std::vector<LockUse> uses_;  // by ObjectId
};

// Something that is given, and that threads wait to have been given so often.
struct Gift {
    struct Waiter {
        std::int64_t needed = 0;
        std::uint32_t thread = 0;
    };
    std::int64_t given = 0;
    std::vector<Waiter> waiters;
};

// The program with a processor for each thread, without locks, where a gift serves all that wait for it.
class EarliestReplay {
public:
    EarliestReplay(ThreadProgram const& program, LockUses& locks)
        : program_(program), locks_(locks), next_(program.lists.size()), sleeps_(program.lists.size()) {
        auto const threads = program.lists.size();
        gifts_.resize(program.objects.size() + 3 * threads + 1);
        for (std::size_t object = 0; object < program.objects.size(); ++object)
            gifts_[object].given = program.objects[object].initial_count;
        for (auto const& list : program.lists)
            for (auto const& operation : list)
                if (auto const meeting = participants_in(operation))
                    note_participants(object_of(program, operation), *meeting);
    }

    Duration span() {
        for (ThreadId const thread : initial_threads(program_))
            goes_on(thread.value, 0);
        while (!ready_.empty()) {
            auto const [now, thread] = ready_.top();
            ready_.pop();
            last_ = std::max(last_, now);
            execute(thread, now);
        }
        return Duration{last_};
    }

private:
    using GiftNumber = std::size_t;
    GiftNumber end_of(std::uint32_t thread) const { return program_.objects.size() + thread; }
    GiftNumber accepts_of(std::uint32_t thread) const { return end_of(thread) + program_.lists.size(); }
    GiftNumber activations_of(std::uint32_t thread) const {
        return accepts_of(thread) + program_.lists.size();
    }
    GiftNumber ends() const { return gifts_.size() - 1; }

    // To its next operation.
    void goes_on(std::uint32_t thread, std::int64_t now) {
        auto const& list = program_.lists[thread];
        if (next_[thread] < list.size())
            ready_.emplace(now + list[next_[thread]].work_ns, thread);
    }

    void give(GiftNumber number, std::int64_t count, std::int64_t now) {
        auto& gift = gifts_[number];
        gift.given += count;
        std::erase_if(gift.waiters, [&](Gift::Waiter const& waiter) {
            if (waiter.needed > gift.given)
                return false;
            goes_on(waiter.thread, now);
            return true;
        });
    }

    void wait(std::uint32_t thread, GiftNumber number, std::int64_t needed, std::int64_t now) {
        auto& gift = gifts_[number];
        if (gift.given >= needed)
            goes_on(thread, now);
        else
            gift.waiters.push_back({needed, thread});
    }

    // How often the thread has waited for this, with this time.
    std::int64_t times(std::uint32_t thread, GiftNumber number) {
        return ++taken_[static_cast<std::uint64_t>(number) * program_.lists.size() + thread];
    }

    std::optional<std::int64_t> participants_in(Operation const& operation) const {
        if (operation.kind() == OperationKind::barrier_wait)
            return operation.value;
        if (operation.kind() == OperationKind::condition_barrier)
            return program_.barriers[static_cast<std::size_t>(operation.value)].participants;
        return std::nullopt;
    }

    // A barrier with several numbers of participants opens after the least of them.
    void note_participants(ObjectId barrier, std::int64_t participants) {
        auto& least = participants_.try_emplace(barrier.value, participants).first->second;
        least = std::min(least, participants);
    }

    void execute(std::uint32_t thread, std::int64_t now) {
        auto const operation = program_.lists[thread][next_[thread]++];
        auto const object = operation.object;
        switch (operation.kind()) {
            case OperationKind::end:
                give(end_of(thread), 1, now);
                give(ends(), 1, now);
                return;
            case OperationKind::create:
                sleeps_[object].begin(now);
                goes_on(object, now);
                break;
            case OperationKind::join: return wait(thread, end_of(object), 1, now);
            case OperationKind::join_any: return wait(thread, ends(), times(thread, ends()), now);
            case OperationKind::lock:
            case OperationKind::write_lock: locks_.can_be_taken(ObjectId(object), now); break;
            case OperationKind::condition_wait:
                if (decode_wait(operation.value).token)
                    return wait(thread, object, times(thread, object), now);
                break;
            case OperationKind::semaphore_wait: return wait(thread, object, times(thread, object), now);
            case OperationKind::condition_signal:
            case OperationKind::semaphore_post:
                give(object, decode_grant(operation.value).tokens, now);
                break;

            case OperationKind::condition_barrier:
            case OperationKind::barrier_wait: return meet(thread, operation, now);
            case OperationKind::delay:
            case OperationKind::sleep_until:
            case OperationKind::input_output: return goes_on(thread, sleeps_[thread].end_of(operation, now));
            case OperationKind::activate:
                give(activations_of(object), 1, now);
                return wait(thread, accepts_of(object), times(thread, accepts_of(object)), now);
            case OperationKind::accept:
                give(accepts_of(thread), 1, now);
                return wait(thread, activations_of(thread), times(thread, activations_of(thread)), now);
            case OperationKind::work_only:
            case OperationKind::unlock:
            case OperationKind::read_lock:
            case OperationKind::read_write_unlock:
            case OperationKind::yield:
            case OperationKind::set_affinity:
            case OperationKind::set_priority:
            case OperationKind::set_concurrency: break;
        }
        goes_on(thread, now);
    }

    void meet(std::uint32_t thread, Operation const& operation, std::int64_t now) {
        auto const barrier = object_of(program_, operation);
        give(barrier.index(), 1, now);
        wait(thread, barrier.index(), times(thread, barrier.index()) * participants_.at(barrier.value), now);
    }

    using Ready = std::pair<std::int64_t, std::uint32_t>;

    ThreadProgram const& program_;
    LockUses& locks_;
    std::vector<std::size_t> next_;  // by thread, in its list
    std::vector<Sleeps> sleeps_;     // by thread
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
    std::vector<Gift> gifts_;  // objects; of threads ends, accepts, activations; all ends
    std::unordered_map<std::uint64_t, std::int64_t> taken_;
    std::unordered_map<std::uint32_t, std::int64_t> participants_;
    std::int64_t last_ = 0;
};

}  // namespace

ThreadBounds thread_bounds(ThreadProgram const& program) {
    ThreadBounds bounds;
    for (auto const& list : program.lists) {
        auto const add = [](std::int64_t sum, Operation const& each) { return sum + each.work_ns; };
        bounds.work_ns.push_back(std::accumulate(list.begin(), list.end(), std::int64_t{0}, add));
    }
    std::ranges::sort(bounds.work_ns, std::greater<>());
    LockUses locks(program);
    bounds.span = EarliestReplay(program, locks).span();
    std::tie(bounds.lock_time, bounds.lock) = locks.longest();
    return bounds;
}

BindingBound binding_bound(ThreadBounds const& bounds, std::uint32_t processors) {
    auto const& work = bounds.work_ns;
    auto const all = std::accumulate(work.begin(), work.end(), std::int64_t{0});
    BindingBound best{Duration{(all + processors - 1) / processors}, BindingBoundBy::work};
    auto const offer = [&](BindingBound const& bound) {
        if (bound.time > best.time)
            best = bound;
    };
    for (std::size_t last = 0, together = 1; last < work.size(); last += processors, ++together) {
        auto const end = work.begin() + static_cast<std::ptrdiff_t>(last) + 1;
        offer({Duration{std::accumulate(end - static_cast<std::ptrdiff_t>(together), end, std::int64_t{0})},
               last == 0 ? BindingBoundBy::thread : BindingBoundBy::sharing});
    }
    offer({bounds.span, BindingBoundBy::span});
    offer({bounds.lock_time, BindingBoundBy::lock, bounds.lock});
    return best;
}

}  // namespace parcast::model
