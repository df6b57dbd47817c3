// The queues of the engine against a sorted list, and the rounding of the virtual clock.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "simulate/run_queue.h"
#include "simulate/virtual_clock.h"

namespace parcast::simulate {
namespace {

TEST(RunQueue, OrdersByRankThenByArrivalAndReturnsGoFirst) {
    RunQueue queue;
    queue.push(ThreadId(4), 20);
    queue.push(ThreadId(2), 10);
    queue.push(ThreadId(3), 10);
    queue.push_first(ThreadId(1), 10);
    queue.push_first(ThreadId(0), 10);
    queue.push(ThreadId(9), -5);
    EXPECT_EQ(queue.highest_rank(), 20);
    queue.remove(ThreadId(9));
    auto const odd = queue.first_allowed([](ThreadId thread) { return thread.value % 2 == 1; });
    EXPECT_EQ(odd, ThreadId(1));
    for (std::uint32_t expected = 0; expected < 5; ++expected)
        EXPECT_EQ(queue.pop(), ThreadId(expected));
    EXPECT_TRUE(queue.empty());
}

// One processor, shared by 3, then 7, then 2 threads: thirds and sevenths of nanoseconds are remembered.
TEST(VirtualClock, ACompletionNeverPrecedesItsWorkAndIsLateByLessThanANanosecond) {
    VirtualClock clock(1);
    clock.set_running(3, 0);
    auto const finish = clock.after(0, 1'000'000'007);
    clock.set_running(7, 100);    // 100/3 ns of work done
    clock.set_running(2, 1'000);  // and 900/7
    // Half the speed for what is left: 1000 + 2 (1e9 + 7 - 100/3 - 900/7) = 2000000690.19...
    EXPECT_EQ(clock.real(finish), 2'000'000'691);
}

TEST(VirtualClock, WithAProcessorForEachThreadWorkTakesItsTimeExactly) {
    VirtualClock clock(4);
    clock.set_running(4, 0);
    clock.set_running(3, 5);
    EXPECT_EQ(clock.real(clock.after(9, 1'000'000'001)), 1'000'000'010);
}

// Thousands of changes whose fractions do not cancel: the roundings stay below what real() forgives.
TEST(VirtualClock, RoundingDoesNotGrowIntoANanosecond) {
    VirtualClock clock(2);
    clock.set_running(3, 0);
    auto const finish = clock.after(0, 20'000);
    std::int64_t now = 0;
    for (int change = 0; change < 3'000; ++change)
        clock.set_running(3, ++now);
    EXPECT_EQ(clock.real(finish), 30'000);
}

}  // namespace
}  // namespace parcast::simulate
