// Whether this machine has the memory that the prediction of a recording takes, before it begins.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/result.h"

namespace parcast::cli {

// `available`: bytes; none: not known. Errors: exhausted, with what it takes and what there is.
Result<void> check_memory_for(std::uint64_t events, std::optional<std::uint64_t> available,
                              std::string const& path);

// The same for the trace file at `path` on this machine. A file that is none, or is damaged, passes: reading
// it reports that.
Result<void> check_memory_for(std::string const& path);

}  // namespace parcast::cli
