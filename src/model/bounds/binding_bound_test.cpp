#include "model/bounds/binding_bound.h"

#include <gtest/gtest.h>

#include "support/program_builder.h"

namespace parcast::model {
namespace {

ProgramBuilder programs(std::uint32_t threads) {
    return ProgramBuilder(threads, 1);
}

ThreadProgram at_start(ProgramBuilder const& builder) {
    auto program = builder.finish();
    for (auto& parameters : program.parameters)
        parameters.at_start = true;
    return program;
}

BindingBound bound_of(ProgramBuilder const& builder, std::uint32_t processors) {
    return binding_bound(thread_bounds(at_start(builder)), processors);
}

BindingBound by(BindingBoundBy reason, std::int64_t time) {
    return {Duration{time}, reason};
}

// Paper IV, figure 2. With a processor for each thread it takes 16.
TEST(BindingBound, DoesNotFollowTheOrderInWhichLocksWereTaken) {
    auto builder = programs(3);
    auto const m = builder.object(ObjectKind::mutex);
    builder.thread(0).work(3).lock(m).work(1).unlock(m).work(9);
    builder.thread(1).work(4);
    builder.thread(2).work(2).lock(m).work(4).unlock(m);
    EXPECT_EQ(bound_of(builder, 2), by(BindingBoundBy::thread, 13));
    EXPECT_EQ(bound_of(builder, 1), by(BindingBoundBy::work, 23));
}

// Paper IV, section 4.
TEST(BindingBound, FollowsWaitsForOtherThreads) {
    auto builder = programs(4);
    auto const first = builder.object(ObjectKind::semaphore);
    auto const second = builder.object(ObjectKind::semaphore);
    builder.thread(0).work(1003).post(first, 2);
    builder.thread(1).work(1000).post(second, 2);
    builder.thread(2).wait(first).wait(second).work(1001);
    builder.thread(3).wait(first).wait(second).work(1002);
    EXPECT_EQ(bound_of(builder, 2), by(BindingBoundBy::span, 2005));
}

TEST(BindingBound, SomeOfManyThreadsShareAProcessor) {
    auto builder = programs(3);
    for (std::uint32_t thread = 0; thread < 3; ++thread)
        builder.thread(thread).work(10);
    EXPECT_EQ(bound_of(builder, 2), by(BindingBoundBy::sharing, 20));
    EXPECT_EQ(bound_of(builder, 3).time, Duration{10});
}

TEST(BindingBound, ALockIsHeldByOneAfterTheOther) {
    auto builder = programs(3);
    auto const m = builder.object(ObjectKind::mutex);
    for (std::uint32_t thread = 0; thread < 3; ++thread)
        builder.thread(thread).work(2).lock(m).work(10).unlock(m).work(1);
    BindingBound const expected{Duration{2 + 30 + 1}, BindingBoundBy::lock, m};
    EXPECT_EQ(bound_of(builder, 3), expected);
}

TEST(BindingBound, OfALockTheShortestWaysToItAndFromItCount) {
    auto builder = programs(2);
    auto const m = builder.object(ObjectKind::mutex);
    builder.thread(0).work(50).lock(m).work(100).unlock(m).work(3);
    builder.thread(1).work(4).lock(m).work(100).unlock(m).work(20);
    EXPECT_EQ(bound_of(builder, 2).time, Duration{4 + 200 + 3});
}

// Two posters, one unit each, and a thread that needs both: it may not go on after the first one.
TEST(BindingBound, TheKthWaitOfAThreadNeedsKReleases) {
    auto builder = programs(3);
    auto const units = builder.object(ObjectKind::semaphore);
    builder.thread(0).work(10).post(units);
    builder.thread(1).work(30).post(units);
    builder.thread(2).wait(units).wait(units).work(5);
    EXPECT_EQ(bound_of(builder, 3), by(BindingBoundBy::span, 35));
}

// Either may get the unit of the first poster.
TEST(BindingBound, AWaitThatSeveralReleasesMayEndCountsFromTheEarliest) {
    auto builder = programs(4);
    auto const units = builder.object(ObjectKind::semaphore);
    builder.thread(0).work(10).post(units);
    builder.thread(1).work(30).post(units);
    builder.thread(2).wait(units).work(25);
    builder.thread(3).wait(units).work(1);
    EXPECT_EQ(bound_of(builder, 4).time, Duration{35});
}

// It decided, though another thread gave the lock back long before.
TEST(BindingBound, ALockThatAnotherThreadGivesBackBoundsNothing) {
    auto builder = programs(3);
    auto const m = builder.object(ObjectKind::mutex);
    builder.thread(0).lock(m).work(10);
    builder.thread(1).work(1).unlock(m);
    builder.thread(2).work(2).lock(m).work(10).unlock(m);
    EXPECT_EQ(bound_of(builder, 3), by(BindingBoundBy::thread, 12));
}

// The later, smaller one had not freed who came before it.
TEST(BindingBound, ABarrierOpensAfterTheLeastOfItsParticipants) {
    auto builder = programs(3);
    auto const m = builder.object(ObjectKind::mutex);
    auto const barrier = builder.object(ObjectKind::barrier);
    builder.thread(0).work(1).add(OperationKind::barrier_wait, barrier.value, 3).lock(m).work(5).unlock(m);
    builder.thread(1).work(2).add(OperationKind::barrier_wait, barrier.value, 2);
    builder.thread(2).work(20).lock(m).work(5).unlock(m);
    EXPECT_EQ(bound_of(builder, 3).time, Duration{25});
}

TEST(BindingBound, BarriersRendezvousAndDelaysAreWaitedFor) {
    auto builder = programs(2);
    auto const barrier = builder.object(ObjectKind::barrier);
    for (std::uint32_t thread = 0; thread < 2; ++thread)
        builder.thread(thread)
            .work(thread == 0 ? 10 : 20)
            .add(OperationKind::barrier_wait, barrier.value, 2)
            .work(thread == 0 ? 20 : 10)
            .add(OperationKind::barrier_wait, barrier.value, 2);
    EXPECT_EQ(bound_of(builder, 2), by(BindingBoundBy::span, 40));

    auto meeting = programs(2);
    meeting.thread(0).work(7).activate(1).work(1);
    meeting.thread(1).sleep(9).accept().work(2);
    EXPECT_EQ(bound_of(meeting, 2), by(BindingBoundBy::span, 11));
}

}  // namespace
}  // namespace parcast::model
