// From the options of `predict` to the machines that the program is replayed on.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/predict_command.h"
#include "core/result.h"
#include "machine/machine.h"

namespace parcast::cli {

struct TargetMachine {
    Machine shape;                    // everything but the number of CPUs
    std::vector<std::uint32_t> cpus;  // to predict, rising
};

// The machine of --scheduler, with the machine file over it. Its CPU counts are those of --cpus, else
// that of the machine file if it sets one, else 1, 2, 4, ..., 64. Errors: those of read_text and
// machine_from_toml.
Result<TargetMachine> target_machine(PredictArguments const& arguments);

Machine with_cpus(Machine machine, std::uint32_t cpus);

// What the machine assumes, by name with unit: "slice_ns", "context_switch_ns", ...
using Parameters = std::vector<std::pair<std::string, std::int64_t>>;
Parameters parameters_of(Machine const& machine);

}  // namespace parcast::cli
