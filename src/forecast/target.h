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
    Machine shape;                                   // everything but the number of CPUs
    std::vector<std::uint32_t> cpus;                 // to predict, rising
    std::optional<std::string> file = std::nullopt;  // that it was read from
    std::optional<std::string> memory =
        std::nullopt;  // what is shared, from which its rates of the memory are
};

// The counts of CPUs if the question names none.
std::vector<std::uint32_t> usual_cpus();

Machine with_cpus(Machine machine, std::uint32_t cpus);

// What a prediction says about the machine: its values by name with unit ("slice_ns"), and what a reader has
// to know: what disturbed its calibration, and that rates of so many busy CPUs were not measured.
MachineBasis machine_basis(TargetMachine const& target);

}  // namespace parcast::forecast
