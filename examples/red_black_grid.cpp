// Laplace's equation on a square grid by red-black over-relaxation: all red points, barrier, all black
// points, barrier. Threads own bands of rows. Every ten sweeps they compare the largest change with a
// tolerance. The boundary is x^2 - y^2, which the five-point stencil continues exactly into the interior.

#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <thread>
#include <vector>

#include "arguments.h"

namespace {

constexpr double tolerance = 1e-10;
constexpr int sweeps_between_checks = 10;

double exact(std::size_t row, std::size_t column, std::size_t side) {
    double const y = static_cast<double>(row) / static_cast<double>(side + 1);
    double const x = static_cast<double>(column) / static_cast<double>(side + 1);
    return x * x - y * y;
}

struct Grid {
    std::size_t side;  // interior points a side
    std::size_t threads;
    double relaxation;            // optimal for the Laplacian on a square
    std::vector<double> points;   // (side + 2)^2 with the boundary
    std::vector<double> changes;  // changes[thread] of the last sweep
    std::vector<double> errors;   // errors[thread] against the exact solution
    pthread_barrier_t barrier;

    Grid(std::size_t interior, std::size_t thread_count)
        : side(interior),
          threads(thread_count),
          relaxation(2 / (1 + std::sin(std::numbers::pi / static_cast<double>(interior + 1)))),
          points((interior + 2) * (interior + 2)),
          changes(thread_count),
          errors(thread_count) {
        pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(thread_count));
        for (std::size_t i = 0; i < side + 2; ++i) {
            set_exactly(i, 0);
            set_exactly(i, side + 1);
            set_exactly(0, i);
            set_exactly(side + 1, i);
        }
    }
    ~Grid() { pthread_barrier_destroy(&barrier); }
    Grid(Grid const&) = delete;
    Grid& operator=(Grid const&) = delete;

    std::size_t first_row(std::size_t thread) const { return 1 + side * thread / threads; }

private:
    void set_exactly(std::size_t row, std::size_t column) {
        points[row * (side + 2) + column] = exact(row, column, side);
    }
};

// Relaxes the points of one colour in a band of rows; returns the largest change.
double relax(Grid& grid, std::size_t begin, std::size_t end, std::size_t colour) {
    std::size_t const width = grid.side + 2;
    double largest = 0;
    for (std::size_t row = begin; row < end; ++row) {
        double* const here = &grid.points[row * width];
        for (std::size_t column = 1 + (row + colour) % 2; column <= grid.side; column += 2) {
            double const mean =
                (here[column - 1] + here[column + 1] + here[column - width] + here[column + width]) / 4;
            double const change = grid.relaxation * (mean - here[column]);
            here[column] += change;
            largest = std::max(largest, std::abs(change));
        }
    }
    return largest;
}

double error_of(Grid const& grid, std::size_t begin, std::size_t end) {
    double largest = 0;
    for (std::size_t row = begin; row < end; ++row) {
        for (std::size_t column = 1; column <= grid.side; ++column) {
            double const value = grid.points[row * (grid.side + 2) + column];
            largest = std::max(largest, std::abs(value - exact(row, column, grid.side)));
        }
    }
    return largest;
}

void solve_as(Grid& grid, std::size_t self) {
    std::size_t const begin = grid.first_row(self);
    std::size_t const end = grid.first_row(self + 1);
    double largest = 1;
    while (largest > tolerance) {
        for (int sweep = 0; sweep < sweeps_between_checks; ++sweep) {
            double const red = relax(grid, begin, end, 0);
            pthread_barrier_wait(&grid.barrier);
            double const black = relax(grid, begin, end, 1);
            grid.changes[self] = std::max(red, black);
            pthread_barrier_wait(&grid.barrier);
        }
        largest = *std::ranges::max_element(grid.changes);
        pthread_barrier_wait(&grid.barrier);  // nobody overwrites a change that another has yet to read
    }
    grid.errors[self] = error_of(grid, begin, end);
}

}  // namespace

int main(int argc, char** argv) {
    Argument arguments[] = {
        {"threads", "threads", 8, 1, 1024},
        {"side", "points a side of the square", 400, 8, 20000},
    };
    read_arguments(argc, argv, "Red-black over-relaxation on a grid, with barriers.", arguments, 2);
    Grid grid(static_cast<std::size_t>(arguments[1].value), static_cast<std::size_t>(arguments[0].value));
    {
        std::vector<std::jthread> team;
        for (std::size_t self = 0; self < grid.threads; ++self)
            team.emplace_back([&grid, self] { solve_as(grid, self); });
    }
    bool const is_right = *std::ranges::max_element(grid.errors) < 1e-6;
    std::printf("Laplace's equation on %zu x %zu points, %zu threads: %s\n", grid.side, grid.side,
                grid.threads, is_right ? "the exact solution" : "WRONG");
    return is_right ? 0 : 1;
}
