#include "analysis/random_delays.h"

#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

using enum OperationKind;

ThreadProgram program_of(std::vector<OperationList> lists) {
    ThreadProgram program;
    program.catalogue.threads.resize(lists.size());
    program.catalogue.objects.resize(3);
    program.lists = std::move(lists);
    return program;
}

TEST(RandomDelays, CutTheCpuTimeBetweenSynchronisations) {
    auto const found = delays_between_synchronisations(program_of(
        {{make_operation(input_output, 10, 0, 100), make_operation(lock, 2, 1), make_operation(unlock, 3, 1),
          make_operation(delay, 5, 0xffffffff, 300), make_operation(barrier_wait, 7, 2, 2),
          make_operation(input_output, 40, 0, 200), make_operation(end, 0)}}));
    ASSERT_EQ(found.size(), 1U);
    auto const& row = found.front();
    EXPECT_EQ(row.cpu.count(), 2) << "until the barrier, and until the end";
    EXPECT_DOUBLE_EQ(row.cpu.sum(), 27 + 40);
    EXPECT_DOUBLE_EQ(row.elapsed.sum(), 27 + 400 + 40 + 200);
    EXPECT_EQ(row.delay.count(), 3);
    EXPECT_DOUBLE_EQ(row.delay.mean(), 200);
    EXPECT_EQ(row.processing.count(), 3);
    EXPECT_DOUBLE_EQ(row.processing.moments().mean, 20)
        << "10, 10 and 40; that 7 and 0 were cut off before says nothing of them";
}

// A thread of the gateway with 180 ms predicted and 46 measured: its one delay came early, and the CPU time
// after it was dropped, so that it seemed to have a delay every millisecond.
TEST(RandomDelays, TheCpuTimeAfterTheLastDelayIsNotForgotten) {
    auto const found = delays_between_synchronisations(
        program_of({{make_operation(input_output, 1, 0, 4), make_operation(end, 45)}}));
    auto const& row = found.front();
    EXPECT_EQ(row.processing.count(), 1);
    EXPECT_GT(row.processing.moments().mean, 20) << "about one delay in 46";
    EXPECT_LT(row.processing.moments().mean, 92);
}

TEST(RandomDelays, AnIntervalWithoutADelayIsAPieceThatIsCutOff) {
    auto const found = delays_between_synchronisations(
        program_of({{make_operation(barrier_wait, 100, 2, 2), make_operation(barrier_wait, 100, 2, 2),
                     make_operation(input_output, 50, 0, 4), make_operation(end, 50)}}));
    EXPECT_GT(found.front().processing.moments().mean, 100);
}

TEST(RandomDelays, ThreadsWithoutDelaysHaveNoRow) {
    auto const found = delays_between_synchronisations(
        program_of({{make_operation(create, 10, 1), make_operation(join, 3, 1), make_operation(end, 1)},
                    {make_operation(delay, 4, 0xffffffff, 6), make_operation(end, 0)}}));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().thread, ThreadId(1));
}

TEST(RandomDelays, NothingBetweenTwoSynchronisationsIsNoInterval) {
    auto const found = delays_between_synchronisations(
        program_of({{make_operation(delay, 4, 0xffffffff, 6), make_operation(semaphore_wait, 0, 0),
                     make_operation(semaphore_wait, 0, 0), make_operation(end, 0)}}));
    EXPECT_EQ(found.front().cpu.count(), 1);
}

// Two barriers and two intervals of 1,000; the nanosecond of its end was a third one.
TEST(RandomDelays, BehindTheLastBarrierWasAnEmptyInterval) {
    auto const rows = [](std::int64_t last) {
        return delays_between_synchronisations(
            program_of({{make_operation(delay, 500, 0xffffffff, 6), make_operation(barrier_wait, 500, 2, 2),
                         make_operation(delay, 500, 0xffffffff, 6), make_operation(barrier_wait, 500, 2, 2),
                         make_operation(end, last)}}));
    };
    EXPECT_EQ(rows(1).front().cpu.count(), 2);
    EXPECT_DOUBLE_EQ(rows(1).front().cpu.mean(), 1000);
    EXPECT_EQ(rows(400).front().cpu.count(), 3) << "four tenths of the others are work";
}

// 40 barriers and intervals of 100 us, and 41 intervals: the end of the thread itself took 18 us.
TEST(RandomDelays, TheCostOfAnEndWasAnInterval) {
    auto const intervals = [](std::int64_t cpu_ns, std::int64_t last) {
        OperationList list;
        for (int i = 0; i < 40; ++i) {
            list.push_back(make_operation(delay, cpu_ns / 2, 0xffffffff, 500'000));
            list.push_back(make_operation(barrier_wait, cpu_ns / 2, 2, 2));
        }
        list.push_back(make_operation(end, last));
        return delays_between_synchronisations(program_of({list})).front().cpu.count();
    };
    EXPECT_EQ(intervals(100'000, 18'000), 40);
    EXPECT_EQ(intervals(950'000, 18'000), 40);
    EXPECT_EQ(intervals(100'000, 30'000), 41) << "more than a quarter of the least interval is work";
    EXPECT_EQ(intervals(100'000, 1'000'000), 41);
    EXPECT_EQ(intervals(10'000'000, 1'000'000), 41) << "an end does not take a millisecond";
    EXPECT_EQ(intervals(10'000'000, 90'000), 40);
}

TEST(RandomDelays, ALastPieceWithADelayIsAnInterval) {
    auto const found = delays_between_synchronisations(
        program_of({{make_operation(barrier_wait, 100'000, 2, 2),
                     make_operation(delay, 1'000, 0xffffffff, 500), make_operation(end, 0)}}));
    EXPECT_EQ(found.front().cpu.count(), 2);
}

// A recorded Python program had 848 intervals instead of one: its interpreter's lock is a semaphore.
TEST(RandomDelays, ASemaphoreThatServesAsALockBeginsNoInterval) {
    auto const found = delays_between_synchronisations(
        program_of({{make_operation(semaphore_wait, 1, 0), make_operation(semaphore_post, 2, 0, 1),
                     make_operation(delay, 4, 0xffffffff, 6), make_operation(semaphore_wait, 1, 0),
                     make_operation(end, 8)}}));
    EXPECT_EQ(found.front().cpu.count(), 1);
    EXPECT_EQ(found.front().cpu.sum(), 16);
}

TEST(RandomDelays, ASemaphoreThatAnotherThreadPostsIsASynchronisation) {
    auto const found = delays_between_synchronisations(
        program_of({{make_operation(delay, 4, 0xffffffff, 6), make_operation(semaphore_wait, 1, 0),
                     make_operation(delay, 4, 0xffffffff, 6), make_operation(end, 8)},
                    {make_operation(semaphore_post, 2, 0, 1), make_operation(end, 0)}}));
    EXPECT_EQ(found.front().cpu.count(), 2);
}

}  // namespace
}  // namespace parcast::analysis
