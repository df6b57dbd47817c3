// Which algorithm a collective operation has: the one that is given, or the one that an MPI library would
// choose by the number of ranks and bytes.
//
// Source: Open MPI 4.1, coll/tuned, fixed decisions; MPICH 4.0, its tuning file for any network. Where
// parcast does not have a library's algorithm, one with the same rounds and bytes stands for it:
// docs/formats/messages.md.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "program/collectives/collective_algorithm.h"

namespace parcast {

enum class CollectiveLibrary : std::uint8_t { open_mpi, mpich };
inline constexpr std::array<std::string_view, 2> collective_libraries = {"open-mpi", "mpich"};

struct CollectiveChoice {
    CollectiveLibrary library = CollectiveLibrary::open_mpi;
    std::array<std::optional<CollectiveAlgorithm>, collective_kind_count> given = {};  // by CollectiveKind

    friend bool operator==(CollectiveChoice const&, CollectiveChoice const&) = default;
};

// "open-mpi", "mpich", "allreduce=ring,barrier=tree" or both: "mpich,allreduce=ring". Errors: unasked.
Result<CollectiveChoice> parse_collective_choice(std::string_view text);
std::string collective_choice_text(CollectiveChoice const& choice);

// By what it is chosen: whether each rank has a size of its own, and the bytes that libraries compare.
struct CollectiveSize {
    std::uint32_t ranks = 1;
    std::uint64_t bytes = 0;  // of the buffer, or of the block of a rank
    bool is_varied = false;
};

// REQUIRES: size.ranks > 0.
CollectiveAlgorithm chosen_algorithm(CollectiveChoice const& choice, CollectiveKind kind,
                                     CollectiveSize const& size);

}  // namespace parcast
