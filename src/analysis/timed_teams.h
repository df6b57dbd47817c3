// Which threads work until a point in time, and not until their work is done?
//
// A benchmark's threads that look at the clock (`--time=1`) do as much as they can until then: on two CPUs
// they take as long as on one, and do twice as much. Reading a clock leaves no event. What remains to be seen
// is that threads of one kind stop at one moment, and that this is a round time after they were made, or
// after their last call.
//
// Threads that run the same function are suspect if
// 1. two or more worked 50 ms or more, and ended by themselves: not just after a wait that another thread
//    ended;
// 2. once the first of them had ended, no other one used more than 0.5 ms of CPU time;
// 3. the first ended a whole number of tenths of a second (of halves from 2 s on, of seconds from 10 s on)
//    after the first of them began, or after the earliest of their last calls: up to a thousandth and a
//    quarter of a millisecond after it, 2 ms at most; before it as far as the one that made it may have read
//    the clock before, up to 2 ms;
// 4. no thread slept or waited for a time that ended with them: a replay knows that one.
//
// Cost: O(events) time, O(threads) memory, and up to 65,536 waits.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "answer/finding.h"
#include "core/catalogue.h"
#include "core/id.h"
#include "core/time.h"
#include "timeline/event.h"

namespace parcast::analysis {

struct Survey;

struct TimedTeam {
    ThreadId first;
    std::int64_t threads = 0;
    Duration work;  // CPU time of all
    Duration time;  // that they were given
};

// Looks at one thread after the other, its events in their order.
class TimedTeamSearch {
public:
    explicit TimedTeamSearch(std::size_t threads) : members_(threads) {}

    void add(ThreadId thread, Event const& event);
    std::vector<TimedTeam> finish(Catalogue const& catalogue) const;

private:
    struct Point {
        std::int64_t at_ns = 0;
        std::int64_t work_ns = 0;  // until then
    };
    struct Member {
        ThreadId thread;
        std::optional<std::int64_t> before_ns;  // the call of the one that made it, before that
        std::int64_t begin_ns = 0;
        std::int64_t last_call_ns = 0;  // before its end
        std::int64_t end_ns = 0;
        std::int64_t work_ns = 0;
        std::int64_t since_wait_ns = 0;  // of it: after its last call that blocked
        Point latest;                    // points with half a millisecond of work between them
        Point before_latest;
        std::int64_t last_work_ns = 0;  // after its last call
        bool has_ended = false;
    };

    std::optional<TimedTeam> timed_team(std::span<Member const> members) const;
    bool is_stopped_by_a_wait(std::int64_t end_ns) const;
    std::optional<Duration> time_until_all_stop(std::span<Member const> members) const;

    std::vector<Member> members_;             // all threads
    std::vector<std::int64_t> wait_ends_ns_;  // of 50 ms and more
};

// One finding for all, if they did a hundredth of the work.
void add_timed_teams(Catalogue const& catalogue, Survey const& survey, std::vector<Finding>& result);

}  // namespace parcast::analysis
