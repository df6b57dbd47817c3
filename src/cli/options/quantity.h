// Durations and sizes as people write them on a command line: "30s", "2m", "1h", "500ms"; "2G", "500M",
// "64k".

#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"
#include "core/time.h"

namespace parcast::cli {

// A number without a unit counts seconds. Errors: malformed (not a number and a unit), out_of_range (zero, or
// more than a year).
Result<Duration> parse_duration(std::string_view text);

// In bytes; the units are powers of 1024, with or without a further "B" or "iB". Errors: malformed,
// out_of_range (zero, or more than 2^60).
Result<std::uint64_t> parse_size(std::string_view text);

}  // namespace parcast::cli
