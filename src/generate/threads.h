// Programs of threads with a known structure (Broberg 2002): transactions of random critical sections
// (papers IV and V), the filters of a prime sieve (paper VII), a server and its clients (paper VIII). Equal
// seeds give equal programs.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/result.h"
#include "program/thread_program.h"

namespace parcast::generate {

struct ThreadStructure {
    std::string_view name;
    std::uint32_t usual_size;
    std::uint32_t least_size;
    std::uint32_t most_size;
    std::string_view size;  // what it counts
};

inline constexpr std::array thread_structures = {
    ThreadStructure{"transactions", 8, 1, 10'000, "threads"},
    ThreadStructure{"prime-filter", 397, 2, 20'000, "the number up to which primes are sought"},
    ThreadStructure{"rendezvous", 3, 1, 10'000, "clients"},
};

std::optional<ThreadStructure> thread_structure_named(std::string_view name);

// Passes check(). REQUIRES: a name of thread_structures. Errors: out_of_range (a size).
Result<ThreadProgram> thread_program(std::string_view structure, std::uint32_t size, std::uint64_t seed = 1);

}  // namespace parcast::generate
