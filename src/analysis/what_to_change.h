// How much of a program's completion each function, lock, thread and place decides: the sum of the weights of
// its work on the extended critical path (extended_critical_path.h). Making all of it 1 % shorter makes the
// program shorter by 1 % of that, as far as the same path stays the longest.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/extended_critical_path.h"
#include "answer/advice.h"
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
    // By thread, then by operation: the weight of the work before it. REQUIRES: cpus >= 1.
    std::vector<std::vector<float>> weights_on(std::uint32_t cpus) const;

private:
    // Calls visit(thread, number of the operation, operation, owners, weight) for each piece of work.
    template <class Visit>
    void for_each_weight(std::span<std::int64_t const> weight_times_cpus, std::uint32_t cpus,
                         Visit visit) const;

    ThreadProgram const& program_;
    WorkOwners owners_;
    ExtendedCriticalPath path_;
    std::vector<std::uint32_t> first_event_;  // by thread, into events_
    std::vector<EventNumber> events_;         // at which work ends, by thread
    CauseGraph const& graph_;
    std::vector<OwnedWork> work_;
};

// All work, by owner.
std::vector<ChangeableWork> changeable_work(WhatToChange const& what);

// What each owner of work decides there, by that, and what to change first: the smallest function or lock
// that decides nearly as much as the one that decides most. Neither replayed nor tried. REQUIRES: cpus >= 1.
AdviceOnCpus advice_on(WhatToChange const& what, std::uint32_t cpus);

}  // namespace parcast::analysis
