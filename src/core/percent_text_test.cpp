#include "core/percent_text.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

struct Case {
    double share;
    char const* text;
    char const* because;
};

class PercentText : public testing::TestWithParam<Case> {};

TEST_P(PercentText, ShowsSmallSharesButNotAsZero) {
    EXPECT_EQ(percent_text(GetParam().share), GetParam().text) << GetParam().because;
}

INSTANTIATE_TEST_SUITE_P(Shares, PercentText,
                         testing::Values(Case{0, "0 %", "nothing"}, Case{1e-6, "<0.1 %", "not nothing"},
                                         Case{0.0006, "0.1 %", "rounds up to the first decimal"},
                                         Case{0.004, "0.4 %", "a decimal below one percent"},
                                         Case{0.0096, "1 %", "rounds up to one, not to 1.0"},
                                         Case{0.824, "82 %", "none above"}, Case{1.0, "100 %", "all"},
                                         Case{2.5, "250 %", "a share of one CPU can exceed one"},
                                         Case{-0.0042, "-0.4 %", "a difference can be negative"}));

}  // namespace
}  // namespace parcast
