#include "forecast/slower_than_recorded.h"

#include <gtest/gtest.h>

namespace parcast::forecast {
namespace {

constexpr std::int64_t ms = 1'000'000;

RecordingBasis replayed_in(std::int64_t replayed_ms, std::int64_t recorded_ms) {
    RecordingBasis basis;
    basis.provenance.emplace();
    basis.provenance->wall_ns = recorded_ms * ms;
    basis.provenance->cpu_ns = recorded_ms * ms / 2;
    basis.time_on_one = Duration{replayed_ms * ms};
    basis.idle_on_one = Duration{(replayed_ms - recorded_ms / 2) * ms};
    return basis;
}

// A game that sleeps until its next frame: 2.80 s on one CPU, measured 2.52; predicted 1.14 times as
// fast on two, measured 1.00; and no mark.
TEST(SlowerThanRecorded, IsAReplayThatWaitsForLongerThanTheProgramDid) {
    auto const found = slower_than_recorded(replayed_in(2'800, 2'500));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->severity, Severity::warning);
    EXPECT_TRUE(found->may_wait_less);
    EXPECT_NE(found->message.find("takes 2.80 s, the recorded run took 2.50 s"), std::string::npos)
        << found->message;
}

TEST(SlowerThanRecorded, IsNoReplayThatTakesAsLongOrLess) {
    EXPECT_EQ(slower_than_recorded(replayed_in(2'600, 2'500)), std::nullopt);
    EXPECT_EQ(slower_than_recorded(replayed_in(900, 2'500)), std::nullopt) << "naps that it needs no more";
    EXPECT_EQ(slower_than_recorded(replayed_in(10, 8)), std::nullopt) << "one late sleep";
}

// Regions of OpenMP recorded in 100 ms of CPU time took 127 in the replay, of which switching and spinning
// took 31.
TEST(SlowerThanRecorded, IsNoReplayThatSwitchesAndSpinsLonger) {
    auto busy = replayed_in(127, 100);
    busy.provenance->cpu_ns = 100 * ms;
    busy.idle_on_one = Duration{0};
    EXPECT_EQ(slower_than_recorded(busy), std::nullopt);
}

TEST(SlowerThanRecorded, IsNothingThatNobodyRecorded) {
    auto written = replayed_in(2'800, 2'500);
    written.provenance.reset();
    EXPECT_EQ(slower_than_recorded(written), std::nullopt);
}

}  // namespace
}  // namespace parcast::forecast
