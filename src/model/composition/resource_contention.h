// Which resources of a process may be contended: so that somebody queues for them. Decided from the structure
// alone, for all values of the parameters; where it cannot be told, a resource is taken for contended.
//
//     use                1 at a time                 ;, seq, if    the greatest of the parts
//     ||, par            the sum: in a par over p, what is used at an index that depends on p is each turn's
//     own
//
// A resource is free of contention where never more use it than it has places. Resources with the same index
// are one, whatever their names are: two indices are distinguished by their difference or by the bounds of
// their loops.
//
// Cost: quadratic in the different resources that run at once; with more than most_families, all are
// contended.

#pragma once

#include <string>
#include <vector>

#include "program/process_model.h"

namespace parcast::model {

struct ResourceVerdict {
    std::string name;
    bool is_contended = true;
    std::string reason;  // why not
};

// By the names of the resources that the process uses, in their order.
std::vector<ResourceVerdict> resource_contention(ProcessModel& model, ProcessId root);

}  // namespace parcast::model
