// Which ready task is taken next, by queues that shall take them in the same order.

#include "model/deterministic/ready_queue.h"

#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace parcast::model {
namespace {

struct Values {
    char const* name;
    double (*of)(std::mt19937_64&);
};

class BucketsAndHeap : public testing::TestWithParam<Values> {};

// Tasks become ready and are taken in turn, and then all that is left is taken.
TEST_P(BucketsAndHeap, TakeTheSameTasks) {
    constexpr std::uint32_t tasks = 5000;
    std::mt19937_64 bits(1993);
    std::vector<double> value;
    while (value.size() < tasks)
        value.push_back(GetParam().of(bits));
    PriorityQueue heap(value);
    BucketQueue buckets(value);
    auto const take = [&] {
        ASSERT_FALSE(buckets.is_empty());
        ASSERT_EQ(buckets.pop(), heap.pop());
    };
    for (std::uint32_t task = 0; task < tasks; task += 5) {
        heap.push({task, task + 5});
        buckets.push({task, task + 5});
        for (auto taken = bits() % 9; taken > 0 && !heap.is_empty(); --taken)
            take();
    }
    while (!heap.is_empty())
        take();
    EXPECT_TRUE(buckets.is_empty());
}

INSTANTIATE_TEST_SUITE_P(
    ReadyQueue, BucketsAndHeap,
    testing::Values(
        Values{"Uniform", [](std::mt19937_64& bits) { return static_cast<double>(bits() % 1'000'000); }},
        Values{"WithTies", [](std::mt19937_64& bits) { return static_cast<double>(bits() % 10); }},
        Values{"AllZero", [](std::mt19937_64&) { return 0.0; }},
        Values{"BothZeros", [](std::mt19937_64& bits) { return bits() % 2 == 0 ? 0.0 : -0.0; }},
        Values{"OneFarAway", [](std::mt19937_64& bits) { return bits() % 100 == 0 ? 1e300 : 1e9 + 1.0; }},
        Values{"TooSmallToDivideBy",
               [](std::mt19937_64& bits) {
                   return static_cast<double>(bits() % 3) * std::numeric_limits<double>::denorm_min();
               }}),
    [](auto const& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace parcast::model
