// From the options of `predict` to the machines that the program is replayed on.

#pragma once

#include <optional>
#include <string>

#include "answer/form.h"
#include "cli/verbs/predict.h"
#include "core/result.h"
#include "forecast/target.h"
#include "machine/thread_plan.h"

namespace parcast::cli {

// The machine file of this host, whether it exists or not: written by `parcast calibrate`, used by `predict`
// if it is there. ${XDG_CONFIG_HOME:-$HOME/.config}/parcast/machines/HOSTNAME.toml; none without either
// variable. XDG Base Directory Specification: a relative XDG_CONFIG_HOME counts as unset.
std::optional<std::string> host_machine_file();

// What --memory names: a file (docs/formats/memory.md) or a preset. Errors: not_found, with the names of
// presets; those of read_text, of presets and of the file's reader.
Result<SharedResources> read_shared_resources(std::string const& name);

// What --network names: a preset, "loggp:L=9us,...", or a machine file with a [network]. Errors: not_found,
// with the names of presets; those of parse_network, of read_text and of machine_from_toml.
Result<Network> read_network(std::string const& name);

// What --plan names. Errors: those of read_text and of its reader, with advice.
Result<ThreadPlan> read_thread_plan(std::string const& file);

// The machine of --scheduler, with a machine file over it: that of --machine; without either option the
// host's own, if there is one; not for task graphs, whose machine is ideal unless one is named. --memory
// replaces what the machine shares, --retire and --overhead how it takes tasks. Its CPU counts are those of
// --cpus, else that of --machine's file if it sets one, else 1, 2, 4, ..., 64. Errors, with advice: those of
// reading these files.
Result<forecast::MachineAndCpus> target_machine(PredictArguments const& arguments,
                                                Form form = Form::recording);

}  // namespace parcast::cli
