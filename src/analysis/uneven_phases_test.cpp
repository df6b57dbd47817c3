#include "analysis/uneven_phases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/survey.h"

namespace parcast::analysis {
namespace {

constexpr ObjectId barrier{0};

// Two threads and a barrier: in each round the first works so long, then the second.
Timeline with_rounds(std::vector<std::pair<std::int64_t, std::int64_t>> const& rounds) {
    Timeline timeline;
    timeline.catalogue.objects.emplace_back().kind = ObjectKind::barrier;
    timeline.catalogue.threads.resize(2);
    timeline.events.resize(2);
    for (auto const& [first, second] : rounds) {
        Event event;
        event.kind = EventKind::barrier_wait;
        event.object = barrier;
        event.cpu_ns = first;
        timeline.events[0].push_back(event);
        event.cpu_ns = second;
        timeline.events[1].push_back(event);
    }
    return timeline;
}

std::vector<std::pair<std::int64_t, std::int64_t>> alternating(int rounds, std::int64_t much,
                                                               std::int64_t little) {
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    for (int round = 0; round < rounds; ++round)
        all.emplace_back(round % 2 == 0 ? much : little, round % 2 == 0 ? little : much);
    return all;
}

// csound on two threads: predicted 1.00 times as fast on two CPUs without a word, measured 1.72.
TEST(UnevenPhases, OneThreadDidNearlyAllOfEachRoundAndEachAsMuchInAll) {
    auto const timeline = with_rounds(alternating(40, 180, 4));
    auto const surveyed = survey(timeline);
    auto const& found = surveyed.uneven_phases;
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].barrier, barrier);
    EXPECT_EQ(found[0].threads, 2);
    EXPECT_EQ(found[0].work, Duration{40 * 184});
    EXPECT_EQ(found[0].longest, Duration{40 * 180});

    std::vector<Finding> findings;
    add_uneven_phases(timeline.catalogue, surveyed, findings);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].severity, Severity::warning);
    EXPECT_TRUE(findings[0].may_wait_less);
    EXPECT_THAT(findings[0].message, testing::HasSubstr("98 %"));
}

TEST(UnevenPhases, OtherReasonsAreNoSuspicion) {
    auto const is_quiet = [](auto const& rounds) {
        return survey(with_rounds(rounds)).uneven_phases.empty();
    };
    EXPECT_TRUE(is_quiet(alternating(40, 180, 90))) << "both work in each round";
    EXPECT_TRUE(is_quiet(alternating(10, 180, 4))) << "few rounds";
    EXPECT_TRUE(is_quiet(std::vector(40, std::pair<std::int64_t, std::int64_t>{180, 4})))
        << "always the same thread: its share is larger";
}

}  // namespace
}  // namespace parcast::analysis
