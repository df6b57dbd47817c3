#include "extract/passes/passes.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace parcast::extract
