#include "model/bounds/reachable_time.h"

#include <algorithm>
#include <functional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::model {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

std::vector<double> uniform(std::size_t n) {
    return std::vector<double>(n, 1.0 / static_cast<double>(n));
}

std::vector<double> all_at(std::size_t n, std::size_t active) {
    std::vector<double> profile(n);
    profile[active - 1] = 1;
    return profile;
}

// f of the paper: s times how many ways there are to choose the active ones.
double sum_of_most(std::vector<std::uint32_t> const& allocation, std::size_t n, std::size_t active) {
    double ways = 1;
    for (std::size_t i = 0; i < active; ++i)
        ways = ways * static_cast<double>(n - i) / static_cast<double>(i + 1);
    return ways * expected_most_active(allocation, all_at(n, active));
}

TEST(ReachableTime, SumsTheMostOverAllChoicesOfActiveProcesses) {
    for (auto const& [active, sum] :
         std::vector<std::pair<std::size_t, double>>{{1, 5}, {2, 12}, {3, 16}, {4, 10}, {5, 2}})
        EXPECT_NEAR(sum_of_most({2, 2, 1}, 5, active), sum, 1e-12) << active;
}

struct Vector {
    std::uint32_t processors;
    double latency, granularity;
    std::vector<double> profile;
    double factor;
    std::vector<std::uint32_t> allocation;
};

std::vector<double> halves_at_1_and_8() {
    auto profile = all_at(8, 1);
    profile[0] = profile[7] = 0.5;
    return profile;
}

std::vector<double> rising(std::size_t n) {
    std::vector<double> profile;
    for (std::size_t q = 1; q <= n; ++q)
        profile.push_back(static_cast<double>(2 * q) / static_cast<double>(n * (n + 1)));
    return profile;
}

class ReachableTimes : public testing::TestWithParam<Vector> {};

INSTANTIATE_TEST_SUITE_P(
    PaperVII, ReachableTimes,
    testing::Values(Vector{2, 0, 5.0 / 6, uniform(3), 13.0 / 9, {2, 1}},
                    Vector{2, 1, 5.0 / 6, uniform(3), 2, {3}},
                    Vector{3, 2, 0.25, uniform(5), 69.0 / 25, {2, 2, 1}},
                    Vector{4, 0, 0, all_at(8, 8), 2, {2, 2, 2, 2}}, Vector{4, 4, 0.5, uniform(8), 4.5, {8}},
                    Vector{2, 4, 0.05, halves_at_1_and_8(), 211.0 / 70, {4, 4}},
                    Vector{5, 2, 1.0 / 16, rising(12), 490289.0 / 144144, {3, 3, 2, 2, 2}},
                    Vector{4, 0, 0, uniform(16), 49921.0 / 17160, {4, 4, 4, 4}},
                    Vector{6, 1, 0.05, uniform(20), 8137117.0 / 2519400, {4, 4, 3, 3, 3, 3}},
                    Vector{6, 10, 1, uniform(6), 3.5, {6}}));

// Neither even nor all on one.
INSTANTIATE_TEST_SUITE_P(
    BetweenTheExtremes, ReachableTimes,
    testing::Values(Vector{6, 0.5, 0.15, {0, 0.25, 0, 0, 0, 0, 0.25, 0.5, 0}, 79.0 / 36, {2, 2, 2, 2, 1}},
                    Vector{6, 1.3, 0.3, all_at(8, 6), 701.0 / 175, {2, 2, 2, 2}},
                    Vector{3, 1.6, 0.25, {0, 0.4, 0.4, 0, 0, 0, 0, 0, 0, 0.2}, 238.0 / 75, {4, 4, 2}},
                    Vector{4, 0.9, 0.75, all_at(7, 5), 34.0 / 7, {3, 2, 2}},
                    Vector{4, 3.9, 0.2, all_at(10, 8), 2966.0 / 375, {4, 3, 3}},
                    Vector{4, 1.2, 0.55, all_at(14, 14), 3676.0 / 325, {4, 4, 4, 2}}));

TEST_P(ReachableTimes, AreThoseOfThePaper) {
    auto const& [processors, latency, granularity, profile, factor, allocation] = GetParam();
    auto const found = reachable_time({profile, granularity, latency}, processors);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->factor, factor, 1e-12 * factor);
    EXPECT_THAT(found->allocation, ElementsAreArray(allocation));
}

TEST(ReachableTime, LooksAtFewAllocationsOfManyProcesses) {
    auto const found = reachable_time({uniform(512), 0.05, 1}, 64);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->factor, 18.986182293795643, 1e-11);
    EXPECT_THAT(found->allocation, testing::AllOf(testing::SizeIs(64), testing::Each(8U)));
    EXPECT_LE(found->evaluations, 32U);
    EXPECT_NEAR(expected_most_active(found->allocation, uniform(512)), 6.336867225302494, 1e-12);
}

// The prime filter of the paper up to 397, each of 79 processes on its own processor.
TEST(ReachableTime, OfThePrimeFilterIsThatOfTheSheet) {
    std::vector<double> profile(79);
    std::vector<double> const levels{10, 11, 15, 29, 32, 40, 44, 33, 48, 58, 57, 50, 32, 13, 2};
    std::ranges::transform(levels, profile.begin(), [](double each) { return each / 474; });
    auto const factor = [&](std::uint32_t processors, double latency) {
        return reachable_time({profile, 101.0 / 112, latency}, processors)->factor;
    };
    EXPECT_NEAR(factor(1, 0.5), 8.50632911, 1e-8);
    EXPECT_NEAR(factor(2, 0.25), 6.29833017, 1e-8);
    EXPECT_NEAR(factor(8, 0.5), 5.95230411, 1e-8);
    EXPECT_NEAR(factor(16, 0), 1.93022243, 1e-8);
    EXPECT_NEAR(factor(16, 1), 8.50632911, 1e-8);
}

void for_each_allocation(std::uint32_t processes, std::uint32_t processors,
                         std::vector<std::uint32_t>& prefix, std::function<void()> const& visit) {
    if (processes == 0)
        return visit();
    if (processors == 0)
        return;
    for (auto each = std::min(processes, prefix.empty() ? processes : prefix.back()); each >= 1; --each) {
        prefix.push_back(each);
        for_each_allocation(processes - each, processors - 1, prefix, visit);
        prefix.pop_back();
    }
}

TEST(ReachableTime, IsTheLeastOverAllAllocations) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> part(0, 1);
    for (int round = 0; round < 60; ++round) {
        auto const n = static_cast<std::uint32_t>(1 + random() % 10);
        auto const processors = static_cast<std::uint32_t>(1 + random() % 6);
        std::vector<double> profile(n);
        for (auto& each : profile)
            each = random() % 3 == 0 ? part(random) : 0;
        profile[random() % n] += 0.1;
        auto const sum = std::accumulate(profile.begin(), profile.end(), 0.0);
        for (auto& each : profile)
            each /= sum;
        SynchronisedProgram const program{profile, part(random), 3 * part(random)};
        double least = 1e300;
        std::vector<std::uint32_t> allocation;
        for_each_allocation(n, processors, allocation, [&] {
            least = std::min(least,
                             expected_most_active(allocation, profile) +
                                 program.granularity * program.latency * latencies_paid(allocation, profile));
        });
        auto const found = reachable_time(program, processors);
        ASSERT_TRUE(found.has_value());
        EXPECT_NEAR(found->factor, least, 1e-12 * least);
    }
}

TEST(ReachableTime, IsRefusedWithAReason) {
    EXPECT_THAT(reachable_time({{0.5, 0.4}, 0, 0}, 2).error().message, testing::HasSubstr("must sum to 1"));
    EXPECT_THAT(reachable_time({{}, 0, 0}, 2).error().message, testing::HasSubstr("1 to 1000 processes"));
    EXPECT_THAT(reachable_time({{1}, 0, 0}, 0).error().message, testing::HasSubstr("a processor"));
    EXPECT_THAT(reachable_time({{1}, -1, 0}, 1).error().message, testing::HasSubstr("from 0 on"));
}

}  // namespace
}  // namespace parcast::model
