#include "extract/passes/passes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "core/kernel_locks.h"

#include "support/operation_rows.h"

namespace parcast::extract {
namespace {

using enum OperationKind;

Recording with_futex(std::size_t threads) {
    Recording recording(threads);
    recording.object(ObjectKind::futex);
    recording.begin(0, 0);
    for (std::size_t child = 1; child < threads; ++child)
        recording.create(0, 0, static_cast<std::uint32_t>(child)).begin(child, 0);
    return recording;
}

void wait(Recording& recording, std::size_t thread, std::int64_t at, std::int64_t until) {
    recording.add(thread, {.kind = EventKind::futex_wait, .at = at, .span = until - at, .object = 0});
}

void wake(Recording& recording, std::size_t thread, std::int64_t at, std::int64_t woken) {
    recording.add(thread, {.kind = EventKind::futex_wake, .at = at, .object = 0, .value = woken});
}

void yields(Recording& recording, std::size_t thread, std::int64_t at, int times = 1, std::int64_t work = 0) {
    for (int i = 0; i < times; ++i)
        recording.add(thread, {.kind = EventKind::yield, .at = at + i, .cpu = i == 0 ? work : 0});
}

std::size_t arrivals(ThreadProgram const& program, std::size_t thread) {
    return static_cast<std::size_t>(std::ranges::count(program.lists[thread], condition_barrier,
                                                       [](Operation const& each) { return each.kind(); }));
}

ThreadProgram ended(Recording& recording) {
    for (std::size_t thread = 0; thread < recording.timeline().events.size(); ++thread)
        recording.end(thread, 1'000);
    return extracted(recording);
}

TEST(Futexes, AWakeIsRecordedAfterItsWaiterMayHaveReturned) {
    Recording recording = with_futex(2);
    wait(recording, 1, 10, 30);
    wake(recording, 0, 32, 1);
    ThreadProgram const program = ended(recording);
    EXPECT_EQ(rows(program, 0), (Rows{{create, 0, 1}, {condition_signal, 0, 0, 1}, {end}}));
    EXPECT_EQ(rows(program, 1), (Rows{{condition_wait, 0, 0, -1}, {end}}));
}

TEST(Futexes, AWakeOfNobodyIsNothing) {
    Recording recording = with_futex(1);
    wake(recording, 0, 32, 0);
    EXPECT_EQ(rows(ended(recording), 0), (Rows{{end}}));
}

TEST(Futexes, AGateThatACreatorOpensIsNoBarrier) {
    Recording recording = with_futex(3);
    wait(recording, 1, 10, 30), wait(recording, 2, 11, 31);
    wake(recording, 0, 20, 2);
    EXPECT_TRUE(ended(recording).barriers.empty());
}

TEST(Futexes, WhoeverWakesAllOthersIsTheLastArriverOfABarrier) {
    Recording recording = with_futex(3);
    wait(recording, 0, 10, 30), wait(recording, 2, 11, 31);
    wake(recording, 1, 20, 2);
    wait(recording, 1, 40, 60), wait(recording, 2, 41, 61);
    wake(recording, 0, 50, 2);
    ThreadProgram const program = ended(recording);
    ASSERT_EQ(program.barriers.size(), 1U);
    EXPECT_EQ(program.barriers[0], (ConditionBarrier{3, ObjectId(0), ObjectId::none()}));
    EXPECT_EQ(rows(program, 1), (Rows{{condition_barrier, 0, 0, 0}, {condition_barrier, 0, 0, 0}, {end}}));
}

// As std::barrier does when a slice ends while it yields: the thread finds the phase over, and never waits.
TEST(Futexes, AThreadThatYieldsWhenTheOthersAreReleasedHasArrivedAtTheBarrierToo) {
    Recording recording = with_futex(3);
    wait(recording, 0, 10, 30), wait(recording, 2, 11, 31);
    wake(recording, 1, 20, 2);
    recording.add(2, {.kind = EventKind::yield, .at = 41});
    wait(recording, 1, 40, 60);
    wake(recording, 0, 50, 1);
    ThreadProgram const program = ended(recording);
    ASSERT_EQ(program.barriers.size(), 1U);
    EXPECT_EQ(rows(program, 2), (Rows{{condition_barrier, 0, 0, 0}, {condition_barrier, 0, 0, 0}, {end}}));
}

TEST(Futexes, AThreadThatIsMissingWithoutAYieldMakesItNoBarrier) {
    Recording recording = with_futex(3);
    wait(recording, 0, 10, 30), wait(recording, 2, 11, 31);
    wake(recording, 1, 20, 2);
    wait(recording, 1, 40, 60);
    wake(recording, 0, 50, 1);
    EXPECT_TRUE(ended(recording).barriers.empty());
}

constexpr std::int64_t phase_ns = 100'000;  // of work

// Thread 2 loses the CPU in the first of its yields, finds the phase over, and has nothing to do in the next
// one. One recording of three of six_step_fft had such rows, and its varied replays deadlocked.
TEST(Futexes, OfARowOfYieldsBeforeAWaitThoseThatNoOtherWaitMakesAreAnArrival) {
    Recording recording = with_futex(3);
    yields(recording, 0, 10, 4), wait(recording, 0, 15, 30);
    wake(recording, 1, 20, 1);
    yields(recording, 2, 32, 5), wait(recording, 2, 37, 60);
    yields(recording, 0, 40, 4), wait(recording, 0, 45, 61);
    wake(recording, 1, 50, 2);
    yields(recording, 1, 64, 4), wait(recording, 1, 69, 80), yields(recording, 2, 65, 4),
        wait(recording, 2, 70, 81);
    wake(recording, 0, 75, 2);
    ThreadProgram const program = ended(recording);
    ASSERT_EQ(program.barriers.size(), 1U);
    EXPECT_EQ(rows(program, 2), (Rows{{condition_barrier, 0, 0, 0},
                                      {yield, 0, 0xffffffff, 0},
                                      {yield, 0, 0xffffffff, 0},
                                      {yield, 0, 0xffffffff, 0},
                                      {yield, 0, 0xffffffff, 0},
                                      {condition_barrier, 0, 0, 0},
                                      {yield, 0, 0xffffffff, 0},
                                      {yield, 0, 0xffffffff, 0},
                                      {yield, 0, 0xffffffff, 0},
                                      {yield, 0, 0xffffffff, 0},
                                      {condition_barrier, 0, 0, 0},
                                      {end, 0, 0xffffffff, 0}}));
}

// It counts the threads that are on their way to wait, and calls the futex for them.
TEST(Futexes, AWakeOfNobodyEndsAPhaseIfAllOthersWereYielding) {
    Recording recording = with_futex(3);
    yields(recording, 0, 10), yields(recording, 2, 12);
    wake(recording, 1, 20, 0);
    yields(recording, 1, 40, 1, phase_ns), wait(recording, 1, 41, 60);
    yields(recording, 2, 42, 1, phase_ns), wait(recording, 2, 43, 61);
    wake(recording, 0, 50, 2);
    ThreadProgram const program = ended(recording);
    ASSERT_EQ(program.barriers.size(), 1U);
    for (std::size_t const thread : {0, 1, 2})
        EXPECT_EQ(arrivals(program, thread), 2U) << thread;
}

TEST(Futexes, AWakeOfNobodyIsNothingIfSomebodyElseWasNotYielding) {
    Recording recording = with_futex(3);
    yields(recording, 0, 10);
    wake(recording, 2, 20, 0);
    wait(recording, 0, 40, 60), wait(recording, 2, 41, 61);
    wake(recording, 1, 50, 2);
    ThreadProgram const program = ended(recording);
    ASSERT_EQ(program.barriers.size(), 1U);
    for (std::size_t const thread : {0, 1, 2})
        EXPECT_EQ(arrivals(program, thread), 1U) << thread;
}

// The last thread loses the CPU after it ended the phase, and before it calls the futex. Thread 2 finds the
// phase over, and waits in the next one when the call comes.
TEST(Futexes, AWakeThatComesLateIsNoneOfTheNextPhase) {
    Recording recording = with_futex(3);
    wait(recording, 0, 10, 30);
    yields(recording, 2, 12);
    wait(recording, 2, 18, 52);
    wake(recording, 1, 20, 2);
    wait(recording, 0, 40, 60);
    wake(recording, 1, 50, 1);
    wait(recording, 1, 70, 90), wait(recording, 2, 71, 91);
    wake(recording, 0, 80, 2);
    ThreadProgram const program = ended(recording);
    ASSERT_EQ(program.barriers.size(), 1U);
    for (std::size_t const thread : {0, 1, 2})
        EXPECT_EQ(arrivals(program, thread), 3U) << thread;
}

// Thread 2 comes when the second phase is over: it can have seen the end of one of them only.
TEST(Futexes, OneRowOfYieldsAfterTwoReleasesIsNotAnArrivalForBoth) {
    Recording recording = with_futex(3);
    wait(recording, 0, 10, 30);
    wake(recording, 1, 20, 1);
    wait(recording, 1, 40, 60);
    wake(recording, 0, 50, 1);
    yields(recording, 2, 70, 4), yields(recording, 2, 90, 1, phase_ns);
    wait(recording, 1, 100, 120), wait(recording, 2, 101, 121);
    wake(recording, 0, 110, 2);
    EXPECT_TRUE(ended(recording).barriers.empty());
}

// It was not yielding then.
TEST(Futexes, AThreadThatDidSomethingElseAfterTheReleaseHadNotArrivedByALaterYield) {
    Recording recording = with_futex(3);
    auto const mutex = recording.object(ObjectKind::mutex);
    wait(recording, 0, 10, 30), wait(recording, 2, 11, 31);
    wake(recording, 1, 20, 2);
    wait(recording, 1, 40, 60);
    wake(recording, 0, 50, 1);
    recording.add(2, {.kind = EventKind::lock, .at = 55, .object = mutex});
    recording.add(2, {.kind = EventKind::unlock, .at = 56, .object = mutex});
    yields(recording, 2, 70);
    EXPECT_TRUE(ended(recording).barriers.empty());
}

TEST(Futexes, YieldsBeforeAWaitForAnotherFutexAreNoArrival) {
    Recording recording = with_futex(3);
    auto const other = recording.object(ObjectKind::futex);
    yields(recording, 0, 10, 4), wait(recording, 0, 15, 30);
    yields(recording, 2, 10, 4), wait(recording, 2, 16, 31);
    wake(recording, 1, 20, 2);
    yields(recording, 2, 35, 4);
    recording.add(2, {.kind = EventKind::futex_wait, .at = 40, .span = 60, .object = other});
    yields(recording, 1, 40, 4), wait(recording, 1, 45, 60);
    wake(recording, 0, 50, 1);
    EXPECT_TRUE(ended(recording).barriers.empty());
}

// A page fault that the kernel noted between its yields took those before it for another arrival.
TEST(Futexes, UsesOfTheMemoryMapBreakNoRowOfYields) {
    Recording recording = with_futex(3);
    auto const map = recording.object(ObjectKind::reader_writer_lock);
    recording.timeline().catalogue.objects.back().name = name_of(KernelLock::memory_map);
    auto const fault = [&](std::size_t thread, std::int64_t at) {
        recording.add(thread, {.kind = EventKind::read_lock, .at = at, .object = map});
        recording.add(thread, {.kind = EventKind::read_write_unlock, .at = at, .object = map});
    };
    yields(recording, 0, 10, 4), wait(recording, 0, 15, 30);
    yields(recording, 2, 10, 2), fault(2, 12), yields(recording, 2, 13, 2), fault(2, 15),
        wait(recording, 2, 16, 31);
    wake(recording, 1, 20, 2);
    yields(recording, 1, 40, 4), wait(recording, 1, 45, 60);
    yields(recording, 2, 40, 4), wait(recording, 2, 46, 61);
    wake(recording, 0, 50, 2);
    ThreadProgram const program = ended(recording);
    ASSERT_EQ(program.barriers.size(), 1U);
    for (std::size_t const thread : {0, 1, 2})
        EXPECT_EQ(arrivals(program, thread), 2U) << thread;
}

}  // namespace
}  // namespace parcast::extract
