// What the operations of a blocked algorithm take on a machine, by the edge of a block: measured or assumed.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace parcast {

// The operations of Gaussian elimination on blocks (Rugina and Schauser 1998, section 5.1).
struct BlockOperation {
    std::string_view key;      // in a file of costs
    std::string_view meaning;  // for people
};
inline constexpr std::array<BlockOperation, 4> block_operations{{
    {"op1", "factorise the pivot, invert both factors"},
    {"op2", "multiply by the inverse of U"},
    {"op3", "multiply by the inverse of L"},
    {"op4", "subtract a product"},
}};

using BlockTimes = std::array<std::vector<double>, block_operations.size()>;  // ns, by edge

// Between two edges a power law, beyond them that of the last two; of one edge its cube.
// Invariants: (1) `edge` rises and is not empty; (2) each column is as long, but all of `cold_ns` may be
// empty; (3) times are positive, what a byte or a visit takes not negative.
struct BlockCosts {
    std::vector<double> edge;                // in elements
    BlockTimes ns;                           // a rank has just used the blocks
    BlockTimes cold_ns;                      // they come from memory; empty: not known
    std::optional<double> copy_ns_per_byte;  // to copy a block within a rank
    std::optional<double> visit_ns;          // to pass over a block that has nothing to do in a step
    std::string source;                      // for people; empty: usual_block_costs()

    // REQUIRES: operation < block_operations.size(); cold: has_cold(). A block that is not square has
    // the edge of the cube with as many multiplications.
    double of(std::size_t operation, double edge, bool is_cold = false) const;
    bool has_cold() const { return !cold_ns.front().empty(); }

    friend bool operator==(BlockCosts const&, BlockCosts const&) = default;
};

// b^3 ns for each operation on blocks of b x b: a multiplication and addition a nanosecond.
BlockCosts usual_block_costs();

// Errors: inconsistent, out_of_range: which invariant does not hold.
Result<void> check(BlockCosts const& costs);

}  // namespace parcast
