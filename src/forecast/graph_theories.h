// What other theories and bounds say of a task graph, for `predict GRAPH --compare`.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/theories.h"
#include "model/comparators/compare.h"
#include "program/task_graph.h"

namespace parcast::forecast {

struct DeterministicTime {
    std::uint32_t cpus = 1;
    std::optional<double> time_ns;
};

// `times`: of the schedule that they are compared with, on the numbers of CPUs that were asked for. Bounds
// are there as far as they hold for it. REQUIRES: the graph passes its check.
Theories theories_of(TaskGraph const& graph, std::vector<DeterministicTime> const& times,
                     model::Schedule const& schedule);

}  // namespace parcast::forecast
