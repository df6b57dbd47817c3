// Fourier transform of n = m * m points in six steps (Bailey 1990): transpose, transform the rows, multiply
// by roots of unity, transpose, transform the rows, transpose. Threads own bands of rows; std::barrier, which
// waits by futex, separates the steps. Transposing moves every point across all bands: little work, much
// memory.

#include <algorithm>
#include <barrier>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <thread>
#include <vector>

#include "arguments.h"

namespace {

using Complex = std::complex<double>;

// exp(-2 pi i numerator / denominator)
Complex root_of_unity(std::size_t numerator, std::size_t denominator) {
    return std::polar(
        1.0, -2 * std::numbers::pi * static_cast<double>(numerator) / static_cast<double>(denominator));
}

// The input is a sum of pure tones, so that the transform is known: amplitude * n at the frequency of a tone,
// 0 elsewhere.
struct Tone {
    std::size_t frequency;
    double amplitude;
};

struct Transform {
    std::size_t m;
    std::size_t threads;
    std::vector<Tone> tones;
    std::vector<Complex> roots;                // roots[j] = exp(-2 pi i j / m)
    std::vector<std::vector<Complex>> points;  // points[row][column]; each thread makes the rows of its band
    std::vector<std::vector<Complex>> other;
    std::vector<double> errors;  // errors[thread]: largest distance from the known transform
    std::barrier<> barrier;

    Transform(std::size_t side, std::size_t thread_count)
        : m(side),
          threads(thread_count),
          tones{{1, 1.0}, {m + 1, 0.5}, {m * m / 2 + 3, 0.25}},
          points(m),
          other(m),
          errors(thread_count),
          barrier(static_cast<std::ptrdiff_t>(thread_count)) {
        for (std::size_t j = 0; j < m; ++j)
            roots.push_back(root_of_unity(j, m));
    }
    std::size_t first_row(std::size_t thread) const { return m * thread / threads; }
};

void fill_rows(Transform& t, std::size_t begin, std::size_t end) {
    std::size_t const n = t.m * t.m;
    for (std::size_t row = begin; row < end; ++row) {
        t.points[row].resize(t.m);
        t.other[row].resize(t.m);
    }
    for (Tone const& tone : t.tones) {
        Complex const turn = std::conj(root_of_unity(tone.frequency, n));
        for (std::size_t row = begin; row < end; ++row) {
            // Starting afresh in every row keeps the rounding of the recurrence small.
            Complex value = tone.amplitude * std::conj(root_of_unity(tone.frequency * row * t.m % n, n));
            for (std::size_t column = 0; column < t.m; ++column, value *= turn)
                t.points[row][column] += value;
        }
    }
}

// other := transpose of points, rows begin to end of `other`, in tiles that fit the cache.
void transpose_rows(Transform& t, std::size_t begin, std::size_t end) {
    constexpr std::size_t tile = 16;
    for (std::size_t left = 0; left < t.m; left += tile) {
        for (std::size_t row = begin; row < end; ++row)
            for (std::size_t column = left; column < std::min(left + tile, t.m); ++column)
                t.other[row][column] = t.points[column][row];
    }
}

// In-place transform of one row of m points, radix 2.
void transform_row(std::vector<Complex>& row, std::vector<Complex> const& roots) {
    std::size_t const m = row.size();
    for (std::size_t i = 1, reversed = 0; i < m; ++i) {
        std::size_t bit = m >> 1;
        for (; reversed & bit; bit >>= 1)
            reversed ^= bit;
        reversed ^= bit;
        if (i < reversed)
            std::swap(row[i], row[reversed]);
    }
    for (std::size_t half = 1; half < m; half *= 2) {
        std::size_t const stride = m / (2 * half);
        for (std::size_t start = 0; start < m; start += 2 * half) {
            for (std::size_t j = 0; j < half; ++j) {
                Complex const even = row[start + j];
                Complex const root = roots[j * stride];
                Complex const odd = row[start + j + half];
                // Written out: the library's product also looks for infinities.
                Complex const turned(odd.real() * root.real() - odd.imag() * root.imag(),
                                     odd.real() * root.imag() + odd.imag() * root.real());
                row[start + j] = even + turned;
                row[start + j + half] = even - turned;
            }
        }
    }
}

void transform_rows(Transform& t, std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
        transform_row(t.points[row], t.roots);
}

void twiddle_rows(Transform& t, std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
        Complex const turn = root_of_unity(row, t.m * t.m);
        Complex factor = 1;
        for (std::size_t column = 0; column < t.m; ++column, factor *= turn)
            t.points[row][column] *= factor;
    }
}

double error_of_rows(Transform const& t, std::size_t begin, std::size_t end) {
    auto const n = static_cast<double>(t.m * t.m);
    double error = 0;
    for (std::size_t i = begin * t.m; i < end * t.m; ++i) {
        Complex expected = 0;
        for (Tone const& tone : t.tones)
            expected += tone.frequency == i ? tone.amplitude * n : 0.0;
        error = std::max(error, std::abs(t.points[i / t.m][i % t.m] - expected));
    }
    return error;
}

// Transposes and lets one thread swap the two arrays.
void transpose_as(Transform& t, std::size_t self, std::size_t begin, std::size_t end) {
    t.barrier.arrive_and_wait();
    transpose_rows(t, begin, end);
    t.barrier.arrive_and_wait();
    if (self == 0)
        t.points.swap(t.other);
    t.barrier.arrive_and_wait();
}

void transform_as(Transform& t, std::size_t self) {
    std::size_t const begin = t.first_row(self);
    std::size_t const end = t.first_row(self + 1);
    fill_rows(t, begin, end);
    transpose_as(t, self, begin, end);
    transform_rows(t, begin, end);
    twiddle_rows(t, begin, end);
    transpose_as(t, self, begin, end);
    transform_rows(t, begin, end);
    transpose_as(t, self, begin, end);
    t.errors[self] = error_of_rows(t, begin, end);
}

}  // namespace

int main(int argc, char** argv) {
    Argument arguments[] = {
        {"threads", "threads", 8, 1, 1024},
        {"log2n", "logarithm of the number of points, even", 22, 4, 28},
    };
    read_arguments(argc, argv, "Six-step Fourier transform with std::barrier.", arguments, 2);
    auto const threads = static_cast<std::size_t>(arguments[0].value);
    Transform transform(std::size_t{1} << (arguments[1].value / 2), threads);
    {
        std::vector<std::jthread> team;
        for (std::size_t self = 0; self < threads; ++self)
            team.emplace_back([&transform, self] { transform_as(transform, self); });
    }
    double const error = *std::ranges::max_element(transform.errors);
    auto const points = transform.m * transform.m;
    bool const is_right = error < 1e-9 * static_cast<double>(points);  // relative to the tones' n
    std::printf("Fourier transform of %zu points, %zu threads: %s\n", points, threads,
                is_right ? "the tones and nothing else" : "WRONG");
    return is_right ? 0 : 1;
}
