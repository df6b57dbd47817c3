#include "extract/program_time.h"

#include <gtest/gtest.h>

#include "support/recording_builder.h"

namespace parcast::extract {
namespace {

TEST(TimeAtRest, IsWhenNoThreadIsReady) {
    Recording recording(2);
    recording.begin(0, 0).create(0, 10, 1, 10).add(0, {.kind = EventKind::thread_join, .at = 20, .span = 80});
    recording.end(0, 110, 10);
    recording.begin(1, 10).add(1, {.kind = EventKind::sleep, .at = 40, .span = 30}).end(1, 100, 10);
    EXPECT_EQ(time_at_rest(recording.timeline()), Duration{30}) << "from 40 to 70";
}

// Others had the CPU from 10 to 100, as far as the recording shows.
TEST(TimeAtRest, IsNoTimeInWhichAThreadIsReadyAndDoesNotRun) {
    Recording recording(2);
    recording.begin(0, 0).create(0, 10, 1, 10).add(0, {.kind = EventKind::poll, .at = 10, .span = 90});
    recording.end(0, 110, 10);
    recording.begin(1, 10).end(1, 105, 5);
    EXPECT_EQ(time_at_rest(recording.timeline()), Duration{0});
}

TEST(TimeAtRest, IsNoneOfAThreadThatNeverWaits) {
    Recording recording(1);
    recording.begin(0, 5).end(0, 100, 95);
    EXPECT_EQ(time_at_rest(recording.timeline()), Duration{0});
}

// Two threads of 100 ms each; from 100 to 200 ms another program has the CPU. Both wait from 250 to 300.
TEST(ProgramTime, LeavesOutWhatOtherProgramsHad) {
    constexpr std::int64_t ms = 1'000'000;
    Recording recording(2);
    recording.begin(0, 0).create(0, 0, 1).add(
        0, {.kind = EventKind::sleep, .at = 100 * ms, .cpu = 100 * ms, .span = 200 * ms});
    recording.end(0, 300 * ms);
    recording.begin(1, 0).add(1, {.kind = EventKind::sleep, .at = 250 * ms, .cpu = 50 * ms, .span = 50 * ms});
    recording.end(1, 350 * ms, 50 * ms);
    ProgramTime const time(recording.timeline());
    auto const between = [&](std::int64_t from_ms, std::int64_t to_ms) {
        return to_real(time.between(from_ms * ms, to_ms * ms)).ns / ms;
    };
    EXPECT_NEAR(between(0, 350), 250, 0.4);
    EXPECT_NEAR(between(250, 300), 50, 0.4) << "at rest";
    EXPECT_NEAR(between(300, 325), 25, 0.4) << "at work";
    EXPECT_EQ(time.between(100 * ms, 100 * ms), Duration{0});
}

}  // namespace
}  // namespace parcast::extract
