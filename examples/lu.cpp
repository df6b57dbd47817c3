// LU factorisation of a dense matrix without pivoting, in square blocks that are stored contiguously and
// dealt to the threads in a two-dimensional pattern. Each step factors a diagonal block (one thread), then
// the blocks below and right of it, then updates the rest; pthread barriers separate the three phases.
// The method of SPLASH-2's LU (Woo et al. 1995). The end of the matrix keeps few threads busy.

#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

#include "arguments.h"
#include "work.h"

namespace {

class BlockedMatrix {
public:
    BlockedMatrix(std::size_t blocks, std::size_t block_size)
        : blocks_(blocks), block_size_(block_size), elements_(blocks * blocks * block_size * block_size) {}

    std::size_t blocks() const { return blocks_; }
    std::size_t block_size() const { return block_size_; }
    std::size_t order() const { return blocks_ * block_size_; }
    double* block(std::size_t row, std::size_t column) {
        return elements_.data() + (row * blocks_ + column) * block_size_ * block_size_;
    }
    double& at(std::size_t row, std::size_t column) {
        return block(row / block_size_,
                     column / block_size_)[row % block_size_ * block_size_ + column % block_size_];
    }

private:
    std::size_t blocks_;
    std::size_t block_size_;
    std::vector<double> elements_;
};

// In place: diagonal = L * U.
void factor(double* diagonal, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = k + 1; i < n; ++i) {
            double const factor = diagonal[i * n + k] /= diagonal[k * n + k];
            for (std::size_t j = k + 1; j < n; ++j)
                diagonal[i * n + j] -= factor * diagonal[k * n + j];
        }
    }
}

// right := L^-1 * right.
void solve_right(double const* diagonal, double* right, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = k + 1; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                right[i * n + j] -= diagonal[i * n + k] * right[k * n + j];
    }
}

// below := below * U^-1.
void solve_below(double const* diagonal, double* below, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) {
            double const factor = below[i * n + k] /= diagonal[k * n + k];
            for (std::size_t j = k + 1; j < n; ++j)
                below[i * n + j] -= factor * diagonal[k * n + j];
        }
    }
}

// target -= below * right.
void update(double const* below, double const* right, double* target, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j)
                target[i * n + j] -= below[i * n + k] * right[k * n + j];
    }
}

// Threads form a grid of rows * columns, as square as their number allows.
struct ThreadGrid {
    std::size_t rows = 1;
    std::size_t columns = 1;

    explicit ThreadGrid(std::size_t threads) {
        for (std::size_t divisor = 1; divisor * divisor <= threads; ++divisor)
            if (threads % divisor == 0)
                rows = divisor;
        columns = threads / rows;
    }
    std::size_t owner(std::size_t row, std::size_t column) const {
        return row % rows * columns + column % columns;
    }
};

void factor_as(std::size_t self, ThreadGrid const& grid, BlockedMatrix& matrix, pthread_barrier_t& barrier) {
    std::size_t const n = matrix.block_size();
    std::size_t const blocks = matrix.blocks();
    for (std::size_t k = 0; k < blocks; ++k) {
        if (grid.owner(k, k) == self)
            factor(matrix.block(k, k), n);
        pthread_barrier_wait(&barrier);
        for (std::size_t i = k + 1; i < blocks; ++i) {
            if (grid.owner(k, i) == self)
                solve_right(matrix.block(k, k), matrix.block(k, i), n);
            if (grid.owner(i, k) == self)
                solve_below(matrix.block(k, k), matrix.block(i, k), n);
        }
        pthread_barrier_wait(&barrier);
        for (std::size_t i = k + 1; i < blocks; ++i) {
            for (std::size_t j = k + 1; j < blocks; ++j)
                if (grid.owner(i, j) == self)
                    update(matrix.block(i, k), matrix.block(k, j), matrix.block(i, j), n);
        }
        pthread_barrier_wait(&barrier);
    }
}

// Diagonally dominant, so that no pivoting is needed. Returns the row sums: the right side of A * 1 = b.
std::vector<double> fill(BlockedMatrix& matrix) {
    std::size_t const order = matrix.order();
    std::vector<double> row_sums(order);
    std::uint64_t state = 0;
    for (std::size_t i = 0; i < order; ++i) {
        for (std::size_t j = 0; j < order; ++j) {
            state = work(state, 1);
            matrix.at(i, j) =
                static_cast<double>(state >> 11) * 0x1p-53 + (i == j ? static_cast<double>(order) : 0);
            row_sums[i] += matrix.at(i, j);
        }
    }
    return row_sums;
}

// Solves L * U * x = b and returns the largest |x - 1|.
double largest_error(BlockedMatrix& matrix, std::vector<double> x) {
    std::size_t const order = matrix.order();
    for (std::size_t i = 0; i < order; ++i)
        for (std::size_t j = 0; j < i; ++j)
            x[i] -= matrix.at(i, j) * x[j];
    double error = 0;
    for (std::size_t i = order; i-- > 0;) {
        for (std::size_t j = i + 1; j < order; ++j)
            x[i] -= matrix.at(i, j) * x[j];
        x[i] /= matrix.at(i, i);
        error = std::max(error, std::abs(x[i] - 1));
    }
    return error;
}

}  // namespace

int main(int argc, char** argv) {
    Argument arguments[] = {
        {"threads", "threads", 8, 1, 1024},
        {"order", "rows of the matrix, a multiple of 16", 1792, 16, 16384},
    };
    read_arguments(argc, argv, "Blocked LU factorisation with barriers.", arguments, 2);
    constexpr std::size_t block_size = 16;
    auto const threads = static_cast<std::size_t>(arguments[0].value);
    BlockedMatrix matrix(static_cast<std::size_t>(arguments[1].value) / block_size, block_size);
    std::vector<double> const row_sums = fill(matrix);

    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(threads));
    ThreadGrid const grid(threads);
    {
        std::vector<std::jthread> team;
        for (std::size_t self = 0; self < threads; ++self)
            team.emplace_back([&, self] { factor_as(self, grid, matrix, barrier); });
    }
    pthread_barrier_destroy(&barrier);

    double const error = largest_error(matrix, row_sums);
    bool const is_right = error < 1e-9;  // rounding: order * epsilon * a small growth factor
    std::printf("LU of a matrix of order %zu, %zu threads: %s\n", matrix.order(), threads,
                is_right ? "solves the system" : "WRONG");
    return is_right ? 0 : 1;
}
