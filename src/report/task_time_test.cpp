#include "report/task_time.h"

#include <gtest/gtest.h>

namespace parcast::report {
namespace {

// 1.8e20 ns of work were "-2562048 h".
TEST(TaskTime, BeyondWhatAnIntegerHoldsIsNotNegative) {
    EXPECT_EQ(task_time_text(3600e9 * 5e7), "50000000 h");
    EXPECT_EQ(task_time_text(3600e9 * 1e6), "1000000 h");
}

TEST(TaskTime, IsSaidAsEveryOtherTime) {
    EXPECT_EQ(task_time_text(0), "0 s");
    EXPECT_EQ(task_time_text(4.97e9), "4.97 s");
}

}  // namespace
}  // namespace parcast::report
