#include "extract/meetings.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <utility>

#include "extract/unbounded_run.h"

namespace parcast::extract {

namespace {

// Stops threads at their meetings until these are decided.
class MeetingObserver {
public:
    MeetingObserver(ThreadProgram const& program, std::span<Meeting const> meetings)
        : threads_(program.lists.size()) {
        for (Meeting const& meeting : meetings)
            add(meeting);
        for (auto& thread : threads_)
            std::ranges::sort(thread.stops, {}, &StopOfThread::first);
    }

    // The others are passed at once: they change nothing but their thread's time.
    static constexpr bool takes_turn(OperationKind kind) { return concerns_others(kind); }

    // Passes meetings that were decided without the thread.
    Place comes_to(ThreadId thread, std::uint32_t position, std::int64_t now_ns) {
        auto& self = threads_[thread.index()];
        while (self.next < self.stops.size() && self.stops[self.next].first == position) {
            auto const& stop = self.stops[self.next];
            auto& meeting = meetings_[stop.meeting];
            if (!meeting.is_decided) {
                meeting.times_ns[stop.place] = now_ns;
                open_.insert(stop.meeting);
                if (++meeting.have_come == meeting.threads.size())
                    complete_.push_back(stop.meeting);
                return {position, true};
            }
            position = stop.last;
            ++self.next;
        }
        return {position};
    }

    void executed(Executed const&) {}

    // A meeting to which all have come, or if nothing else goes on, some.
    std::optional<std::size_t> next_complete() {
        if (complete_.empty())
            return std::nullopt;
        auto const meeting = complete_.front();
        complete_.pop_front();
        return meeting;
    }
    std::optional<std::size_t> first_open() const {
        return open_.empty() ? std::nullopt : std::optional(*open_.begin());
    }

    void decide(std::size_t index, Decide const& decide, UnboundedRun<MeetingObserver>& run) {
        auto& meeting = meetings_[index];
        meeting.is_decided = true;
        open_.erase(index);
        auto const came_ns = meeting.times_ns;
        decide(index, meeting.times_ns);
        for (std::size_t place = 0; place < meeting.threads.size(); ++place)
            if (came_ns[place] != never_ns)
                run.resume(meeting.threads[place], meeting.times_ns[place]);
    }

    void decide_others_at_zero(Decide const& decide) {
        for (std::size_t index = 0; index < meetings_.size(); ++index) {
            auto& meeting = meetings_[index];
            if (meeting.is_decided)
                continue;
            std::ranges::fill(meeting.times_ns, 0);
            decide(index, meeting.times_ns);
        }
    }

private:
    struct StopOfThread {
        std::uint32_t first;
        std::uint32_t last;
        std::size_t meeting;
        std::size_t place;  // in it
    };
    struct StopsOfThread {
        std::vector<StopOfThread> stops;  // in the order of the list
        std::size_t next = 0;
    };
    struct MeetingState {
        std::vector<std::int64_t> times_ns;  // by stop
        std::vector<ThreadId> threads;
        std::size_t have_come = 0;
        bool is_decided = false;
    };

    void add(Meeting const& meeting) {
        MeetingState added;
        for (Stop const& stop : meeting) {
            threads_[stop.thread.index()].stops.push_back(
                {stop.first, stop.last, meetings_.size(), added.threads.size()});
            added.threads.push_back(stop.thread);
        }
        added.times_ns.assign(meeting.size(), never_ns);
        meetings_.push_back(std::move(added));
    }

    std::vector<StopsOfThread> threads_;
    std::vector<MeetingState> meetings_;
    std::set<std::size_t> open_;        // meetings to which some have come
    std::deque<std::size_t> complete_;  // to which all have, not decided yet
};

}  // namespace

void decide_meetings(ThreadProgram const& program, std::span<Meeting const> meetings, Decide const& decide) {
    MeetingObserver observer(program, meetings);
    UnboundedRun run(program, observer);
    run.begin();
    for (;;)
        if (auto const complete = observer.next_complete())
            observer.decide(*complete, decide, run);
        else if (run.step())
            continue;
        else if (auto const open = observer.first_open())
            observer.decide(*open, decide, run);
        else
            break;
    observer.decide_others_at_zero(decide);
}

}  // namespace parcast::extract
