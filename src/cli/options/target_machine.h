// From the options of `predict` to the machines that the program is replayed on.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer/form.h"
#include "cli/verbs/predict.h"
#include "core/result.h"
#include "forecast/target.h"

namespace parcast::cli {

struct MachineAndCpus {
    forecast::TargetMachine machine;
    std::vector<std::uint32_t> cpus;  // to predict, rising
};

// --memory replaces the machine's rates of the memory, for as many CPUs as a page can show or are predicted.
// The machine of --scheduler, with a machine file over it: that of --machine; without either option the
// host's own, if `parcast calibrate` wrote one; not for task graphs, whose machine is ideal unless it is
// asked for. --retire and --overhead replace what it says about taking tasks. Its CPU counts are those of
// --cpus, else that of --machine's file if it sets one, else 1, 2, 4, ..., 64. Errors: those of read_text and
// machine_from_toml, of read_shared_resources and model::memory_rates.
Result<MachineAndCpus> target_machine(PredictArguments const& arguments, Form form = Form::recording);

// Advice for an error of target_machine, also when the host's own file was used by default.
std::string advice_for_machine(PredictArguments const& arguments, Form form = Form::recording);

}  // namespace parcast::cli
