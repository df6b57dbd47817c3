#include "cli/progress.h"

#include <gtest/gtest.h>

#include "cli/progress_clock.h"

namespace parcast::cli {
namespace {

constexpr std::int64_t second = 1'000'000'000;

// `advise` worked for 40 s in stages under 10 s, and printed no line.
TEST(ProgressClock, EachStageBeganAnew) {
    ProgressClock clock;
    for (int stage = 0; stage < 3; ++stage) {
        clock.work((100 + 9 * stage) * second);
        clock.rest((108 + 9 * stage) * second);
    }
    clock.work(127 * second);
    EXPECT_EQ(clock.due_elsewhere_ns(), 110 * second);
    EXPECT_EQ(clock.due_on_terminal_ns(), 101 * second);
    clock.show(127 * second);
    EXPECT_EQ(clock.due_elsewhere_ns(), 137 * second);
}

TEST(ProgressClock, ARequestAfterALongRestIsOtherWork) {
    ProgressClock clock;
    clock.work(100 * second);
    clock.show(110 * second);
    clock.rest(111 * second);
    clock.work(500 * second);
    EXPECT_EQ(clock.due_on_terminal_ns(), 501 * second);
    EXPECT_EQ(clock.due_elsewhere_ns(), 510 * second);
}

// "replaying it for ranges: 106 of 250", 104, 107: threads that begin parts tell so in any order.
TEST(Progress, TheCountOfPartsRanBackwards) {
    EXPECT_TRUE(is_late("replaying it for ranges: 104 of 250", "replaying it for ranges: 106 of 250"));
    EXPECT_FALSE(is_late("replaying it for ranges: 107 of 250", "replaying it for ranges: 106 of 250"));
    EXPECT_FALSE(is_late("replaying it for ranges: 1 of 250", "replaying it for ranges: 106 of 250"))
        << "the step begins again";
    EXPECT_FALSE(is_late("replaying it for ranges: 104 of 300", "replaying it for ranges: 106 of 250"));
    EXPECT_FALSE(is_late("executing it: 2 of 9", "replaying it for ranges: 106 of 250"));
    EXPECT_FALSE(is_late("reading", "replaying it for ranges: 106 of 250"));
}

}  // namespace
}  // namespace parcast::cli
