// Which teams of threads look as if they had taken their work from something that leaves no trace?
//
// Threads that take the next piece of work by an atomic counter make no call. On one CPU the one that has the
// time slice takes all of a short loop, and a replay leaves it with that thread on any machine:
// extract/hand_outs.h cannot know. What remains to be seen is that the threads did very uneven work, and yet
// stopped at the same time. Of shares that were uneven from the beginning, the largest would have gone on
// alone.
//
// A team is suspect if
// 1. one thread created its members in a row, without waiting in between, and they run the same function;
// 2. each ended, waited for nobody, and made no call but up to `most_locks` locks (to add to a sum);
// 3. the one that worked most did 1.5 times the mean or more;
// 4. once the first of them had ended, the others used less than a tenth of the team's CPU time.
//
// It stays a suspicion: one long and several empty shares look the same.
// Cost: O(events).

#pragma once

#include <cstdint>
#include <vector>

#include "analysis/findings.h"
#include "core/id.h"
#include "core/time.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

struct UnevenTeam {
    ThreadId first;
    std::int64_t threads = 0;
    Duration work;  // CPU time of all
    Duration most;  // of the one that worked most

    Duration evened() const { return Duration{work.ns / threads}; }
};

std::vector<UnevenTeam> hidden_hand_outs(Timeline const& recorded);

// One finding for all teams, if evened out they would take a hundredth of the CPU time less; a warning from a
// tenth.
void add_hidden_hand_outs(Timeline const& recorded, std::vector<Finding>& result);

}  // namespace parcast::analysis
