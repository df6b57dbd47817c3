#include "generate/messages.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/bytes_text.h"
#include "core/counted.h"
#include "core/listed.h"
#include "generate/block_cache.h"

namespace parcast::generate {

namespace {

// The factor pair of the ranks that is nearest to a square: rows x columns, rows <= columns.
std::uint32_t grid_rows(std::uint32_t ranks) {
    std::uint32_t rows = 1;
    for (std::uint32_t each = 1; each <= ranks / each; ++each)
        if (ranks % each == 0)
            rows = each;
    return rows;
}

// The edges that divide the size, next to the one that does not.
std::string nearest_divisors(std::uint32_t size, std::uint32_t edge) {
    std::uint32_t below = 0;
    std::uint32_t above = 0;
    for (std::uint32_t each = 1; each <= size; ++each) {
        if (size % each != 0)
            continue;
        if (each < edge)
            below = each;
        else if (above == 0)
            above = each;
    }
    if (below == 0 || above == 0)
        return std::to_string(below == 0 ? above : below);
    return std::to_string(below) + " and " + std::to_string(above);
}

Result<std::vector<std::uint32_t>> edges_of(Elimination const& elimination) {
    auto const& blocks = elimination.blocks;
    if (blocks.empty() || std::ranges::count(blocks, 0U) > 0)
        return fail(ErrorCode::out_of_range, "a block has at least one row");
    if (blocks.size() == 1) {
        auto const edge = blocks.front();
        if (elimination.size % edge != 0)
            return fail(ErrorCode::out_of_range,
                        "blocks of " + std::to_string(edge) + " do not divide a matrix of " +
                            std::to_string(elimination.size) + "; the nearest that do are " +
                            nearest_divisors(elimination.size, edge));
        return std::vector<std::uint32_t>(elimination.size / edge, edge);
    }
    auto const sum = std::accumulate(blocks.begin(), blocks.end(), std::uint64_t{0});
    if (sum != elimination.size)
        return fail(ErrorCode::out_of_range, "the blocks have " + std::to_string(sum) +
                                                 " rows in all, and the matrix has " +
                                                 std::to_string(elimination.size));
    return blocks;
}

class Owners {
public:
    Owners(std::uint32_t blocks, std::uint32_t ranks, Layout layout)
        : blocks_(blocks), ranks_(ranks), layout_(layout), rows_(grid_rows(ranks)) {}

    std::uint32_t of(std::uint32_t row, std::uint32_t column) const {
        switch (layout_) {
            case Layout::row_cyclic: return row % ranks_;
            case Layout::diagonal: return static_cast<std::uint32_t>(diagonal_number(row, column) % ranks_);
            case Layout::block_cyclic_2d: break;
        }
        auto const columns = ranks_ / rows_;
        return row % rows_ * columns + column % columns;
    }

private:
    // Blocks are numbered diagonal by diagonal, within one by rising row.
    std::uint64_t diagonal_number(std::uint64_t row, std::uint64_t column) const {
        std::uint64_t const n = blocks_;
        auto const diagonal = row + column;
        if (diagonal < n)
            return diagonal * (diagonal + 1) / 2 + row;
        auto const after = 2 * n - 1 - diagonal;  // diagonals from this one on
        return n * n - after * (after + 1) / 2 + row - (diagonal - n + 1);
    }

    std::uint32_t blocks_;
    std::uint32_t ranks_;
    Layout layout_;
    std::uint32_t rows_;
};

double mean_edge(double a, double b, double c) {
    return std::cbrt(a * b * c);
}

class EliminationWave {
public:
    EliminationWave(Elimination const& elimination, std::vector<std::uint32_t> edges)
        : elimination_(elimination),
          edges_(std::move(edges)),
          blocks_(static_cast<std::uint32_t>(edges_.size())),
          owners_(blocks_, elimination.ranks, elimination.layout) {
        program_.name = "gaussian-elimination";
        program_.ranks = elimination.ranks;
        if (elimination.effects.cache_bytes)
            caches_.assign(elimination.ranks, BlockCache(*elimination.effects.cache_bytes));
        if (elimination.effects.has_visits)
            visits_ns_ = visits_of_ranks();
    }

    StepProgram generate() {
        auto const last = 3 * (blocks_ - 1);
        program_.compute_ns.reserve(std::size_t{last + 1} * program_.ranks);
        for (std::uint32_t step = 0; step <= last; ++step) {
            if (visits_ns_.empty())
                compute_.assign(program_.ranks, 0);
            else
                compute_ = visits_ns_;
            for (std::uint32_t k = 0; k <= step && k < blocks_; ++k)
                diagonal_of(step - k, k);
            for (double const ns : compute_)
                program_.compute_ns.push_back(std::llround(ns));
            program_.first_message.push_back(program_.messages.size());
        }
        return std::move(program_);
    }

private:
    // The blocks (i, j) with i + j = diagonal of elimination k.
    void diagonal_of(std::uint32_t diagonal, std::uint32_t k) {
        if (diagonal < 2 * k || diagonal > 2 * (blocks_ - 1))
            return;
        auto const first = std::max(k, diagonal >= blocks_ ? diagonal - blocks_ + 1 : 0);
        auto const last = std::min(diagonal - k, blocks_ - 1);
        for (auto row = first; row <= last; ++row)
            task(row, diagonal - row, k);
    }

    void task(std::uint32_t row, std::uint32_t column, std::uint32_t k) {
        auto const owner = owners_.of(row, column);
        double const pivot = edges_[k];
        auto const kind = row == k ? (column == k ? 0U : 2U) : (column == k ? 1U : 3U);
        auto const edge = mean_edge(edges_[row], edges_[column], pivot);
        auto ns = elimination_.costs.of(kind, edge);
        if (!caches_.empty())
            ns += share_from_memory(owner, row, column, k) *
                  std::max(0.0, elimination_.costs.of(kind, edge, true) - ns);
        compute_[owner] += ns;
        // Down goes what the column needs of the pivot's row, to the right what the row needs of its column.
        if (row + 1 < blocks_)
            send(owner, row, column, owners_.of(row + 1, column), {k, column});
        if (column + 1 < blocks_)
            send(owner, row, column, owners_.of(row, column + 1), {row, k});
    }

    struct Block {
        std::uint32_t row;
        std::uint32_t column;
    };

    std::uint64_t bytes_of(Block block) const {
        return std::uint64_t{edges_[block.row]} * edges_[block.column] * elimination_.element_bytes;
    }

    bool uses(std::uint32_t rank, Block block) {
        return caches_[rank].use(std::uint64_t{block.row} * blocks_ + block.column, bytes_of(block));
    }

    // The share of the bytes of an operation that is not in its rank's cache.
    double share_from_memory(std::uint32_t rank, std::uint32_t row, std::uint32_t column, std::uint32_t k) {
        std::uint64_t all = 0;
        std::uint64_t missing = 0;
        auto const use = [&](Block block) {
            auto const bytes = bytes_of(block);
            all += bytes;
            missing += uses(rank, block) ? 0 : bytes;
        };
        use({row, column});
        if (column > k)
            use({row, k});
        if (row > k)
            use({k, column});
        return static_cast<double>(missing) / static_cast<double>(all);
    }

    void send(std::uint32_t from, std::uint32_t row, std::uint32_t column, std::uint32_t to, Block content) {
        auto const bytes = bytes_of({row, column});
        if (from != to) {
            program_.messages.push_back({from, to, bytes});
            if (!caches_.empty())
                uses(to, content);  // what has just been received is in the cache
        } else if (elimination_.effects.has_copies) {
            compute_[from] += static_cast<double>(bytes) * *elimination_.costs.copy_ns_per_byte;
        }
    }

    std::vector<double> visits_of_ranks() const {
        std::vector<double> visits(program_.ranks);
        for (std::uint32_t row = 0; row < blocks_; ++row)
            for (std::uint32_t column = 0; column < blocks_; ++column)
                visits[owners_.of(row, column)] += *elimination_.costs.visit_ns;
        return visits;
    }

    Elimination const& elimination_;
    std::vector<std::uint32_t> edges_;
    std::uint32_t blocks_;
    Owners owners_;
    std::vector<double> compute_;     // of the step, by rank
    std::vector<BlockCache> caches_;  // by rank; empty: not asked for
    std::vector<double> visits_ns_;   // of a step, by rank; empty: not asked for
    StepProgram program_;
};

std::string assumption_of(BlockCosts const& costs) {
    return costs.source.empty()
               ? "An operation on blocks of b x b takes b^3 ns: a multiplication and addition a nanosecond. "
                 "Measure yours: parcast calibrate --kernels gaussian-elimination."
               : "Operations on blocks take what " + costs.source +
                     " says, between its sizes by a power law.";
}

// What of the three is left out, and what is in.
void add_effects(std::vector<std::string>& assumptions, Elimination const& elimination) {
    auto const& effects = elimination.effects;
    std::vector<std::string> left_out;
    if (effects.cache_bytes)
        assumptions.push_back("Each rank has a cache of " + bytes_text(*effects.cache_bytes) +
                              ". An operation takes its cold time as far as its blocks are not among "
                              "those that the rank used last.");
    else
        left_out.emplace_back("caches");
    if (effects.has_copies)
        assumptions.emplace_back(
            "A block that goes to another block of its rank is copied, which counts as computing.");
    else
        left_out.emplace_back("copies between blocks of one rank");
    if (effects.has_visits)
        assumptions.emplace_back("In each step a rank passes over all of its blocks.");
    else
        left_out.emplace_back("the loop over the blocks of a rank");
    if (!left_out.empty())
        assumptions.push_back("Left out: " + listed(left_out, " and ") + ".");
}

Result<void> check_effects(Elimination const& elimination) {
    auto const& [cache_bytes, has_copies, has_visits] = elimination.effects;
    auto const& costs = elimination.costs;
    for (auto const& [is_asked, is_known, what] :
         {std::tuple{cache_bytes.has_value(), costs.has_cold(), "how long operations take from memory"},
          std::tuple{has_copies, costs.copy_ns_per_byte.has_value(), "what it takes to copy a block"},
          std::tuple{has_visits, costs.visit_ns.has_value(), "what it takes to pass over a block"}})
        if (is_asked && !is_known)
            return fail(make_error(ErrorCode::unasked,
                                   std::string(costs.source.empty() ? "the usual costs" : costs.source) +
                                       (costs.source.empty() ? " do not say " : " does not say ") + what,
                                   "Measure it: parcast calibrate --kernels gaussian-elimination -o "
                                   "costs.toml, then add --costs costs.toml"));
    return {};
}

Result<void> check_ranks(std::uint32_t ranks) {
    return ranks == 0 || ranks > most_ranks
               ? Result<void>(fail(ErrorCode::out_of_range, "there are 1 to 16777216 ranks"))
               : Result<void>();
}

}  // namespace

Result<StepProgram> gaussian_elimination(Elimination const& elimination) {
    if (auto const checked = check_ranks(elimination.ranks); !checked)
        return pass_on(checked);
    if (auto const checked = check_effects(elimination); !checked)
        return pass_on(checked);
    auto edges = edges_of(elimination);
    if (!edges)
        return pass_on(edges);
    double const blocks = static_cast<double>(edges->size());
    double const tasks = blocks * (blocks + 1) * (2 * blocks + 1) / 6;
    double const rows = 3 * blocks * elimination.ranks;
    if (2 * tasks > most_generated_messages || rows > most_generated_messages)
        return fail(ErrorCode::out_of_range,
                    counted(static_cast<std::int64_t>(edges->size()), "row") +
                        " of blocks make more than 100 million messages or times; take larger blocks");
    bool const is_even = std::ranges::all_of(*edges, [&](auto each) { return each == edges->front(); });
    auto program = EliminationWave(elimination, std::move(*edges)).generate();
    program.assumptions.push_back(assumption_of(elimination.costs));
    if (!is_even)
        program.assumptions.emplace_back(
            "A block that is not square takes as long as a square one with as many multiplications.");
    add_effects(program.assumptions, elimination);
    return program;
}

Result<StepProgram> cannon(Cannon const& cannon) {
    if (auto const checked = check_ranks(cannon.ranks); !checked)
        return pass_on(checked);
    auto const side = static_cast<std::uint32_t>(std::lround(std::sqrt(cannon.ranks)));
    if (side * side != cannon.ranks)
        return fail(ErrorCode::out_of_range, "Cannon's algorithm needs a square number of ranks, such as " +
                                                 std::to_string(std::max(1U, side * side)) + " or " +
                                                 std::to_string((side + 1) * (side + 1)));
    if (cannon.size == 0 || cannon.size % side != 0)
        return fail(ErrorCode::out_of_range, "a matrix of " + std::to_string(cannon.size) +
                                                 " is not divided among " + std::to_string(side) + " x " +
                                                 std::to_string(side) + " ranks; take a multiple of " +
                                                 std::to_string(side));
    double const edge = cannon.size / side;
    auto const bytes = static_cast<std::uint64_t>(edge * edge) * cannon.element_bytes;
    StepProgram program;
    program.name = "cannon";
    program.ranks = cannon.ranks;
    auto const rank_at = [&](std::uint32_t row, std::uint32_t column) {
        return row % side * side + column % side;
    };
    // A block of A goes `left` columns on, one of B `up` rows; who stays does not send.
    auto const pass = [&](std::uint32_t row, std::uint32_t column, std::uint32_t left, std::uint32_t up) {
        auto const from = rank_at(row, column);
        for (auto const to : {rank_at(row, column + side - left), rank_at(row + side - up, column)})
            if (to != from)
                program.messages.push_back({from, to, bytes});
    };
    auto const step = [&](double compute_ns, auto const& send) {
        program.compute_ns.insert(program.compute_ns.end(), cannon.ranks, std::llround(compute_ns));
        for (std::uint32_t row = 0; row < side; ++row)
            for (std::uint32_t column = 0; column < side; ++column)
                send(row, column);
        program.first_message.push_back(program.messages.size());
    };
    step(0, [&](std::uint32_t row, std::uint32_t column) { pass(row, column, row, column); });
    for (std::uint32_t i = 0; i < side; ++i)
        step(cannon.costs.of(3, edge), [&](std::uint32_t row, std::uint32_t column) {
            if (i + 1 < side)
                pass(row, column, 1, 1);
        });
    program.assumptions.push_back(assumption_of(cannon.costs));
    return program;
}

Result<StepProgram> halo(Halo const& halo) {
    if (auto const checked = check_ranks(halo.ranks); !checked)
        return pass_on(checked);
    auto const rows = grid_rows(halo.ranks);
    auto const columns = halo.ranks / rows;
    if (halo.size < columns)
        return fail(ErrorCode::out_of_range, "a grid of " + std::to_string(halo.size) + " x " +
                                                 std::to_string(halo.size) +
                                                 " points has no part for each of " + std::to_string(rows) +
                                                 " x " + std::to_string(columns) + " ranks");
    if (4.0 * halo.ranks * halo.iterations > most_generated_messages)
        return fail(ErrorCode::out_of_range,
                    "more than 100 million messages; take fewer iterations or ranks");
    StepProgram program;
    program.name = "halo";
    program.ranks = halo.ranks;
    // What does not divide evenly goes to the first rows and columns.
    auto const part = [&](std::uint32_t parts, std::uint32_t which) {
        return halo.size / parts + (which < halo.size % parts ? 1 : 0);
    };
    for (std::uint32_t i = 0; i < halo.iterations; ++i) {
        for (std::uint32_t rank = 0; rank < halo.ranks; ++rank) {
            auto const row = rank / columns;
            auto const column = rank % columns;
            double const high = part(rows, row);
            double const wide = part(columns, column);
            program.compute_ns.push_back(std::llround(high * wide * halo.point_ns));
            auto const send = [&](bool is_there, std::uint32_t to, double points) {
                if (is_there)
                    program.messages.push_back(
                        {rank, to, static_cast<std::uint64_t>(points) * halo.element_bytes});
            };
            send(row > 0, rank - columns, wide);
            send(row + 1 < rows, rank + columns, wide);
            send(column > 0, rank - 1, high);
            send(column + 1 < columns, rank + 1, high);
        }
        program.first_message.push_back(program.messages.size());
    }
    return program;
}

}  // namespace parcast::generate
