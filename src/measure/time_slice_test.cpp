#include "measure/time_slice.h"

#include <thread>

#include <gtest/gtest.h>

namespace parcast::measure {
namespace {

// Linux before 6.12 knows no slices of single threads, and some containers forbid to ask for them.
bool kernel_grants_long_slices() {
    bool granted = false;
    std::jthread([&] {
        ask_for_long_slices();
        granted = has_long_slices();
    }).join();
    return granted;
}

class TimeSlice : public testing::Test {
    void SetUp() override {
        if (!kernel_grants_long_slices()) {
            GTEST_SKIP() << "this kernel grants no long time slices";
        }
    }
};

TEST_F(TimeSlice, IsLongWhileAskedForAndUsualAfterwards) {
    EXPECT_FALSE(has_long_slices());
    {
        LongSlices const slices;
        EXPECT_TRUE(has_long_slices());
    }
    EXPECT_FALSE(has_long_slices());
}

TEST_F(TimeSlice, IsInheritedByThreadsStartedMeanwhile) {
    LongSlices const slices;
    bool inherited = false;
    std::jthread([&] { inherited = has_long_slices(); }).join();
    EXPECT_TRUE(inherited);
}

}  // namespace
}  // namespace parcast::measure
