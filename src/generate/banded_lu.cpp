#include <cmath>
#include <string>

#include "generate/messages.h"
#include "generate/steps_of_ranks.h"

namespace parcast::generate {

namespace {

class SlidingWindow {
public:
    SlidingWindow(BandedLu const& decomposition, std::uint32_t side)
        : decomposition_(decomposition),
          side_(side),
          part_(decomposition.window / side),
          steps_("banded-lu", decomposition.ranks, decomposition.operation_ns) {}

    StepProgram run() {
        for (std::uint32_t iteration = 0; iteration < decomposition_.size; ++iteration)
            iterate();
        return steps_.finish(
            {"Each arithmetic operation takes " + std::to_string(decomposition_.operation_ns) + " ns.",
             "The window slides by a row and a column an iteration: each rank passes its edge to the next.",
             "Without pivoting; the end of the matrix, where the window shrinks, is left out."});
    }

private:
    void iterate() {
        add_step([&](std::uint32_t row, std::uint32_t column) {  // the pivot's inverse
            return row == 0 && column == 0 ? 1.0 : 0.0;
        });
        // Row k of the window is on the ranks of the first row: it goes down.
        for (std::uint32_t column = 0; column < side_; ++column)
            for (std::uint32_t row = 1; row < side_; ++row)
                send(column, row * side_ + column);
        steps_.end_step();
        // Its column is divided by the pivot, and goes across.
        add_step([&](std::uint32_t row, std::uint32_t column) { return column == 0 ? elements(row) : 0.0; });
        for (std::uint32_t row = 0; row < side_; ++row)
            for (std::uint32_t column = 1; column < side_; ++column)
                send(row * side_, row * side_ + column);
        steps_.end_step();
        add_step(
            [&](std::uint32_t row, std::uint32_t column) { return 2 * elements(row) * elements(column); });
        for (std::uint32_t rank = 0; side_ > 1 && rank < decomposition_.ranks; ++rank)
            send(rank, (rank + 1) % decomposition_.ranks);
        steps_.end_step();
    }

    // There are m - 1 rows, or columns, beside the pivot's: those of the first ranks lack one.
    double elements(std::uint32_t place) const { return part_ - (place == 0 ? 1.0 : 0.0); }

    void add_step(auto const& operations) {
        for (std::uint32_t row = 0; row < side_; ++row)
            for (std::uint32_t column = 0; column < side_; ++column)
                steps_.compute(operations(row, column));
    }

    void send(std::uint32_t from, std::uint32_t to) {
        steps_.send(from, to, std::uint64_t{part_} * decomposition_.element_bytes);
    }

    BandedLu const& decomposition_;
    std::uint32_t side_;
    std::uint32_t part_;  // rows, and columns, of the window that a rank has
    StepsOfRanks steps_;
};

}  // namespace

Result<StepProgram> banded_lu(BandedLu const& decomposition) {
    auto const side = static_cast<std::uint32_t>(std::lround(std::sqrt(decomposition.ranks)));
    if (decomposition.ranks == 0 || decomposition.ranks > most_ranks || side * side != decomposition.ranks)
        return fail(ErrorCode::out_of_range,
                    "this decomposition needs a square number of ranks, such as 4, 9 or 16, not " +
                        std::to_string(decomposition.ranks));
    if (decomposition.window == 0 || decomposition.window % side != 0)
        return fail(ErrorCode::out_of_range, "a window of " + std::to_string(decomposition.window) +
                                                 " is not divided among " + std::to_string(side) + " x " +
                                                 std::to_string(side) + " ranks; take a multiple of " +
                                                 std::to_string(side));
    if (3.0 * decomposition.ranks * decomposition.size > most_generated_messages)
        return fail(ErrorCode::out_of_range,
                    "more than 100 million messages; take a smaller matrix or fewer ranks");
    return SlidingWindow(decomposition, side).run();
}

}  // namespace parcast::generate
