#include "forecast/slower_than_recorded.h"

#include <gtest/gtest.h>

namespace parcast::forecast {
namespace {

constexpr std::int64_t ms = 1'000'000;

// All threads waited for half of the time.
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
    auto const found = slower_than_recorded(replayed_in(2'800, 2'500), Duration{1'250 * ms});
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->severity, Severity::warning);
    EXPECT_TRUE(found->may_wait_less);
    EXPECT_NE(found->message.find("takes 2.80 s, the recorded run took 2.50 s"), std::string::npos)
        << found->message;
}

TEST(SlowerThanRecorded, IsNoReplayThatTakesAsLongOrLess) {
    EXPECT_EQ(slower_than_recorded(replayed_in(2'600, 2'500), Duration{1'250 * ms}), std::nullopt);
    EXPECT_EQ(slower_than_recorded(replayed_in(900, 2'500), Duration{1'250 * ms}), std::nullopt)
        << "naps that it needs no more";
    EXPECT_EQ(slower_than_recorded(replayed_in(10, 8), Duration{4 * ms}), std::nullopt) << "one late sleep";
}

// ESLint beside a compiler: 5.7 s of CPU time in 12.8 s, of which its main thread waited 7.7 for a timer
// that runs out in no other run. Predicted 8.5 s on one CPU, and 1.02 times as fast on two; measured 1.70.
TEST(SlowerThanRecorded, IsAReplayThatWaitsForTimersWhichOnlyOtherProgramsLetRunOut) {
    Timeline recorded;
    Event const begin;
    Event wait;
    wait.kind = EventKind::poll;
    wait.blocked = true;
    wait.span_ns = 7'700 * ms;
    Event works;
    works.wall_ns = 12'800 * ms;
    recorded.events = {{begin, wait, works}, {begin, works}};
    recorded.provenance.wall_ns = 12'800 * ms;
    recorded.provenance.cpu_ns = 6'400 * ms;
    auto const late = replayed_in(8'500, 12'800);
    EXPECT_EQ(waiting_of_the_program(recorded), Duration{6'400 * ms}) << "what it waited for came";
    EXPECT_EQ(slower_than_recorded(late, waiting_of_the_program(recorded)), std::nullopt);
    recorded.events[0].edit(1)->outcome = Outcome::timed_out;
    EXPECT_EQ(waiting_of_the_program(recorded), Duration{0}) << "the other thread is ready all the time";
    auto const found = slower_than_recorded(late, waiting_of_the_program(recorded));
    ASSERT_TRUE(found.has_value());
    EXPECT_NE(found->message.find("needed 6.40 s (6.40 s of CPU time, and 0 s in which all threads waited)"),
              std::string::npos)
        << found->message;
}

// Regions of OpenMP recorded in 100 ms of CPU time took 127 in the replay, of which switching and spinning
// took 31.
TEST(SlowerThanRecorded, IsNoReplayThatSwitchesAndSpinsLonger) {
    auto busy = replayed_in(127, 100);
    busy.provenance->cpu_ns = 100 * ms;
    busy.idle_on_one = Duration{0};
    EXPECT_EQ(slower_than_recorded(busy, Duration{0}), std::nullopt);
}

TEST(SlowerThanRecorded, IsNothingThatNobodyRecorded) {
    auto written = replayed_in(2'800, 2'500);
    written.provenance.reset();
    EXPECT_EQ(slower_than_recorded(written, Duration{1'250 * ms}), std::nullopt);
}

}  // namespace
}  // namespace parcast::forecast
