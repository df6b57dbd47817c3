// The time-domain model of a process: expressions for how long it takes, by composition (sequence adds,
// parallel takes the maximum, a condition mixes, a loop repeats) and the work that each resource gets.
//
//     phi    the critical path, without queueing
//     delta  the work per resource, a vector by resource index
//     omega  the longest busy contended resource: max over its delta / multiplicity
//     total  max(phi, omega)
//
// A resource that only one path at a time uses cannot be contended: its work is part of phi already, and it
// is left out of omega (named in `uncontended`).
//
// Source: Gautama and van Gemund, section 5.2.

#pragma once

#include <string>
#include <vector>

#include "program/process_model.h"

namespace parcast::model {

// A resource that is left out of omega.
struct UncontendedResource {
    std::string name;
    std::string reason;  // "never used by more than one process at a time"
};

struct TimeDomain {
    symbolic::Expression phi;
    symbolic::Expression delta;
    symbolic::Expression omega;
    symbolic::Expression total;
    std::vector<UncontendedResource> uncontended;
};

// Which resources bound the time from below. All: as the literature has it; the maximum of the critical path
// and of work that is part of it then counts that work as if it were independent.
enum class BoundBy : bool { contended_resources, all_resources };

// Makes its expressions in the model's pool, unsimplified.
TimeDomain time_domain(ProcessModel& model, ProcessId root, BoundBy bound_by = BoundBy::contended_resources);

// The tighter bound by phases: T(A; B) = T(A) + T(B) for the parts of the sequence at the top.
struct PhaseTimes {
    std::string name;  // "phase 2"
    TimeDomain times;
};
std::vector<PhaseTimes> phases(ProcessModel& model, ProcessId root);

}  // namespace parcast::model
