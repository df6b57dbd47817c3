#include "extract/polling/polling.h"

#include <gtest/gtest.h>

#include <array>

#include "support/operation_rows.h"

namespace parcast::extract {
namespace {

using enum OperationKind;
constexpr std::uint32_t none = 0xffffffff;
constexpr std::int64_t nap = 100;

// Naps one after the other from one place, `cpu` before each; the last look is at `from` + naps * nap.
void add_naps(Recording& recording, std::size_t thread, std::int64_t from, int naps, std::uint32_t site,
              std::int64_t cpu = 1) {
    for (int i = 0; i < naps; ++i)
        recording.add(thread, {.kind = EventKind::sleep,
                               .at = from + i * nap,
                               .cpu = cpu,
                               .span = nap,
                               .value = nap,
                               .site = site});
}

std::int64_t delays(ThreadProgram const& program, std::size_t thread) {
    std::int64_t sum = 0;
    for (Row const& row : rows(program, thread))
        sum += row.kind == delay ? row.value : 0;
    return sum;
}

// Thread 1 naps from 20 to 1020; main, which works until 1005, tells it to end and joins it.
Recording heartbeat() {
    Recording recording(2);
    auto const site = recording.site();
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(0, {.kind = EventKind::thread_join, .at = 1'005, .cpu = 995, .span = 20, .related = 1});
    recording.end(0, 1'030, 5).begin(1, 20);
    add_naps(recording, 1, 20, 10, site);
    recording.end(1, 1'025, 3);
    return recording;
}

TEST(Polling, WhoIsToldToEndWaitsForThatAndHalfANap) {
    auto recording = heartbeat();
    ThreadProgram const program = extracted(recording);
    std::uint32_t const semaphore = 0;
    EXPECT_EQ(rows(program, 1), (Rows{{semaphore_wait, 10, semaphore}, {delay, 0, none, nap / 2}, {end, 3}}));
    EXPECT_EQ(rows(program, 0),
              (Rows{{create, 10, 1}, {semaphore_post, 995, semaphore, 1}, {join, 0, 1}, {end, 5}}));
    ASSERT_EQ(program.polling.size(), 1U);
    EXPECT_EQ(program.polling[0], (Polling{SiteId(0), ThreadId(1), 1, 10, Duration{nap}, true}));
}

// Thread 1 naps from 20 on, and is cancelled in its ninth nap, by default at 855.
void add_cancelled(Recording& recording, std::uint32_t site, Outcome outcome, std::int64_t in_nap = 35) {
    add_naps(recording, 1, 20, 8, site);
    recording.add(1, {.kind = EventKind::sleep,
                      .at = 820,
                      .cpu = 1,
                      .span = in_nap,
                      .value = nap,
                      .site = site,
                      .outcome = outcome});
    recording.end(1, 820 + in_nap);
}

// mktorrent's printer of progress: 1.00 predicted on two CPUs, measured 1.63. Main, which works until 905,
// cancels it.
class CancelledNaps : public testing::TestWithParam<Outcome> {};

TEST_P(CancelledNaps, AreWaitsForThat) {
    Recording recording(2);
    auto const site = recording.site();
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(0, {.kind = EventKind::thread_join, .at = 905, .cpu = 895, .related = 1});
    recording.end(0, 910, 5).begin(1, 20);
    add_cancelled(recording, site, GetParam());
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(delays(program, 1), 0);
    EXPECT_EQ(rows(program, 0),
              (Rows{{create, 10, 1}, {semaphore_post, 845, 0, 1}, {join, 50, 1}, {end, 5}}));
    ASSERT_EQ(program.polling.size(), 1U);
    EXPECT_EQ(program.polling[0], (Polling{SiteId(0), ThreadId(1), 1, 9, Duration{nap}, true}));
}

INSTANTIATE_TEST_SUITE_P(HoweverTheyEnd, CancelledNaps, testing::Values(Outcome::cut_off, Outcome::failed));

// A busy host let main come to it as late as that.
TEST(Polling, AThreadMayBeCancelledAsItsNapEnds) {
    Recording recording(2);
    auto const site = recording.site();
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(0, {.kind = EventKind::thread_join, .at = 916, .cpu = 906, .related = 1});
    recording.end(0, 920, 5).begin(1, 20);
    add_cancelled(recording, site, Outcome::failed, 97);
    EXPECT_EQ(delays(extracted(recording), 1), 0);
}

// Both nap in one function of a library.
TEST(Polling, AThreadThatIsCancelledSaysNothingOfAnotherOne) {
    Recording recording(3);
    auto const site = recording.site();
    recording.begin(0, 0).create(0, 5, 1, 5).create(0, 10, 2, 5);
    recording.add(0, {.kind = EventKind::thread_join, .at = 2'500, .cpu = 2'490, .related = 1});
    recording.end(0, 2'510, 5).begin(1, 20).begin(2, 20);
    add_cancelled(recording, site, Outcome::failed);
    add_naps(recording, 2, 20, 20, site);
    recording.end(2, 2'025);
    EXPECT_EQ(delays(extracted(recording), 1), 0);
    EXPECT_EQ(delays(extracted(recording), 2), 20 * nap);
}

TEST(Polling, WhoCountsThoseThatHaveEndedWaitsForAllOfThem) {
    Recording recording(3);
    auto const site = recording.site();
    recording.begin(0, 0).create(0, 5, 1, 5).create(0, 10, 2, 5);
    add_naps(recording, 0, 15, 10, site, 0);
    recording.end(0, 1'020, 5);
    recording.begin(1, 20).end(1, 500, 240);
    recording.begin(2, 20).end(2, 990, 730);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0), (Rows{{create, 5, 1},
                                      {create, 5, 2},
                                      {semaphore_wait, 0, 0},
                                      {semaphore_wait, 0, 0},
                                      {delay, 0, none, nap / 2},
                                      {end, 5}}));
    EXPECT_EQ(rows(program, 1), (Rows{{semaphore_post, 240, 0, 1}, {end, 0}}));
    EXPECT_EQ(rows(program, 2), (Rows{{semaphore_post, 730, 0, 1}, {end, 0}}));
}

TEST(Polling, ATimedWaitThatNobodySignalsGivesUpItsMutex) {
    Recording recording(2);
    auto const site = recording.site();
    auto const mutex = recording.object(ObjectKind::mutex);
    auto const condition = recording.object(ObjectKind::condition);
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(0, {.kind = EventKind::thread_join, .at = 1'005, .cpu = 995, .span = 20, .related = 1});
    recording.end(0, 1'030, 5).begin(1, 20);
    recording.add(1, {.kind = EventKind::lock, .at = 20, .object = mutex});
    for (int i = 0; i < 10; ++i)
        recording.add(1, {.kind = EventKind::timed_condition_wait,
                          .at = 20 + i * nap,
                          .span = nap,
                          .object = condition,
                          .related = mutex,
                          .value = nap,
                          .site = site,
                          .outcome = Outcome::timed_out});
    recording.add(1, {.kind = EventKind::unlock, .at = 1'021, .object = mutex}).end(1, 1'025);
    std::uint32_t const semaphore = 2;
    EXPECT_EQ(rows(extracted(recording), 1), (Rows{{lock, 0, mutex},
                                                   {unlock, 0, mutex},
                                                   {semaphore_wait, 0, semaphore},
                                                   {delay, 0, none, nap / 2},
                                                   {lock, 0, mutex},
                                                   {unlock, 0, mutex},
                                                   {end}}));
}

// Python's Event.wait(timeout): each wait has a semaphore of its own, and the lock of the event is one, too.
// A flow graph of GNU Radio: 1.00 predicted on two CPUs without a mark, measured 1.42.
TEST(Polling, AnInterpretersTimedWaitsHaveSemaphoresOfTheirOwn) {
    Recording recording(2);
    auto const site = recording.site();
    auto const lock = recording.object(ObjectKind::semaphore);
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(0, {.kind = EventKind::thread_join, .at = 1'005, .cpu = 995, .span = 20, .related = 1});
    recording.end(0, 1'030, 5).begin(1, 20);
    recording.add(1, {.kind = EventKind::semaphore_wait, .at = 20, .object = lock});
    for (int i = 0; i < 10; ++i) {
        auto const own = recording.object(ObjectKind::semaphore);
        recording.add(1, {.kind = EventKind::object_init, .at = 20 + i * nap, .object = own, .value = 1});
        recording.add(1, {.kind = EventKind::semaphore_post, .at = 20 + i * nap, .object = lock, .value = 1});
        recording.add(1, {.kind = EventKind::timed_semaphore_wait,
                          .at = 20 + i * nap,
                          .span = nap,
                          .object = own,
                          .value = nap,
                          .site = site,
                          .outcome = Outcome::timed_out});
        recording.add(1, {.kind = EventKind::try_semaphore_wait, .at = 20 + (i + 1) * nap, .object = lock});
    }
    recording.add(1, {.kind = EventKind::semaphore_post, .at = 1'021, .object = lock, .value = 1});
    recording.end(1, 1'025);
    auto const program = extracted(recording);
    ASSERT_EQ(program.polling.size(), 1U);
    EXPECT_TRUE(program.polling.front().is_understood);
    EXPECT_EQ(delays(program, 1), nap / 2);
}

// A moment for the future of each worker in turn, until one is there. SKESA: 1.21 predicted on two CPUs
// without a mark, measured 1.63.
TEST(Polling, WaitsForSeveralInTurnAreOneRow) {
    Recording recording(3);
    auto const site = recording.site();
    std::array const futures = {recording.object(ObjectKind::futex), recording.object(ObjectKind::futex)};
    recording.begin(0, 0).create(0, 5, 1, 5).create(0, 10, 2, 5);
    for (int i = 0; i < 20; ++i)
        recording.add(0, {.kind = EventKind::timed_futex_wait,
                          .at = 20 + i * nap,
                          .span = nap,
                          .object = futures[i % 2],
                          .value = nap,
                          .site = site,
                          .outcome = Outcome::timed_out});
    recording.add(0, {.kind = EventKind::thread_join, .at = 2'020, .related = 1});
    recording.end(0, 2'100, 5);
    recording.begin(1, 20).end(1, 1'990, 990).begin(2, 20).end(2, 2'090, 980);
    auto const program = extracted(recording);
    ASSERT_EQ(program.polling.size(), 1U);
    EXPECT_TRUE(program.polling.front().is_understood);
    EXPECT_EQ(program.polling.front().looks, 20);
    EXPECT_EQ(delays(program, 0), nap / 2);
}

// The wait that is satisfied is one of them, or another one, at which the thread waits anew.
TEST(Polling, WaitsForSeveralInTurnEndWithOneOfThem) {
    for (int const last : {0, 2}) {
        Recording recording(2);
        auto const site = recording.site();
        std::array const objects = {recording.object(ObjectKind::semaphore),
                                    recording.object(ObjectKind::semaphore),
                                    recording.object(ObjectKind::semaphore)};
        recording.begin(0, 0).create(0, 5, 1, 5);
        auto const add = [&](int i, std::size_t object, Outcome outcome) {
            recording.add(0, {.kind = EventKind::timed_semaphore_wait,
                              .at = 20 + i * nap,
                              .span = nap,
                              .object = objects[object],
                              .value = nap,
                              .site = site,
                              .outcome = outcome});
        };
        for (int i = 0; i < 6; ++i)
            add(i, static_cast<std::size_t>(i % 2), Outcome::timed_out);
        add(6, static_cast<std::size_t>(last), Outcome::done);
        recording.end(0, 800, 5).begin(1, 20);
        recording.add(1, {.kind = EventKind::semaphore_post,
                          .at = 700,
                          .cpu = 600,
                          .object = objects[static_cast<std::size_t>(last)],
                          .value = 1});
        recording.end(1, 710, 5);
        EXPECT_EQ(delays(extracted(recording), 0), last == 0 ? 0 : 6 * nap);
    }
}

// Who posts what others take paces them, and naps on.
TEST(Polling, APaceThatOthersFollowStays) {
    Recording recording(2);
    auto const site = recording.site();
    auto const work = recording.object(ObjectKind::semaphore);
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(0, {.kind = EventKind::thread_join, .at = 1'005, .cpu = 995, .span = 20, .related = 1});
    recording.end(0, 1'030, 5).begin(1, 20);
    for (int i = 0; i < 10; ++i) {
        add_naps(recording, 1, 20 + i * nap, 1, site);
        recording.add(
            1, {.kind = EventKind::semaphore_post, .at = 20 + (i + 1) * nap, .object = work, .value = 1});
    }
    recording.end(1, 1'025);
    EXPECT_EQ(delays(extracted(recording), 1), 10 * nap);
}

// The timer of a virtual machine: it looks for what is due at times that differ, until another thread stops
// it. Its naps set the end of the program otherwise.
TEST(Polling, ATimerThatIsStoppedLivesAsLongAsWhoStopsIt) {
    auto const timer = [](std::int64_t work) {
        Recording recording(2);
        auto const site = recording.site();
        auto const mutex = recording.object(ObjectKind::mutex);
        auto const condition = recording.object(ObjectKind::condition);
        recording.begin(0, 0).create(0, 10, 1, 10);
        recording.add(0, {.kind = EventKind::lock, .at = 10'000'900, .cpu = 9'000'000, .object = mutex});
        recording.add(0, {.kind = EventKind::condition_signal, .at = 10'000'905, .object = condition});
        recording.add(0, {.kind = EventKind::unlock, .at = 10'000'906, .object = mutex});
        recording.add(0, {.kind = EventKind::thread_join, .at = 10'000'910, .span = 100, .related = 1});
        recording.end(0, 10'001'030, 5).begin(1, 20);
        recording.add(1, {.kind = EventKind::lock, .at = 30, .object = mutex});
        std::int64_t at = 100;
        for (std::int64_t const length : {1'000'000, 200'000, 4'000'000, 500'000, 3'000'000}) {
            recording.add(1, {.kind = EventKind::timed_condition_wait,
                              .at = at,
                              .cpu = work,
                              .span = length,
                              .object = condition,
                              .related = mutex,
                              .value = length,
                              .site = site,
                              .outcome = Outcome::timed_out});
            at += length + work;
        }
        recording.add(1, {.kind = EventKind::timed_condition_wait,
                          .at = at,
                          .cpu = work,
                          .span = 10'000'920 - at,
                          .object = condition,
                          .related = mutex,
                          .value = 5'000'000,
                          .site = site});
        recording.add(1, {.kind = EventKind::unlock, .at = 10'000'950, .object = mutex}).end(1, 10'000'960);
        return delays(extracted(recording), 1);
    };
    EXPECT_EQ(timer(10'000), 0);
    EXPECT_EQ(timer(120'000), 8'700'000) << "who works for a twelfth of the time does something";
}

// --- controls

// Another thread has the CPU all the time; nothing tells whether main counts to ten or waits for it.
TEST(Polling, WhatMayBeAFixedNumberStaysAndIsReported) {
    Recording recording(2);
    auto const site = recording.site();
    recording.begin(0, 0).create(0, 10, 1, 10);
    add_naps(recording, 0, 15, 10, site, 0);
    recording.add(0, {.kind = EventKind::thread_join, .at = 1'020, .span = 1'000, .related = 1});
    recording.end(0, 2'030).begin(1, 20).end(1, 2'000, 1'900);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0).size(), 1U + 10U + 2U);
    ASSERT_EQ(program.polling.size(), 1U);
    EXPECT_FALSE(program.polling[0].is_understood);
}

TEST(Polling, RowsOfTheSameNumberAreAFixedNumber) {
    Recording recording(2);
    auto const site = recording.site();
    auto const semaphore = recording.object(ObjectKind::semaphore);
    recording.begin(0, 0).create(0, 10, 1, 10);
    for (std::int64_t begin : {100, 1'000, 2'000, 3'000}) {
        add_naps(recording, 0, begin, 4, site);
        recording.add(0,
                      {.kind = EventKind::semaphore_post, .at = begin + 450, .cpu = 50, .object = semaphore});
    }
    recording.end(0, 4'000).begin(1, 20).end(1, 5'000, 4'000);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0).size(), 1U + 4 * 5U + 1U);
    EXPECT_TRUE(program.polling.empty());
}

TEST(Polling, AloneNobodyWaitsForAnything) {
    Recording recording(1);
    auto const site = recording.site();
    recording.begin(0, 0);
    add_naps(recording, 0, 10, 50, site);
    recording.end(0, 6'000);
    EXPECT_EQ(rows(extracted(recording), 0).size(), 51U);
}

TEST(Polling, WhoeverHoldsALockKeepsItsNaps) {
    Recording recording(2);
    auto const site = recording.site();
    auto const mutex = recording.object(ObjectKind::mutex);
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(0, {.kind = EventKind::thread_join, .at = 1'005, .cpu = 995, .span = 20, .related = 1});
    recording.end(0, 1'030, 5).begin(1, 20);
    recording.add(1, {.kind = EventKind::lock, .at = 20, .object = mutex});
    add_naps(recording, 1, 20, 10, site);
    recording.add(1, {.kind = EventKind::unlock, .at = 1'021, .object = mutex}).end(1, 1'025);
    EXPECT_EQ(rows(extracted(recording), 1).size(), 1U + 10U + 2U);
}

}  // namespace
}  // namespace parcast::extract
