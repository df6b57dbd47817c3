// The operations that are timed are those of an elimination: a matrix that was eliminated block by block is
// the product of its factors.

#include "calibrate/block_kernels.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace parcast::calibrate {
namespace {

using Block = std::vector<double>;

// Its diagonal is larger than its rows, so that it needs no pivoting.
double element(std::size_t row, std::size_t column, std::size_t size) {
    return (row == column ? static_cast<double>(size) : 0) +
           std::sin(static_cast<double>(row * size + column));
}

TEST(BlockKernels, EliminateAMatrixBlockByBlock) {
    constexpr std::size_t edge = 7;
    constexpr std::size_t blocks = 4;
    constexpr std::size_t size = edge * blocks;
    std::vector<std::vector<Block>> a(blocks, std::vector<Block>(blocks, Block(edge * edge)));
    for (std::size_t row = 0; row < size; ++row)
        for (std::size_t column = 0; column < size; ++column)
            a[row / edge][column / edge][row % edge * edge + column % edge] = element(row, column, size);
    for (std::size_t k = 0; k < blocks; ++k) {
        Block factors(edge * edge);
        Block lower_inverse(edge * edge);
        Block upper_inverse(edge * edge);
        factorise(a[k][k].data(), factors.data(), lower_inverse.data(), upper_inverse.data(), edge);
        a[k][k] = factors;
        for (std::size_t i = k + 1; i < blocks; ++i) {
            Block product(edge * edge);
            multiply_by_upper(a[i][k].data(), upper_inverse.data(), product.data(), edge);
            EXPECT_EQ(a[i][k], Block(edge * edge)) << "what was eliminated is 0";
            a[i][k] = product;
        }
        for (std::size_t j = k + 1; j < blocks; ++j) {
            Block product(edge * edge);
            multiply_by_lower(lower_inverse.data(), a[k][j].data(), product.data(), edge);
            a[k][j] = product;
        }
        for (std::size_t i = k + 1; i < blocks; ++i)
            for (std::size_t j = k + 1; j < blocks; ++j)
                subtract_product(a[i][j].data(), a[i][k].data(), a[k][j].data(), edge);
    }
    auto const factor = [&](std::size_t row, std::size_t column) {
        return a[row / edge][column / edge][row % edge * edge + column % edge];
    };
    for (std::size_t row = 0; row < size; ++row)
        for (std::size_t column = 0; column < size; ++column) {
            double sum = row <= column ? factor(row, column) : 0;  // the diagonal of L is 1
            for (std::size_t k = 0; k < row && k <= column; ++k)
                sum += factor(row, k) * factor(k, column);
            EXPECT_NEAR(sum, element(row, column, size), 1e-9) << row << ", " << column;
        }
}

}  // namespace
}  // namespace parcast::calibrate
