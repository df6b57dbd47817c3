#include "core/counted.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

TEST(CountText, GroupsDigitsByThousands) {
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(999), "999");
    EXPECT_EQ(count_text(61'204), "61,204");
    EXPECT_EQ(count_text(1'000'000), "1,000,000");
    EXPECT_EQ(count_text(-1'234), "-1,234");
}

TEST(Counted, TakesThePluralForAllButOne) {
    EXPECT_EQ(counted(0, "thread"), "0 threads");
    EXPECT_EQ(counted(1, "thread"), "1 thread");
    EXPECT_EQ(counted(61'204, "thread"), "61,204 threads");
}

TEST(Counted, TakesAPluralThatIsMoreThanAnS) {
    EXPECT_EQ(counted(1, "thread was", "threads were"), "1 thread was");
    EXPECT_EQ(counted(2, "thread was", "threads were"), "2 threads were");
}

}  // namespace
}  // namespace parcast
