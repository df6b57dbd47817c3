// The machine that is asked about, and where its values come from.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "machine/machine.h"

namespace parcast::forecast {

struct TargetMachine {
    Machine shape;                                     // everything but the number of CPUs
    std::optional<std::string> file = std::nullopt;    // that it was read from
    std::optional<std::string> memory = std::nullopt;  // file or preset of what its processors share
    bool lock_contention = false;  // task graphs: tasks share the graph's locks, and nothing else
};

// The counts of CPUs if the question names none.
std::vector<std::uint32_t> usual_cpus();

// What a prediction says about the machine: its values by name with unit ("slice_ns"), and what a reader has
// to know: what disturbed its calibration, and that rates of as many busy CPUs as `most_cpus` were not
// measured.
MachineBasis machine_basis(TargetMachine const& target, std::uint32_t most_cpus);

}  // namespace parcast::forecast
