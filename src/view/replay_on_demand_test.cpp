#include "view/replay_on_demand.h"

#include <vector>

#include <gtest/gtest.h>

namespace parcast::view {

using Points = std::vector<analysis::SpeedUpAt>;

TEST(ExtentSentence, IsThatOfPredict) {
    EXPECT_EQ(
        extent_sentence(Points{{1, 1}, {2, 1.9}, {4, 2.1}}),
        "Scales to 2 CPUs: from there to 4, each added CPU brings less than half of what one CPU does.");
    EXPECT_EQ(
        extent_sentence(Points{{1, 1}, {2, 1.9}}),
        "Scales to 2 CPUs, the most that was predicted: each added CPU brings at least half of what one "
        "CPU does.");
    EXPECT_EQ(extent_sentence(Points{{1, 1}, {2, 0.97}}),
              "Does not scale: 2 CPUs are 0.97 times as fast as one.");
    EXPECT_EQ(extent_sentence(Points{{64, 8}}),
              "64 CPUs are 8.00 times as fast as one: an efficiency of 12 %.");
}

TEST(ExtentSentence, NeedsMoreThanOneCpu) {
    EXPECT_EQ(extent_sentence(Points{}), "");
    EXPECT_EQ(extent_sentence(Points{{1, 1}}), "");
}

}  // namespace parcast::view
