// From the options of `predict` to the machines that the program is replayed on.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/predict_command.h"
#include "core/result.h"
#include "machine/machine.h"

namespace parcast::cli {

struct TargetMachine {
    Machine shape;                                     // everything but the number of CPUs
    std::vector<std::uint32_t> cpus;                   // to predict, rising
    std::optional<std::string> file = std::nullopt;    // that it was read from
    std::optional<std::string> memory = std::nullopt;  // of --memory, from which its rates of the memory are
};

// --memory replaces the machine's rates of the memory, for as many CPUs as a page can show or are predicted.
// The machine of --scheduler, with a machine file over it: that of --machine; without either option the
// host's own, if `parcast calibrate` wrote one. Its CPU counts are those of --cpus, else that of --machine's
// file if it sets one, else 1, 2, 4, ..., 64. Errors: those of read_text and machine_from_toml, of
// read_shared_resources and model::memory_rates.
Result<TargetMachine> target_machine(PredictArguments const& arguments);

// Where nobody says which.
std::vector<std::uint32_t> usual_cpus();

Machine with_cpus(Machine machine, std::uint32_t cpus);

// The next step for who gets an error of target_machine: nobody named the host's own file.
std::string advice_for_machine(PredictArguments const& arguments);

// What a reader of the predictions has to know about the machine: what disturbed its calibration, and that
// rates of so many busy CPUs were not measured. Sentences.
std::vector<std::string> notes_on(TargetMachine const& target);

// What the machine assumes, by name with unit: "slice_ns", "context_switch_ns", ...
using Parameters = std::vector<std::pair<std::string, std::int64_t>>;
Parameters parameters_of(Machine const& machine);

}  // namespace parcast::cli
