// Which teams of threads look as if they had taken their work from something that leaves no trace?
//
// Threads that take the next piece of work by an atomic counter make no call. On one CPU the one that has the
// time slice takes all of a short loop, and a replay leaves it with that thread on any machine:
// extract/hand_outs.h cannot know. What remains to be seen is that the threads did very uneven work, and yet
// stopped at the same time. Had the shares been uneven from the beginning, the largest would have gone on
// alone.
//
// A team is suspect if
// 1. one thread created its members in a row, without waiting in between, and they run the same function;
// 2. each ended, waited for nobody, and made no call but up to `most_locks` locks (to add to a sum);
// 3. the one that worked most did 1.5 times the mean or more;
// 4. once the first of them had ended, the others used less than a tenth of the team's CPU time.
//
// It stays a suspicion: one long and several empty shares look the same.
// Cost: O(events) time, O(threads) memory.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "answer/finding.h"
#include "core/catalogue.h"
#include "core/id.h"
#include "core/time.h"
#include "timeline/event.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

struct Survey;

// As far as the recording tells: it names what a thread begins with, and where it was made.
bool run_the_same_function(Catalogue const& catalogue, ThreadId a, ThreadId b);

struct UnevenTeam {
    ThreadId first;
    std::int64_t threads = 0;
    Duration work;  // CPU time of all
    Duration most;  // of the one that worked most

    Duration evened() const { return Duration{work.ns / threads}; }
};

// Looks at one thread after the other, its events in their order.
class HandOutSearch {
public:
    explicit HandOutSearch(std::size_t threads) : members_(threads) {}

    void add(ThreadId thread, Event const& event);
    // The creations of a thread that come next are no row with those before.
    void end_thread() { break_row(); }
    std::vector<UnevenTeam> finish(Catalogue const& catalogue) const;

private:
    // What rule 2 needs to know of a thread.
    struct Member {
        Duration work;
        std::int64_t end_ns = 0;
        int locks = 0;
        bool is_seen = false;  // it has an event
        bool is_excluded = false;
    };

    static void add_to_member(Member& member, Event const& event);
    void break_row();
    bool may_be_member(ThreadId thread) const;
    std::optional<UnevenTeam> uneven_team(std::span<ThreadId const> threads) const;

    std::vector<Member> members_;                   // of all threads
    std::vector<std::optional<ThreadId>> created_;  // rows of threads created, none between them
};

// One finding for all teams, if evened out they would take a hundredth of the CPU time less; a warning from a
// tenth.
void add_hidden_hand_outs(Catalogue const& catalogue, Survey const& survey, std::vector<Finding>& result);

}  // namespace parcast::analysis
