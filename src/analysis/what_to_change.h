// How much of a program's completion each function, lock, thread and place decides: the sum of the weights of
// its work on the extended critical path (extended_critical_path.h). Making all of it 1 % shorter makes the
// program shorter by 1 % of that, as far as the same path stays the longest.

#pragma once

#include <cstdint>
#include <vector>

#include "analysis/extended_critical_path.h"
#include "program/work_owners.h"

namespace parcast::analysis {

struct OwnedWork {
    std::int64_t calls = 0;  // pieces
    std::int64_t work_ns = 0;
};

struct DecidedTime {
    double completion_ns = 0;        // of the extended critical path
    std::vector<double> decided_ns;  // by owner: weight * work
};

class WhatToChange {
public:
    // Both are the caller's, for the life of this. REQUIRES: the graph is of an unbounded run of the program.
    WhatToChange(ThreadProgram const& program, CauseGraph const& graph);

    WorkOwners const& owners() const { return owners_; }
    std::vector<OwnedWork> const& work() const { return work_; }  // by owner

    // REQUIRES: cpus >= 1.
    DecidedTime on(std::uint32_t cpus) const;

private:
    ThreadProgram const& program_;
    WorkOwners owners_;
    ExtendedCriticalPath path_;
    std::vector<std::uint32_t> first_event_;  // by thread, into events_
    std::vector<EventNumber> events_;         // at which work ends, by thread
    CauseGraph const& graph_;
    std::vector<OwnedWork> work_;
};

}  // namespace parcast::analysis
