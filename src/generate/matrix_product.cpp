#include <cmath>
#include <string>
#include <vector>

#include "generate/messages.h"
#include "generate/steps_of_ranks.h"

namespace parcast::generate {

namespace {

class ProductOnCube {
public:
    ProductOnCube(MatrixProduct const& product, std::uint32_t side)
        : product_(product),
          side_(side),
          edge_(product.size / side),
          steps_("matrix-product", product.ranks, product.operation_ns) {}

    StepProgram run() {
        read_blocks();
        double const edge = edge_;
        multiply(2 * edge * edge * edge);
        return steps_.finish(
            {"Each multiplication and each addition takes " + std::to_string(product_.operation_ns) + " ns.",
             "Each block is on one rank, which sends it to those that need it: the report reads from a "
             "common "
             "memory."});
    }

private:
    // l(i, j, k) of (3.18), from 0 on.
    std::uint32_t rank_of(std::uint32_t i, std::uint32_t j, std::uint32_t k) const {
        return i * side_ * side_ + k * side_ + j;
    }

    // A block is on a rank that does not read it itself, so that every rank has two blocks to wait for.
    void read_blocks() {
        steps_.compute(std::vector<double>(product_.ranks, 0));
        for (std::uint32_t i = 0; side_ > 1 && i < side_; ++i)
            for (std::uint32_t j = 0; j < side_; ++j)
                for (std::uint32_t k = 0; k < side_; ++k) {
                    auto const reader = rank_of(i, j, k);
                    send(rank_of((i + 1) % side_, j, i), reader);
                    send(rank_of(j, j, (k + 1) % side_), reader);
                }
        steps_.end_step();
    }

    // All ranks multiply, then those of each (i, k) add: in round r every 2^(r+1)-th takes over the sum of
    // the rank 2^r after it. What has been received is added in the next step.
    void multiply(double operations) {
        std::vector<double> operations_of(product_.ranks, operations);
        for (std::uint32_t apart = 1;; apart *= 2) {
            steps_.compute(operations_of);
            operations_of.assign(product_.ranks, 0);
            for (std::uint32_t i = 0; i < side_; ++i)
                for (std::uint32_t k = 0; k < side_; ++k)
                    for (std::uint32_t j = 0; j + apart < side_; j += 2 * apart) {
                        send(rank_of(i, j + apart, k), rank_of(i, j, k));
                        operations_of[rank_of(i, j, k)] = double{1} * edge_ * edge_;
                    }
            steps_.end_step();
            if (apart >= side_)
                return;
        }
    }

    void send(std::uint32_t from, std::uint32_t to) {
        steps_.send(from, to, std::uint64_t{edge_} * edge_ * product_.element_bytes);
    }

    MatrixProduct const& product_;
    std::uint32_t side_;
    std::uint32_t edge_;
    StepsOfRanks steps_;
};

}  // namespace

Result<StepProgram> matrix_product(MatrixProduct const& product) {
    auto const side = static_cast<std::uint32_t>(std::lround(std::cbrt(product.ranks)));
    if (product.ranks == 0 || product.ranks > most_ranks || side * side * side != product.ranks)
        return fail(ErrorCode::out_of_range, "this product needs a cube of ranks, such as 8, 27 or 64, not " +
                                                 std::to_string(product.ranks));
    if (product.size == 0 || product.size % side != 0)
        return fail(ErrorCode::out_of_range, "a matrix of " + std::to_string(product.size) +
                                                 " is not divided into " + std::to_string(side) + " x " +
                                                 std::to_string(side) + " blocks; take a multiple of " +
                                                 std::to_string(side));
    return ProductOnCube(product, side).run();
}

}  // namespace parcast::generate
