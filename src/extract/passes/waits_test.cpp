#include "extract/passes/passes.h"

#include <gtest/gtest.h>

#include "support/operation_rows.h"

namespace parcast::extract {
namespace {

using enum OperationKind;
constexpr std::uint32_t none = 0xffffffff;

// Thread 0 writes from 10 to `end`, 10 ns of it CPU time, while thread 1 has the CPU from `from` to `to`.
struct Case {
    std::int64_t end;
    std::int64_t from;
    std::int64_t to;
    std::int64_t wait;
    char const* because;
};

class DeviceWait : public testing::TestWithParam<Case> {};

TEST_P(DeviceWait, IsTheTimeThatTheRecordingShows) {
    Case const& c = GetParam();
    Recording recording(2);
    auto const file = recording.object(ObjectKind::descriptor);
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(
        0, {.kind = EventKind::output, .at = 10, .span = c.end - 10, .object = file, .cpu_inside = 10});
    recording.add(0, {.kind = EventKind::thread_join, .at = 90, .related = 1}).end(0, 95, 10);
    recording.begin(1, c.from).end(1, c.to, c.to - c.from);
    Rows const list = rows(extracted(recording), 0);
    ASSERT_EQ(list.size(), 4U);
    EXPECT_EQ(list[1], (c.wait > 0 ? Row{input_output, 10, file, c.wait} : Row{work_only, 10})) << c.because;
}

INSTANTIATE_TEST_SUITE_P(
    Estimates, DeviceWait,
    testing::Values(Case{60, 70, 80, 40, "nobody else ran: all but the CPU time inside"},
                    Case{60, 20, 30, 40, "another ran in between, but the CPU was idle at the end"},
                    Case{60, 45, 60, 25, "idle until another began: the data came after 45"},
                    Case{40, 15, 35, 0,
                         "paper II, figure 6: no idle time; the kernel's log knows 5, we know 0 at least"},
                    Case{60, 10, 60, 0, "the other held the CPU all the time"}));

// The gateway's writers copy 6 MB each, longer than a time slice: the replay let each wait while the others
// copied.
TEST(Waits, WritersThatCopyInTurnsKeepTheCpuBusyAndDoNotWait) {
    Recording recording(3);
    auto const file = recording.object(ObjectKind::descriptor);
    recording.begin(0, 0).create(0, 10, 1).create(0, 10, 2);
    for (std::size_t thread = 0; thread < 3; ++thread) {
        if (thread > 0)
            recording.begin(thread, 10);
        recording.add(thread,
                      {.kind = EventKind::output, .at = 10, .span = 60, .object = file, .cpu_inside = 20});
        recording.end(thread, 80, 10);
    }
    EXPECT_EQ(rows(extracted(recording), 1), (Rows{{work_only, 20}, {end, 10}}));
}

TEST(Waits, AWriteDuringWhichOthersUsedTheCpuWasPreempted) {
    Recording recording(2);
    auto const file = recording.object(ObjectKind::descriptor);
    recording.begin(0, 0).create(0, 5, 1);
    recording.add(0, {.kind = EventKind::output, .at = 10, .span = 100, .object = file, .cpu_inside = 10});
    recording.end(0, 130, 20);
    // Thread 1 sleeps for a moment in between: the data need not have come just then.
    recording.begin(1, 5).add(1, {.kind = EventKind::sleep, .at = 50, .cpu = 45, .span = 10, .value = 10});
    recording.end(1, 110, 50);
    EXPECT_EQ(rows(extracted(recording), 0)[1], (Row{work_only, 10}));
}

// Two threads that write to files in memory, 111 ms of CPU time in all, took 260 ms on one CPU where other
// programs ran.
TEST(Waits, TimeInWhichOtherProgramsHadTheCpuIsNotTheDevices) {
    Recording recording(1);
    auto const file = recording.object(ObjectKind::descriptor);
    recording.begin(0, 0);
    auto const add = [&](EventKind kind, std::int64_t at, std::uint32_t delay_us) {
        recording.add(0, {.kind = kind,
                          .at = at,
                          .span = 9'000'000,
                          .object = file,
                          .related = delay_us,
                          .cpu_inside = 1'000'000});
    };
    add(EventKind::output, 0, 7'995);
    add(EventKind::output, 10'000'000, 5'000);
    add(EventKind::input, 20'000'000, 0);
    recording.end(0, 30'000'000);
    EXPECT_EQ(rows(extracted(recording), 0), (Rows{{work_only, 1'000'000},
                                                   {input_output, 1'000'000, file, 3'000'000},
                                                   {input_output, 1'000'000, file, 8'000'000},
                                                   {end}}))
        << "what is as short as the clocks differ is no wait";
}

TEST(Waits, ACallThatWasNotInterruptedDidNotWait) {
    Recording recording(1);
    auto const file = recording.object(ObjectKind::descriptor);
    recording.begin(0, 0);
    recording.add(
        0, {.kind = EventKind::input, .at = 10, .cpu = 10, .span = 9, .object = file, .cpu_inside = 6});
    recording.timeline().events[0].edit_last()->blocked = false;
    recording.end(0, 30, 11);
    EXPECT_EQ(rows(extracted(recording), 0), (Rows{{work_only, 16}, {end, 11}}));
}

TEST(Waits, AYieldCostsAtLeastTheTimeThatItTook) {
    Recording recording(1);
    recording.begin(0, 0);
    recording.add(0, {.kind = EventKind::yield, .at = 5, .cpu = 5, .cpu_inside = 400}).end(0, 500);
    EXPECT_EQ(rows(extracted(recording), 0), (Rows{{yield, 405}, {end}}));
}

TEST(Waits, SleepsLastAsLongAsAskedForAndYieldsAreYields) {
    Recording recording(1);
    recording.begin(0, 0);
    recording.add(0,
                  {.kind = EventKind::sleep, .at = 10, .cpu = 10, .span = 70, .value = 50, .cpu_inside = 2});
    recording.add(0, {.kind = EventKind::yield, .at = 85, .cpu = 5}).end(0, 90);
    EXPECT_EQ(rows(extracted(recording), 0), (Rows{{delay, 10, none, 50}, {yield, 5}, {end}}));
}

TEST(Waits, AChildProcessIsWaitedForWithoutADescriptor) {
    Recording recording(1);
    recording.begin(0, 0);
    recording.add(0, {.kind = EventKind::wait_child, .at = 10, .cpu = 10, .span = 70, .cpu_inside = 5})
        .end(0, 90);
    EXPECT_EQ(rows(extracted(recording), 0), (Rows{{delay, 15, none, 65}, {end}}));
}

TEST(SignalWaits, AreNotReplayedSinceTheyWouldLastAsLongAsTheRecordedProgram) {
    // pbzip2 has a thread that takes signals: main ends it with one.
    Recording recording(2);
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(0, {.kind = EventKind::thread_join, .at = 900, .related = 1}).end(0, 950, 890);
    recording.begin(1, 20).add(1, {.kind = EventKind::poll, .at = 21, .cpu = 1, .span = 800}).end(1, 825, 1);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 1), (Rows{{work_only, 1}, {end, 1}}));
    EXPECT_EQ(program.assumptions.size(), 1U);
}

// Haskell's event manager waits for descriptors until main tells it to stop, and the process ends: its wait
// set the end of the replay. A server that works for some of the time keeps its waits.
TEST(Waits, OfAThreadThatWaitsForDescriptorsUntilTheProcessEndsTakeNoTime) {
    auto const waits = [](std::int64_t work) {
        Recording recording(2);
        auto const file = recording.object(ObjectKind::descriptor);
        recording.begin(0, 0).create(0, 10, 1, 10).begin(1, 20);
        recording.add(0, {.kind = EventKind::sleep, .at = 10, .span = 9'980, .value = 9'980});
        recording.add(1, {.kind = EventKind::poll, .at = 30, .cpu = work, .span = 4'000, .object = file});
        recording.add(1, {.kind = EventKind::poll, .at = 5'000, .cpu = work, .span = 4'000, .object = file});
        recording.end(1, 10'000, 0, Outcome::cut_off).end(0, 10'000, 10);
        std::int64_t count = 0;
        for (Row const& row : rows(extracted(recording), 1))
            count += row.kind == input_output ? 1 : 0;
        return count;
    };
    EXPECT_EQ(waits(5), 0);
    EXPECT_EQ(waits(400), 2);
}

// A loop that draws a frame every 10 ms: it asked to sleep to 10, 20, 30, not 40 since it came too late, 50.
// Milliseconds.
class Frames : public testing::Test {
protected:
    static constexpr std::int64_t ms = 1'000'000;

    // Begins at 0; comes to each sleep after so much work, late by the clock's reading, and sleeps to `ends`.
    static Rows of(std::vector<std::pair<std::int64_t, std::int64_t>> const& come_and_end) {
        Recording recording(1);
        recording.begin(0, 0);
        std::int64_t last = 0;
        for (auto const& [comes, ends] : come_and_end) {
            recording.add(0, {.kind = EventKind::sleep,
                              .at = comes,
                              .cpu = comes - last,
                              .span = ends - comes,
                              .value = ends - comes});
            last = ends;
        }
        recording.end(0, last);
        return rows(extracted(recording), 0);
    }
};

TEST_F(Frames, SleepUntilTheyAreDueHoweverSoonTheThreadComes) {
    EXPECT_EQ(of({{4 * ms, 10 * ms},
                  {15 * ms, 20 * ms + 3'000},
                  {26 * ms, 30 * ms},
                  {44 * ms, 50 * ms},
                  {53 * ms, 60 * ms}}),
              (Rows{{delay, 4 * ms, none, 6 * ms},
                    {sleep_until, 5 * ms, none, 10 * ms + 3'000},
                    {sleep_until, 6 * ms - 3'000, none, 10 * ms - 3'000},
                    {sleep_until, 14 * ms, none, 20 * ms},
                    {sleep_until, 3 * ms, none, 10 * ms},
                    {end}}));
}

TEST_F(Frames, AreNoneWhereThreadsSleepForALength) {
    for (Row const& row : of({{4 * ms, 10 * ms},
                              {14 * ms, 20 * ms},
                              {24 * ms, 30 * ms},
                              {34 * ms + 9'000, 40 * ms + 9'000},
                              {44 * ms, 50 * ms}}))
        EXPECT_NE(row.kind, sleep_until) << "lengths of 6 ms, and ends 10 ms apart by what it works between";
    for (Row const& row : of({{4 * ms, 10 * ms}, {15 * ms, 17 * ms}, {26 * ms, 35 * ms}, {44 * ms, 46 * ms}}))
        EXPECT_NE(row.kind, sleep_until) << "ends at no equal distances";
    for (Row const& row : of({{4 * ms, 10 * ms}, {15 * ms, 20 * ms}, {26 * ms, 30 * ms}}))
        EXPECT_NE(row.kind, sleep_until) << "three of them";
}

}  // namespace
}  // namespace parcast::extract
