// The threads of OpenMP teams, and how long they spin where they wait for each other: libgomp counts the
// threads that it manages, and lets them spin for long only where each of them has a processor
// (gomp_managed_threads > gomp_available_cpus in its wait.h).

#pragma once

#include <cstdint>
#include <vector>

#include "core/time.h"
#include "machine/machine.h"
#include "program/thread_program.h"

namespace parcast::simulate {

class TeamThreads {
public:
    // Cost: O(operations) if the program has teams.
    TeamThreads(ThreadProgram const& program, Machine const& machine)
        : cpus_(machine.cpus),
          waiting_(machine.waiting),
          knows_spinning_(schedulers[number_of(machine.scheduler)].knows_spinning),
          members_(team_members(program)) {}

    void begins(ThreadId thread) { alive_ += is_member(thread) ? 1 : 0; }
    void ends(ThreadId thread) { alive_ -= is_member(thread) ? 1 : 0; }

    // As of now.
    Duration spin() const { return alive_ <= cpus_ ? waiting_.team_spin : waiting_.crowded_team_spin; }

    // Under a scheduler that lets nobody spin, who would spin until its release need not be woken.
    bool are_awake() const { return !knows_spinning_ && alive_ <= cpus_ && waiting_.team_spin.ns > 0; }

private:
    bool is_member(ThreadId thread) const { return !members_.empty() && members_[thread.index()]; }

    std::int64_t cpus_;
    Waiting waiting_;
    bool knows_spinning_;
    std::int64_t alive_ = 0;
    std::vector<bool> members_;  // by thread; empty: there are no teams
};

}  // namespace parcast::simulate
