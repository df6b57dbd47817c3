// A wait that yields before it blocks must be seen to block; a thread that polls must not eat the one CPU.

#include <gtest/gtest.h>

#include <algorithm>

#include "recorded_run.h"

namespace parcast::tests {
namespace {

std::int64_t count(Timeline const& timeline, std::size_t thread, EventKind kind) {
    auto const& events = timeline.events.at(thread);
    return std::count_if(events.begin(), events.end(),
                         [=](Event const& event) { return event.kind == kind; });
}

TEST(Yields, BeforeAWaitOfTheCppLibraryDoNotHideWhatItWaitsFor) {
    Timeline const timeline = record("yields", {"barrier"}).only();
    ASSERT_EQ(timeline.events.size(), 2u);
    // In each of the 20 phases one of the two threads waits.
    EXPECT_GE(count(timeline, 0, EventKind::futex_wait) + count(timeline, 1, EventKind::futex_wait), 20);
}

TEST(Yields, OfAThreadThatPollsLetTheOtherRun) {
    // Beside other programs on its CPU, the thread that looks gets as much of it as the others.
    constexpr int tries = 5;
    double most = 0;
    for (int i = 0; i < tries && most <= 5; ++i) {
        Timeline const timeline = record("yields", {"polling"}).only();
        ASSERT_EQ(timeline.events.size(), 2u);
        most = std::max(most, static_cast<double>(cpu_time_ns(timeline, ThreadId(1))) /
                                  static_cast<double>(cpu_time_ns(timeline, ThreadId(0))));
    }
    EXPECT_GT(most, 5) << "thread 1 computes, and thread 0 does nothing but look";
}

}  // namespace
}  // namespace parcast::tests
