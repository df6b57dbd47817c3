#include "study/placeholder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::study {
namespace {

using testing::ElementsAre;

TEST(Placeholder, IsReplacedWhereverItStands) {
    EXPECT_THAT(with_count({"tool", "-j{cpus}", "{cpus}x{cpus}", "plain"}, 16),
                ElementsAre("tool", "-j16", "16x16", "plain"));
}

TEST(Placeholder, OtherBracesAreThePrograms) {
    EXPECT_THAT(with_count({"find", "{}", "{cpu}", "{cpus"}, 2), ElementsAre("find", "{}", "{cpu}", "{cpus"));
    EXPECT_FALSE(has_placeholder({"find", "{}", "{cpu}"}));
    EXPECT_TRUE(has_placeholder({"lu", "{cpus}"}));
}

}  // namespace
}  // namespace parcast::study
