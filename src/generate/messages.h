// Programs of steps with a known structure: blocked Gaussian elimination as a wave over the diagonals
// (Rugina and Schauser 1998, section 5), Cannon's multiplication, a halo exchange on a grid, and the two
// examples of Marinescu, Rice and Vavalis (1990), sections 3.2.1 and 3.2.2.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "machine/block_costs.h"
#include "program/step_program.h"

namespace parcast::generate {

// Which rank has a block.
enum class Layout : std::uint8_t {
    row_cyclic,       // rows of blocks in turn: row i belongs to rank i mod P
    diagonal,         // the blocks of each diagonal in turn, diagonal after diagonal
    block_cyclic_2d,  // rows and columns in turn, on the grid of ranks that is nearest to a square
};
inline constexpr std::array<std::string_view, 3> layout_names = {"row-cyclic", "diagonal", "block-cyclic-2d"};

// What a simple prediction leaves out, the three causes of the paper's errors (section 5.3).
struct BlockEffects {
    // Each rank has a cache of so many bytes: a block that it has not used for longer costs its cold time.
    std::optional<std::uint64_t> cache_bytes = {};
    bool has_copies = false;  // a block that goes to another block of its rank is copied
    bool has_visits = false;  // in each step a rank looks at all of its blocks

    bool any() const { return cache_bytes || has_copies || has_visits; }
};

struct Elimination {
    std::uint32_t size = 960;                  // of the matrix: rows and columns
    std::vector<std::uint32_t> blocks = {48};  // their edges along the diagonal; one: all are as large
    std::uint32_t ranks = 8;
    Layout layout = Layout::row_cyclic;
    BlockCosts costs = usual_block_costs();
    std::uint64_t element_bytes = 8;
    BlockEffects effects = {};
};

// Steps 0 to 3 (blocks - 1): a block is in step i + j + k of elimination k, and then sends itself down and
// right. A message between blocks of one rank is none. Errors: out_of_range (a block that does not divide the
// matrix, with the nearest that do; no ranks; more than most_generated_messages), unasked (effects that the
// costs do not know).
Result<StepProgram> gaussian_elimination(Elimination const& elimination);

struct Cannon {
    std::uint32_t size = 960;  // of the matrices
    std::uint32_t ranks = 16;  // a square
    BlockCosts costs = usual_block_costs();
    std::uint64_t element_bytes = 8;
};
// Multiplies two matrices on a torus of ranks: a step that aligns the blocks, then sqrt(P) that multiply and
// pass them on to the left and up. Errors: out_of_range.
Result<StepProgram> cannon(Cannon const& cannon);

struct Halo {
    std::uint32_t size = 1024;  // points along each side of the square grid
    std::uint32_t ranks = 16;
    std::uint32_t iterations = 100;
    double point_ns = 1;  // to compute a point
    std::uint64_t element_bytes = 8;
};
// A grid of points divided among a grid of ranks; in each iteration ranks compute their points and exchange
// edges with up to four neighbours. Errors: out_of_range.
Result<StepProgram> halo(Halo const& halo);

struct MatrixProduct {
    std::uint32_t size = 12;   // n, of the matrices
    std::uint32_t ranks = 64;  // P = q^3
    double operation_ns = 1;   // a multiplication or an addition of two numbers
    std::uint64_t element_bytes = 8;
};
// Rank (i, j, k), with the number i q^2 + k q + j, reads block A_ij and block B_jk and multiplies them: 2 m^3
// operations, m = n / q. Then the q ranks of each (i, k) add their products in a binary tree. Of the events,
// as the static analysis counts them, there are 5 P - P^(2/3) (3.20 as corrected). The report reads from a
// common memory; here one rank has each block and sends it. Errors: out_of_range (ranks that are no cube, a
// size that q does not divide).
Result<StepProgram> matrix_product(MatrixProduct const& product);

struct BandedLu {
    std::uint32_t size = 1000;  // M, rows of the matrix: an iteration each
    std::uint32_t window = 16;  // m, twice the bandwidth and 1
    std::uint32_t ranks = 16;   // P = q^2
    double operation_ns = 1;
    std::uint64_t element_bytes = 8;
};
// LU decomposition of a banded matrix, whose window of m x m elements is scattered over q x q ranks. Each
// iteration sends the pivot's row down and its column across, q (q - 1) messages each, of m / q elements, and
// does 2 m^2 - 3 m + 2 operations. The report counts one event more a rank and iteration and does not say
// which: here the window slides, and each rank passes its edge of m / q elements to the next. So there are
// M (3 P - 2 sqrt P) + P events (3.36 as corrected). Errors: out_of_range (ranks that are no square, a window
// that q does not divide, more than most_generated_messages).
Result<StepProgram> banded_lu(BandedLu const& decomposition);

struct MessageStructure {
    std::string_view name;
    std::string_view meaning;
};
inline constexpr std::array<MessageStructure, 5> message_structures{{
    {"gaussian-elimination", "blocked elimination, a wave over the diagonals"},
    {"cannon", "multiplication of matrices on a torus of ranks"},
    {"halo", "iterations on a grid whose parts exchange their edges"},
    {"matrix-product", "blocks multiplied on a cube of ranks and added in binary trees"},
    {"banded-lu", "LU decomposition of a banded matrix, its window scattered over ranks"},
}};

inline constexpr std::size_t most_generated_messages = 100'000'000;

}  // namespace parcast::generate
