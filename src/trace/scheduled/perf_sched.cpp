#include "trace/scheduled/perf_sched.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/scheduled/perf_sched_events.h"

namespace parcast::trace {

namespace {

constexpr std::size_t kernel_name_letters = 15;
constexpr std::uint32_t most_cpus_here = 65'536;

struct PlacedEvent {
    SchedEvent event;
    std::uint32_t line = 0;
};

struct ReadEvents {
    std::vector<PlacedEvent> events;
    std::int64_t lost = 0;
};

Error at_line(ErrorCode code, std::string message, std::string_view file, std::uint32_t line) {
    return Error{code, std::move(message), SourcePosition{std::string(file), line, {}, {}},
                 "It is made by: perf sched record -- PROGRAM; perf script > measured.perf.txt"};
}

Error in_file(ErrorCode code, std::string message, std::string_view file) {
    return Error{code, std::move(message), SourcePosition{std::string(file), {}, {}, {}},
                 "It is made by: perf sched record -- PROGRAM; perf script > measured.perf.txt"};
}

// "LOST 12 events", in the words of several versions of perf.
std::int64_t lost_in(std::string_view line) {
    auto const at = line.find("LOST ");
    if (at == std::string_view::npos)
        return 0;
    std::int64_t lost = 0;
    auto const number = line.substr(at + 5);
    std::from_chars(number.data(), number.data() + number.size(), lost);
    return std::max<std::int64_t>(lost, 0);
}

Result<ReadEvents> read_events(std::string_view text, std::string_view file) {
    ReadEvents read;
    std::uint32_t line_number = 0;
    std::int64_t last_ns = 0;
    while (!text.empty()) {
        auto const end = std::min(text.find('\n'), text.size());
        auto const line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line_number;
        if (line.starts_with('#'))
            continue;
        auto const event = sched_event_in(line);
        if (!event) {
            read.lost += lost_in(line);
            continue;
        }
        if (event->time_ns < last_ns)
            return fail(at_line(ErrorCode::malformed, "this event is earlier than the one before it", file,
                                line_number));
        if (event->cpu >= most_cpus_here)
            return fail(
                at_line(ErrorCode::malformed, "there are no machines with so many CPUs", file, line_number));
        last_ns = event->time_ns;
        read.events.push_back({*event, line_number});
    }
    if (std::ranges::none_of(read.events, [](PlacedEvent const& placed) {
            return placed.event.kind == SchedEventKind::switched;
        }))
        return fail(in_file(ErrorCode::malformed, "no line here is a sched_switch of perf script", file));
    return read;
}

enum class Doing : std::uint8_t { nothing, running, ready, blocked, uninterruptible, ended };

struct Member {
    std::uint32_t kernel_id = 0;
    std::string name;
    Doing doing = Doing::nothing;
    std::int64_t since_ns = 0;
    std::int64_t created_ns = 0;
    std::int64_t ended_ns = 0;
    std::uint32_t cpu = 0;
    std::optional<std::uint32_t> last_cpu;
    std::optional<std::uint32_t> parent;  // member
};

struct Interval {
    std::uint32_t member = 0;
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    Doing doing = Doing::nothing;
    std::uint32_t cpu = 0;
};

// How many members do what, for so long.
struct Stretch {
    std::int64_t ns = 0;
    std::array<std::int64_t, 6> doing{};  // by Doing

    std::int64_t operator[](Doing what) const { return doing[static_cast<std::size_t>(what)]; }
};

Doing after_switch(char state) {
    switch (state) {
        case 'R': return Doing::ready;
        case 'D': return Doing::uninterruptible;
        case 'X':
        case 'x':
        case 'Z':
        case 'z': return Doing::ended;
        default: return Doing::blocked;
    }
}

// The program, event by event.
class Walk {
public:
    explicit Walk(std::string program) : program_(std::move(program)) {}

    void see(SchedEvent const& event) {
        meet(event.running, event.running_name, event, Doing::running);
        switch (event.kind) {
            case SchedEventKind::switched:
                meet(event.first, event.first_name, event, Doing::running);
                meet(event.second, event.second_name, event, Doing::ready);
                leave_cpu(event);
                enter_cpu(event);
                break;
            case SchedEventKind::woken:
                meet(event.first, event.first_name, event, Doing::blocked);
                if (auto* const member = find(event.first);
                    member != nullptr &&
                    (member->doing == Doing::blocked || member->doing == Doing::uninterruptible))
                    change(*member, Doing::ready, event.time_ns);
                break;
            case SchedEventKind::forked: fork(event); break;
            case SchedEventKind::migrated: migrations_ += find(event.first) != nullptr ? 1 : 0; break;
            case SchedEventKind::exited:
            case SchedEventKind::other: break;
        }
    }

    bool has_members() const { return !members_.empty(); }

    Result<ScheduledProgram> finish(std::int64_t end_ns, ScheduledProgramQuestion const& question,
                                    std::string_view file) {
        ScheduledProgram program;
        std::int64_t last_ns = members_.front().created_ns;
        for (auto& member : members_) {
            if (member.doing != Doing::ended) {
                program.ended = false;
                change(member, Doing::ended, end_ns);
            }
            last_ns = std::max(last_ns, member.ended_ns);
        }
        std::int64_t most_running = 0;
        for (auto const& stretch : stretches_)
            most_running = std::max(most_running, stretch[Doing::running]);
        program.cpu_numbers.assign(cpus_.begin(), cpus_.end());
        auto const cpus_used = static_cast<std::uint32_t>(cpus_.size());
        auto const cpus = question.cpus.value_or(std::max(cpus_used, 1U));
        if (most_running > cpus)
            return fail(in_file(ErrorCode::inconsistent,
                                std::to_string(most_running) + " threads of the program ran at once, which " +
                                    std::to_string(cpus) + " CPUs cannot do",
                                file));
        auto const start_ns = members_.front().created_ns;
        // Times of all CPUs and of all threads are added up.
        auto const most_at_once = std::max<std::int64_t>(cpus, static_cast<std::int64_t>(members_.size()));
        if (last_ns - start_ns > std::numeric_limits<std::int64_t>::max() / most_at_once)
            return fail(in_file(ErrorCode::out_of_range,
                                "the program runs for " +
                                    std::to_string((last_ns - start_ns) / 1'000'000'000) +
                                    " s, too long to add up over its CPUs and threads",
                                file));
        fill_catalogue(program.catalogue);
        fill_intervals(program.intervals, program.cpu_numbers, start_ns);
        fill_accounts(program.accounts, cpus, start_ns, last_ns);
        return program;
    }

private:
    Member* find(std::uint32_t thread) {
        auto const found = numbers_.find(thread);
        return thread == 0 || found == numbers_.end() ? nullptr : &members_[found->second];
    }

    // A thread of the program's name, and of nobody before it, is a new one of it.
    void meet(std::uint32_t thread, std::string_view name, SchedEvent const& event, Doing doing) {
        if (auto* const member = find(thread)) {
            if (!name.empty())
                member->name = name;
            return;
        }
        if (thread == 0 || name != program_)
            return;
        add(thread, name, event.time_ns, doing, event.cpu);
    }

    Member& add(std::uint32_t thread, std::string_view name, std::int64_t time_ns, Doing doing,
                std::uint32_t cpu) {
        pass(time_ns);
        numbers_[thread] = members_.size();
        Member& member = members_.emplace_back();
        member.kernel_id = thread;
        member.name = name;
        member.doing = doing;
        member.since_ns = member.created_ns = time_ns;
        member.cpu = cpu;
        ++now_.doing[static_cast<std::size_t>(doing)];
        if (doing == Doing::running) {
            member.last_cpu = cpu;
            cpus_.insert(cpu);
        }
        return member;
    }

    void fork(SchedEvent const& event) {
        auto const* const parent = find(event.first);
        if (parent == nullptr || event.second == 0)
            return;
        auto const number = static_cast<std::uint32_t>(parent - members_.data());
        if (auto* const known = find(event.second); known != nullptr && known->doing != Doing::ended)
            return;
        add(event.second, event.second_name, event.time_ns, Doing::ready, event.cpu).parent = number;
    }

    void leave_cpu(SchedEvent const& event) {
        if (auto* const member = find(event.first); member != nullptr && member->doing != Doing::ended) {
            change(*member, after_switch(event.state), event.time_ns);
            ++switches_;
        }
    }

    void enter_cpu(SchedEvent const& event) {
        auto* const member = find(event.second);
        if (member == nullptr || member->doing == Doing::ended)
            return;
        change(*member, Doing::running, event.time_ns);
        member->cpu = event.cpu;
        member->last_cpu = event.cpu;
        cpus_.insert(event.cpu);
    }

    void change(Member& member, Doing doing, std::int64_t time_ns) {
        pass(time_ns);
        if (time_ns > member.since_ns)
            intervals_.push_back({static_cast<std::uint32_t>(&member - members_.data()), member.since_ns,
                                  time_ns, member.doing, member.cpu});
        --now_.doing[static_cast<std::size_t>(member.doing)];
        ++now_.doing[static_cast<std::size_t>(doing)];
        member.doing = doing;
        member.since_ns = time_ns;
        if (doing == Doing::ended)
            member.ended_ns = time_ns;
    }

    // Time goes on, and what the members do is as it is until then.
    void pass(std::int64_t time_ns) {
        if (!members_.empty() && time_ns > last_ns_) {
            now_.ns = time_ns - last_ns_;
            stretches_.push_back(now_);
        }
        last_ns_ = time_ns;
    }

    void fill_catalogue(Catalogue& catalogue) const {
        for (auto const& member : members_) {
            Thread thread;
            thread.name = member.name;
            thread.kernel_id = member.kernel_id;
            if (member.parent)
                thread.parent = ThreadId(*member.parent);
            catalogue.threads.push_back(std::move(thread));
        }
    }

    void fill_intervals(IntervalColumns& columns, std::vector<std::uint32_t> const& cpu_numbers,
                        std::int64_t start_ns) {
        auto const id_of = [&](std::uint32_t cpu) {
            auto const at = std::ranges::lower_bound(cpu_numbers, cpu) - cpu_numbers.begin();
            return CpuId(static_cast<std::size_t>(at));
        };
        std::ranges::stable_sort(intervals_, {}, [](Interval const& interval) {
            return std::pair(interval.member, interval.begin_ns);
        });
        for (auto const& interval : intervals_) {
            if (interval.doing == Doing::ended || interval.doing == Doing::nothing)
                continue;
            columns.begin.push_back({interval.begin_ns - start_ns});
            columns.end.push_back({interval.end_ns - start_ns});
            columns.thread.push_back(ThreadId(interval.member));
            columns.cpu.push_back(interval.doing == Doing::running ? id_of(interval.cpu) : CpuId::none());
            columns.state.push_back(state_of(interval.doing));
            columns.object.push_back(ObjectId::none());
            columns.releaser.push_back(ThreadId::none());
            columns.site.push_back(SiteId::none());
        }
    }

    static ThreadState state_of(Doing doing) {
        switch (doing) {
            case Doing::running: return ThreadState::running;
            case Doing::ready: return ThreadState::ready;
            case Doing::uninterruptible: return ThreadState::input_output;
            default: return ThreadState::blocked;
        }
    }

    void fill_accounts(Accounts& accounts, std::uint32_t cpus, std::int64_t start_ns,
                       std::int64_t last_ns) const {
        accounts.cpus = cpus;
        accounts.completion = {last_ns - start_ns};
        accounts.context_switches = switches_;
        accounts.migrations = migrations_;
        for (auto const& member : members_) {
            ThreadAccount account;
            account.created = {member.created_ns - start_ns};
            account.ended = {member.ended_ns - start_ns};
            accounts.threads.push_back(account);
        }
        for (auto const& interval : intervals_)
            if (interval.doing != Doing::ended && interval.doing != Doing::nothing)
                accounts.threads[interval.member][state_of(interval.doing)] +=
                    Duration{interval.end_ns - interval.begin_ns};
        // A CPU that none of its threads has is charged to one that could run, else to one that waits.
        for (auto const& stretch : stretches_) {
            std::int64_t idle = cpus - stretch[Doing::running];
            auto const charge = [&](std::int64_t threads, Duration& to) {
                auto const share = std::min(idle, threads);
                to += Duration{share * stretch.ns};
                idle -= share;
            };
            accounts.busy += Duration{stretch[Doing::running] * stretch.ns};
            charge(stretch[Doing::ready], accounts.idle.ready);
            charge(stretch[Doing::blocked], accounts.idle.conditions);
            charge(stretch[Doing::uninterruptible], accounts.idle.input_output);
            accounts.idle.no_thread += Duration{idle * stretch.ns};
        }
    }

    std::string program_;
    std::vector<Member> members_;
    std::unordered_map<std::uint32_t, std::size_t> numbers_;  // by number of the kernel: the last that had it
    std::vector<Interval> intervals_;
    std::vector<Stretch> stretches_;
    Stretch now_;
    std::int64_t last_ns_ = 0;
    std::int64_t switches_ = 0;
    std::int64_t migrations_ = 0;
    std::set<std::uint32_t> cpus_;
};

}  // namespace

Result<ScheduledProgram> scheduled_program_from_perf(std::string_view text, std::string_view file,
                                                     ScheduledProgramQuestion const& question) {
    auto const read = read_events(text, file);
    if (!read)
        return pass_on(read);
    auto const name = question.program.substr(0, kernel_name_letters);
    Walk walk(name);
    for (auto const& [event, line] : read->events)
        walk.see(event);
    if (!walk.has_members())
        return fail(in_file(ErrorCode::not_found, "no thread here has the name " + name, file));
    auto program = walk.finish(read->events.back().event.time_ns, question, file);
    if (program)
        program->lost = read->lost;
    return program;
}

bool is_perf_sched_text(std::string_view head) {
    for (int line = 0; line < 100 && !head.empty(); ++line) {
        auto const end = std::min(head.find('\n'), head.size());
        auto const one = head.substr(0, end);
        if (one.find("sched:sched_") != std::string_view::npos && sched_event_in(one))
            return true;
        head.remove_prefix(std::min(end + 1, head.size()));
    }
    return false;
}

}  // namespace parcast::trace
