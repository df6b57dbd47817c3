#include "core/progress_text.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

TEST(ProgressText, ACountIsReadBackFromTheEndOfATextOnly) {
    auto const part = counted_part(progress_text("replaying 8 CPUs", {3, 12}));
    ASSERT_TRUE(part);
    EXPECT_EQ(part->number, 3u);
    EXPECT_EQ(part->count, 12u);
    EXPECT_TRUE(counted_part("simulating point 3 of 12"));
    EXPECT_FALSE(counted_part("reading pigz.4711.parcast"));
    EXPECT_FALSE(counted_part("run 3 of at least 12"));
    EXPECT_FALSE(counted_part("writing the trace of sh"));
    EXPECT_FALSE(counted_part(""));
}

TEST(ProgressText, TimesLeftAreRoughAndNeverNothing) {
    EXPECT_EQ(rough_time_text(2e8), "1 s");
    EXPECT_EQ(rough_time_text(42.4e9), "42 s");
    EXPECT_EQ(rough_time_text(180e9), "3 min");
    EXPECT_EQ(rough_time_text(7200e9), "2 h");
}

}  // namespace
}  // namespace parcast
