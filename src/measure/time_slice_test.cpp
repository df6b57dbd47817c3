#include "measure/time_slice.h"

#include <thread>

#include <gtest/gtest.h>

namespace parcast::measure {
namespace {

// Linux before 6.12 knows no slices of single threads, and some containers forbid to ask for them.
class TimeSliceOfThread : public testing::Test {
    void SetUp() override {
        if (!grants_slices(long_slice))
            GTEST_SKIP() << "this kernel grants no long time slices";
    }
};

TEST_F(TimeSliceOfThread, IsLongWhileAskedForAndUsualAfterwards) {
    Duration const usual = own_slice();
    EXPECT_NE(usual, long_slice);
    {
        TimeSlice const slices(long_slice);
        EXPECT_EQ(own_slice(), long_slice);
    }
    EXPECT_EQ(own_slice(), usual);
}

TEST_F(TimeSliceOfThread, IsInheritedByThreadsStartedMeanwhile) {
    TimeSlice const slices(long_slice);
    Duration inherited;
    std::jthread([&] { inherited = own_slice(); }).join();
    EXPECT_EQ(inherited, long_slice);
}

// The kernel's limits are 0.1 and 100 ms: it takes the nearest.
TEST_F(TimeSliceOfThread, ThatTheKernelWouldNotTakeAsItIsIsNotGranted) {
    EXPECT_FALSE(grants_slices(Duration{1'000'000'000}));
}

}  // namespace
}  // namespace parcast::measure
