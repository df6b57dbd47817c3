#include "analysis/event_times.h"

#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

Catalogue with_objects() {
    Catalogue catalogue;
    catalogue.threads.resize(2);
    catalogue.objects.resize(2);
    catalogue.objects[0].kind = ObjectKind::mutex;
    catalogue.objects[1].kind = ObjectKind::condition;
    return catalogue;
}

Interval interval(std::int64_t begin, std::int64_t end, ThreadState state,
                  ObjectId object = ObjectId::none()) {
    return {.begin = {begin}, .end = {end}, .thread = ThreadId(0), .object = object, .state = state};
}

TEST(AlgorithmicBlocking, LastsFromTheIssueOfTheReadUntilTheWriteIsInitiated) {
    EXPECT_EQ(algorithmic_blocking({8}, {10}), Duration{2});
    EXPECT_EQ(algorithmic_blocking({15}, {14}), Duration{0})
        << "the write was there: what blocks is transport";
}

TEST(EventTimes, AWaitForALockIsContentionAndOneForASignalIsAlgorithmic) {
    auto const catalogue = with_objects();
    EventTimes times(2, catalogue, Duration{10});
    times.add(interval(0, 10, ThreadState::running));
    times.add(interval(10, 13, ThreadState::blocked, ObjectId(0)));
    times.add(interval(13, 20, ThreadState::blocked, ObjectId(1)));
    times.add(interval(20, 25, ThreadState::blocked));  // for a thread
    times.add(interval(25, 26, ThreadState::ready));
    times.add(interval(26, 28, ThreadState::switching));
    times.add(interval(28, 30, ThreadState::running));
    times.add(interval(30, 31, ThreadState::switching));  // of a thread that it creates
    times.add(interval(31, 40, ThreadState::input_output));
    auto const thread = times.threads()[0];
    EXPECT_EQ(thread.running, Duration{12});
    EXPECT_EQ(thread.contended, Duration{3});
    EXPECT_EQ(thread.algorithmic, Duration{12});
    EXPECT_EQ(thread.ready, Duration{1});
    EXPECT_EQ(thread.resuming, Duration{2});
    EXPECT_EQ(thread.creating, Duration{1});
    EXPECT_EQ(thread.delayed, Duration{9});
    EXPECT_EQ(thread.blocked(), Duration{25});
}

TEST(EventTimes, IntegralsOfTheProfileAreTheTotalsHoweverOftenItsStepsDouble) {
    auto const catalogue = with_objects();
    EventTimes times(2, catalogue, Duration{1}, 4);
    std::int64_t now = 0;
    for (std::int64_t i = 1; i <= 100; ++i) {
        times.add(interval(now, now + i, ThreadState::running));
        times.add(interval(now + i, now + i + 3, ThreadState::blocked, ObjectId(1)));
        now += i + 3;
    }
    auto const steps = times.profile(Duration{now});
    EXPECT_LE(steps.size(), 4U);
    double running = 0;
    double blocked = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        auto const end = i + 1 < steps.size() ? steps[i + 1].begin_ns : now;
        running += steps[i].running * static_cast<double>(end - steps[i].begin_ns);
        blocked += steps[i].blocked * static_cast<double>(end - steps[i].begin_ns);
    }
    EXPECT_NEAR(running, static_cast<double>(times.threads()[0].running.ns), 1e-6);
    EXPECT_NEAR(blocked, static_cast<double>(times.threads()[0].blocked().ns), 1e-6);
}

TEST(EventTimes, ARunWithoutTimeHasNoProfile) {
    auto const catalogue = with_objects();
    EXPECT_TRUE(EventTimes(2, catalogue, Duration{1}).profile(Duration{0}).empty());
}

}  // namespace
}  // namespace parcast::analysis
