// CPU counts as people write them: "8", "1,2,4", "4-16", "1,2,4-16".

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace parcast::cli {

inline constexpr std::uint32_t most_cpus = 65536;     // as in machine.h
inline constexpr std::size_t most_cpu_counts = 1024;  // each is a replay of the whole program

// The counts, ascending and without repetition. Errors: malformed (not a list), out_of_range (zero, more
// than most_cpus, a range that falls, or more than most_cpu_counts counts); the message quotes the part.
Result<std::vector<std::uint32_t>> parse_cpu_list(std::string_view text);

}  // namespace parcast::cli
