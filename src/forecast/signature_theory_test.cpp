// Which numbers of threads an answer about a formula has rows for, and which execution.

#include "forecast/signature_theory.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace parcast::forecast {
namespace {

std::vector<double> threads_of(TheoryExecution const& execution) {
    std::vector<double> threads;
    for (auto const& point : execution.points)
        threads.push_back(point.threads);
    return threads;
}

TEST(SignatureTheoryTest, UsualRowsReachBeyondTheMaximumAndHaveIt) {
    auto const theory = signature_theory("P^2", 100, {}, model::Execution::fixed_size);
    ASSERT_TRUE(theory);
    EXPECT_EQ(threads_of(theory->fixed_size), (std::vector<double>{1, 2, 4, 8, 10, 16}));
    EXPECT_EQ(theory->fixed_size.best_p, 10);
    EXPECT_FALSE(theory->scaled);
}

TEST(SignatureTheoryTest, WithoutAMaximumTheyEndAtAThousand) {
    auto const theory = signature_theory("P", 100, {}, model::Execution::fixed_size);
    EXPECT_EQ(theory->fixed_size.points.back().threads, 1024);
    EXPECT_NEAR(*theory->fixed_size.limit, 100, 1e-9);
}

TEST(SignatureTheoryTest, NumbersThatAreAskedForAreTheRowsOfBothExecutions) {
    std::vector<std::uint32_t> const asked{1, 64};
    auto const theory = signature_theory("P^3", 1e4, asked, model::Execution::scaled);
    EXPECT_EQ(threads_of(theory->fixed_size), (std::vector<double>{1, 64}));
    EXPECT_EQ(threads_of(*theory->scaled), (std::vector<double>{1, 64}));
    EXPECT_FALSE(theory->scaled->points[0].divide_and_conquer);
    EXPECT_NEAR(*theory->scaled->points[1].divide_and_conquer, 64.0 / 12, 1e-12);
    EXPECT_FALSE(theory->fixed_size.points[1].divide_and_conquer);
}

TEST(SignatureTheoryTest, WhatTheTheoremDoesNotHoldForIsRefused) {
    EXPECT_FALSE(signature_theory("sqrt(P)", 1e4, {}, model::Execution::fixed_size));
    EXPECT_FALSE(signature_theory("P^2", 0, {}, model::Execution::fixed_size));
}

}  // namespace
}  // namespace parcast::forecast
