// Which resources of a process model are contended for, at given values of its parameters: those that more
// paths may use at a time than they have servers. At another nobody ever waits, and a use of it is a delay.
//
// Counted over the tree: a sequence and a choice need what the neediest part needs, parallel branches the
// sum.

#pragma once

#include <span>
#include <vector>

#include "core/result.h"
#include "program/process_values.h"

namespace parcast {

struct ResourceNeed {
    double index = 0;
    double servers = 1;  // may be infinite
    double paths = 0;    // that may use it at a time; infinite for a random number of branches

    bool contended() const { return paths > servers; }
};

// By index, ascending. Errors: out_of_range (an index or a multiplicity that is no whole number, loops with
// too many turns), inconsistent (two resources with one index, unlike multiplicities), unsupported (a random
// number of turns that differ in the resources that they use), those of the expressions. Cost: the turns of
// parallel loops, and of sequential ones whose uses depend on the index.
Result<std::vector<ResourceNeed>> resource_needs(ProcessModel const& model, ProcessId root,
                                                 std::span<double const> parameters);

}  // namespace parcast
