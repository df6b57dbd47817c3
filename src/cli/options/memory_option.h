// The value of --memory: what processors share beside processors. A file (docs/formats/memory.md) or the name
// of a preset, also with accesses per us of CPU time: "ddr4-2-channels:4.5"; for task graphs also "lock",
// which is a law of its own.

#pragma once

#include <string>

#include "core/result.h"
#include "machine/memory.h"

namespace parcast::cli {

// Errors: not_found, with the names of presets; out_of_range (accesses of a preset that are no number from 0
// to 1e6); those of read_text and of the file's reader.
Result<SharedResources> read_shared_resources(std::string const& name);

}  // namespace parcast::cli
