#include "report/scale_causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::report {
namespace {

using analysis::DeviationPart;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

ScaledCount compared_on_two(std::vector<analysis::Deviation> causes) {
    ScaledCount count;
    count.compared_cpus = 2;
    count.same_threads.emplace();
    count.same_threads->error = 0.07;
    count.same_threads->user_growth = 0.2;
    count.same_threads->causes = std::move(causes);
    return count;
}

TEST(ScaleCauses, OfASmallErrorNothingIsSaid) {
    ScaledCount count = compared_on_two({{DeviationPart::user, 0.16}});
    count.same_threads->error = 0.004;
    EXPECT_THAT(explanation(count), IsEmpty());
}

// 16 % slower stood beside an error of 7 %, without the 9 % that it was faster for another reason.
TEST(ScaleCauses, PartsThatOffsetOthersAreSaidToo) {
    ScaledCount const count = compared_on_two(
        {{DeviationPart::user, 0.16}, {DeviationPart::idle, -0.09}, {DeviationPart::system, 0.004}});
    EXPECT_THAT(explanation(count),
                ElementsAre(StartsWith("16 % slower: its own code takes 20 % more CPU time"),
                            StartsWith("9 % faster: the processors idle less")));
}

TEST(ScaleCauses, GrowthThatWasPredictedIsSaidBesideTheMeasuredOne) {
    ScaledCount count = compared_on_two({{DeviationPart::user, -0.05}});
    count.same_threads->predicted_user_growth = 0.31;
    EXPECT_THAT(
        explanation(count),
        ElementsAre(
            "5 % faster: its own code takes 20 % more CPU time on 2 CPUs than on one, where 31 % more "
            "was predicted."));
}

}  // namespace
}  // namespace parcast::report
