// The load imbalance factor against the sheet, whose values were computed twice by other means.

#include "model/events_threads/load_imbalance.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace parcast::model {
namespace {

using work_law::Erlang;
using work_law::Exponential;
using work_law::Normal;
using work_law::Uniform;

struct Row {
    std::uint64_t threads;
    std::array<double, 7> delta;  // as `laws`
};
std::array<WorkLaw, 7> const laws = {Exponential{}, Uniform{}, Normal{1}, Normal{0.25},
                                     Normal{0.1},   Erlang{4}, Erlang{16}};

class LoadImbalance : public testing::TestWithParam<Row> {};

TEST_P(LoadImbalance, has_all_printed_digits) {
    auto const& [threads, delta] = GetParam();
    for (std::size_t i = 0; i < laws.size(); ++i)
        EXPECT_NEAR(load_imbalance(laws[i], threads), delta[i], 5e-9 * std::max(delta[i], 0.1)) << i;
}

// Threads with nearly the same mean go another way: every one has a distribution function of its own.
TEST_P(LoadImbalance, of_threads_that_hardly_differ_is_the_same) {
    auto const& [threads, delta] = GetParam();
    std::vector<double> means(threads, 50.0);
    means.front() += 1e-9;
    for (std::size_t i = 0; i < laws.size(); ++i)
        EXPECT_NEAR(load_imbalance(laws[i], means), delta[i], 1e-7 * std::max(delta[i], 0.1)) << i;
}

INSTANTIATE_TEST_SUITE_P(
    TheSheet, LoadImbalance,
    testing::Values(
        Row{2, {0.5, 0.333333333, 0.564189584, 0.141047396, 0.0564189584, 0.2734375, 0.139949934}},
        Row{4, {1.08333333, 0.6, 1.02937537, 0.257343843, 0.102937537, 0.544389533, 0.266829361}},
        Row{8, {1.71785714, 0.777777778, 1.42360031, 0.355900077, 0.142360031, 0.807867088, 0.382586431}},
        Row{16, {2.38072899, 0.882352941, 1.76599139, 0.441497848, 0.176599139, 1.06257742, 0.489280433}},
        Row{64, {3.7438909, 0.969230769, 2.34373347, 0.585933366, 0.234373347, 1.54787077, 0.682312069}},
        Row{256, {5.12434496, 0.992217899, 2.82686328, 0.70671582, 0.282686328, 2.00788758, 0.856284545}},
        Row{1024, {6.50917567, 0.99804878, 3.2482396, 0.8120599, 0.32482396, 2.44987145, 1.01739018}}));

TEST(LoadImbalanceOf, one_thread_is_none) {
    for (auto const& law : laws)
        EXPECT_NEAR(load_imbalance(law, 1), 0, 1e-15);
}

// E[max] of exponential times with means 1 and 3: 1 + 3 - 1 / (1 + 1/3).
TEST(LoadImbalanceOf, exponential_threads_that_differ) {
    EXPECT_NEAR(load_imbalance(Exponential{}, std::vector{1.0, 3.0}), 3.25 / 2 - 1, 1e-11);
}

// Uniform on [0, 2] and [0, 6]: the greater has the mean 3 + E[(X - Y)+] = 3 + 1/9.
TEST(LoadImbalanceOf, uniform_threads_that_differ) {
    EXPECT_NEAR(load_imbalance(Uniform{}, std::vector{1.0, 3.0}), (3 + 1.0 / 9) / 2 - 1, 1e-11);
}

TEST(LoadImbalanceOf, threads_without_deviation_is_that_of_their_means) {
    EXPECT_NEAR(load_imbalance(Normal{0}, std::vector{1.0, 3.0}), 0.5, 1e-15);
    EXPECT_NEAR(load_imbalance_of_known(std::vector{1.0, 3.0}), 0.5, 1e-15);
    EXPECT_EQ(load_imbalance_of_known(std::vector{0.0, 0.0}), 0);
}

// A thread without work is never the greatest, but counts in the mean.
TEST(LoadImbalanceOf, threads_without_work_counts_them) {
    EXPECT_NEAR(load_imbalance(Exponential{}, std::vector{2.0, 2.0, 0.0}), 3.0 / (4.0 / 3) - 1, 1e-11);
}

// The greater of two normal numbers is mean + deviation of the difference / sqrt(2 pi).
TEST(LoadImbalanceOf, two_dependent_normal_threads) {
    double const per_deviation = 1 / std::sqrt(2 * 3.14159265358979323846);
    std::vector<NormalWork> const alike{{10, 5, 2}, {10, 5, 2}};  // the common part drops out
    EXPECT_NEAR(load_imbalance(alike), std::sqrt(8) * per_deviation / 10, 1e-10);
    std::vector<NormalWork> const unlike{{10, 1, 2}, {10, 2, 2}};
    EXPECT_NEAR(load_imbalance(unlike), 3 * per_deviation / 10, 1e-10);
    std::vector<NormalWork> const certain{{10, 0, 0}, {14, 0, 0}};
    EXPECT_NEAR(load_imbalance(certain), 14.0 / 12 - 1, 1e-12);
}

}  // namespace
}  // namespace parcast::model
