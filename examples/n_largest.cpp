// The n largest h(x) of N numbers x, where h(x) = g(f(x)), f is cheap and g is dear but monotone: threads
// find the n largest f(x) of their shares, one thread merges them, threads apply g to what is left.
// Which of f and g to make faster depends on the number of CPUs.
// After Broberg, Lundberg and Grahn 2001, section 4.2 (Broberg 2002, paper VI).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

#include "arguments.h"
#include "work.h"

namespace {

// Each round of work is for nothing: f can be made dearer, and cheaper again.
inline double f(double x, long rounds) {
    if (rounds > 0)
        asm volatile("" : : "r"(work(static_cast<std::uint64_t>(std::abs(x)), rounds)));
    return std::abs(x + 2 * x * x);
}

constexpr long usual_terms = 672;

// A function of its own, so that a profile names it.
[[gnu::noinline]] double g(double x, long terms) {
    double sum = 0;
    for (long term = 0; term < terms; ++term)
        sum += std::exp(std::sqrt(std::abs(x + static_cast<double>(term))));
    return sum;
}

// Numbers on a regular grid over [-100, 100), in a scattered order: index * odd number modulo a power of two.
struct Numbers {
    std::size_t count;  // a power of two

    double on_grid(std::size_t place) const {
        return static_cast<double>(place) * 200 / static_cast<double>(count) - 100;
    }
    double operator[](std::size_t index) const { return on_grid(index * 0x9e3779b1 & (count - 1)); }
};

using Values = std::vector<double>;

struct Load {
    long terms;   // that g adds
    long rounds;  // of work in f
};

void keep_largest(Values& values, std::size_t n) {
    if (values.size() > n) {
        std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(n), std::greater{});
        values.resize(n);
    }
}

// The n largest f(x) of numbers begin to end. Candidates are collected until there are 2n, then cut to n.
[[gnu::noinline]] Values largest_f(Numbers const& numbers, std::size_t begin, std::size_t end, std::size_t n,
                                   long rounds) {
    Values values;
    values.reserve(2 * n);
    double threshold = 0;
    for (std::size_t i = begin; i < end; ++i) {
        double const value = f(numbers[i], rounds);
        if (value < threshold)
            continue;
        values.push_back(value);
        if (values.size() == 2 * n) {
            keep_largest(values, n);
            threshold = *std::ranges::min_element(values);
        }
    }
    keep_largest(values, n);
    return values;
}

Values merge(std::vector<Values> const& parts, std::size_t n) {
    Values merged;
    for (Values const& part : parts)
        merged.insert(merged.end(), part.begin(), part.end());
    keep_largest(merged, n);
    std::ranges::sort(merged, std::greater{});
    return merged;
}

// Runs share(thread, begin, end) in `threads` threads on equal shares of `count`.
template <typename Share>
void in_parallel(std::size_t threads, std::size_t count, Share share) {
    std::vector<std::jthread> team;
    for (std::size_t self = 0; self < threads; ++self)
        team.emplace_back(share, self, count * self / threads, count * (self + 1) / threads);
}

Values n_largest(Numbers const& numbers, std::size_t n, std::size_t threads, Load load) {
    std::vector<Values> parts(threads);
    in_parallel(threads, numbers.count, [&](std::size_t self, std::size_t begin, std::size_t end) {
        parts[self] = largest_f(numbers, begin, end, n, load.rounds);
    });
    Values values = merge(parts, n);
    in_parallel(threads, values.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
        std::transform(values.begin() + static_cast<std::ptrdiff_t>(begin),
                       values.begin() + static_cast<std::ptrdiff_t>(end),
                       values.begin() + static_cast<std::ptrdiff_t>(begin),
                       [&](double value) { return g(value, load.terms); });
    });
    return values;
}

// f grows towards both ends of the grid, so the n largest are among the n outermost numbers of each end.
Values expected_f(Numbers const& numbers, std::size_t n) {
    Values values;
    for (std::size_t i = 0; i < n; ++i) {
        values.push_back(f(numbers.on_grid(i), 0));
        values.push_back(f(numbers.on_grid(numbers.count - 1 - i), 0));
    }
    std::ranges::sort(values, std::greater{});
    values.resize(n);
    return values;
}

// Every 64th value is computed again: g is dear, and the check must not change the story.
bool is_expected(Values const& found, Values const& expected, long terms) {
    if (found.size() != expected.size() || !std::ranges::is_sorted(found, std::greater{}))
        return false;
    for (std::size_t i = 0; i < found.size(); i += 64)
        if (std::abs(found[i] / g(expected[i], terms) - 1) > 1e-12)
            return false;
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    Argument arguments[] = {
        {"threads", "threads", 8, 1, 1024},
        {"log2N", "logarithm of the number of numbers", 27, 10, 32},
        {"n", "how many of the largest are wanted", 20000, 1, 1000000},
        {"terms", "terms that g adds: 538 make it 20 % cheaper", usual_terms, 1, 1000000},
        {"rounds", "rounds of work in f", 0, 0, 100000},
    };
    read_arguments(argc, argv, "The n largest h(x) = g(f(x)) of N numbers.", arguments, 5);
    auto const threads = static_cast<std::size_t>(arguments[0].value);
    Numbers const numbers{std::size_t{1} << arguments[1].value};
    std::size_t const n = std::min(static_cast<std::size_t>(arguments[2].value), numbers.count / 2);

    long const terms = arguments[3].value;
    Values const found = n_largest(numbers, n, threads, {terms, arguments[4].value});

    bool const is_right = is_expected(found, expected_f(numbers, n), terms);
    std::printf("the %zu largest of %zu values, %zu threads: %s\n", n, numbers.count, threads,
                is_right ? "all found" : "WRONG");
    return is_right ? 0 : 1;
}
