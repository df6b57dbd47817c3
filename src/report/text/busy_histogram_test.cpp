#include "report/text/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::report {
namespace {

using testing::HasSubstr;

TEST(BusySigns, AreAsHighAsTheirShareOfTheTime) {
    EXPECT_EQ(busy_signs({0, 1, 0, 1}), "·▄·▄");
    EXPECT_EQ(busy_signs({0, 0, 4}), "··█");
    EXPECT_EQ(busy_signs({0, 1, 999}), "·▁█") << "what is hardly ever so is not nothing";
    EXPECT_EQ(busy_signs({0, 0, 0}), "");
}

TEST(BusySigns, OfManyProcessorsShareOne) {
    std::vector<double> busy_for_ns(65);
    busy_for_ns[0] = busy_for_ns[1] = busy_for_ns[8] = busy_for_ns[64] = 1;
    EXPECT_EQ(busy_signs(busy_for_ns), "▂▄······▂") << "none, 1 to 8, 9 to 16, ..., 57 to 64";
}

TEST(BusyHistogram, HasALineForEachNumberTheMostFirst) {
    auto const text = busy_histogram({1, 0, 3});
    EXPECT_EQ(text,
              "  busy at once, share of the time\n"
              "            2    75 %  ██████████████████████████████\n"
              "            1     0 %\n"
              "            0    25 %  ██████████\n");
}

TEST(BusyHistogram, OfManyProcessorsHasALineForARange) {
    std::vector<double> busy_for_ns(101);
    busy_for_ns[100] = 1;
    EXPECT_THAT(busy_histogram(busy_for_ns), HasSubstr("  91-100   100 %  ████"));
}

}  // namespace
}  // namespace parcast::report
