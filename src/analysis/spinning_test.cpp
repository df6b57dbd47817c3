#include "analysis/spinning.h"

#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

constexpr std::int64_t ms = 1'000'000;

void add(Timeline& timeline, std::size_t thread, EventKind kind, std::int64_t wall, std::int64_t cpu,
         std::uint32_t site = 0, bool switched = false) {
    Event event;
    event.kind = kind;
    event.wall_ns = wall;
    event.cpu_ns = cpu;
    event.site = SiteId(site);
    event.switched = switched;
    timeline.events[thread].push_back(event);
}

Timeline with_threads(std::size_t threads) {
    Timeline timeline;
    timeline.catalogue.threads.resize(threads);
    timeline.catalogue.sites.resize(2);
    timeline.events.resize(threads);
    return timeline;
}

struct YieldCase {
    int yields;
    std::int64_t cpu_between;
    int sites;
    bool is_found;
    char const* because;
};

class Yields : public testing::TestWithParam<YieldCase> {};

TEST_P(Yields, SpinIfTheyAreManyWithNothingInBetween) {
    Timeline timeline = with_threads(1);
    for (int i = 0; i < GetParam().yields; ++i) {
        add(timeline, 0, EventKind::yield, i * 10'000, GetParam().cpu_between,
            static_cast<std::uint32_t>(i % GetParam().sites));
    }
    auto const found = spinning(timeline);
    ASSERT_EQ(!found.empty(), GetParam().is_found) << GetParam().because;
    if (GetParam().is_found) {
        EXPECT_TRUE(found[0].is_certain);
        EXPECT_EQ(found[0].count, GetParam().yields);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Spinning, Yields,
    testing::Values(YieldCase{200, 400, 1, true, "a spin loop"}, YieldCase{50, 400, 1, true, "the least"},
                    YieldCase{49, 400, 1, false, "too few: std::atomic::wait yields before it blocks"},
                    YieldCase{200, 6'000, 1, false, "work between the yields is cooperation"},
                    YieldCase{200, 400, 2, false, "two places in turn are no loop that waits"}));

// Thread 1 hands over every 10 ms; thread 0 then makes its first call after `delay` ns.
Timeline handovers(int count, std::int64_t delay) {
    Timeline timeline = with_threads(2);
    for (int i = 1; i <= count; ++i) {
        add(timeline, 1, EventKind::unlock, i * 20 * ms, 10 * ms);
        add(timeline, 0, EventKind::yield, i * 20 * ms + delay, 10 * ms, 1, true);
    }
    return timeline;
}

TEST(Slices, EndingAsSoonAsAnotherThreadHasRunAreAHint) {
    auto const found = spinning(handovers(5, 40'000));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_FALSE(found[0].is_certain);
    EXPECT_EQ(found[0].thread, ThreadId(0));
    EXPECT_EQ(found[0].site, SiteId(1));
    EXPECT_EQ(found[0].cpu, Duration{50 * ms});
}

TEST(Slices, OfHonestComputationEndAtAnyTime) {
    EXPECT_TRUE(spinning(handovers(50, 2 * ms)).empty());
}

TEST(Slices, ThatEndSoonByChanceAreNotReported) {
    Timeline timeline = handovers(4, 40'000);
    for (int i = 1; i <= 4; ++i) {
        add(timeline, 0, EventKind::yield, 100 * ms + i * 20 * ms, 10 * ms, 1, true);
    }
    EXPECT_TRUE(spinning(timeline).empty()) << "half of the long segments end alone";
}

TEST(Slices, TwoHandOversAreTooFew) {
    EXPECT_TRUE(spinning(handovers(2, 40'000)).empty());
}

}  // namespace
}  // namespace parcast::analysis
