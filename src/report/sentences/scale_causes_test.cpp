#include "report/sentences/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

ScaledCount compared_on_two(std::vector<Deviation> causes) {
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

MeasuredSeries series_on(std::uint32_t cpus, std::vector<MeasuredRun> runs) {
    return {.cpus = cpus, .runs = std::move(runs)};
}

MeasuredRun run_of(std::int64_t ms, double disturbance, bool is_disturbed) {
    MeasuredRun run;
    run.times.wall = Duration{ms * 1'000'000};
    run.disturbance = disturbance;
    run.is_disturbed = is_disturbed;
    return run;
}

// On a loaded machine the idling of its CPUs was explained by wake-ups.
TEST(ScaleCauses, NoneIsToldWhereOthersHadTheCpusInAFastestRun) {
    ScaledCount count = compared_on_two({{DeviationPart::idle, 0.88}});
    count.measured = {series_on(1, {run_of(900, 0.25, true), run_of(950, 0, false)}),
                      series_on(2, {run_of(500, 0.01, false)})};
    EXPECT_THAT(
        explanation(count),
        ElementsAre("Others had 25 % of the time of the CPUs during the fastest run on 1 CPU: no cause "
                    "of the error can be told. Measure again when they are done."));
    count.measured[1] = series_on(2, {run_of(500, 0.5, true)});
    EXPECT_THAT(
        explanation(count),
        ElementsAre(StartsWith("Others had 25 % of the time of the CPUs during the fastest run on 1 CPU, "
                               "and 50 % of the time of the CPUs during the fastest run on 2 CPUs: no")));
}

TEST(ScaleCauses, DisturbedRunsThatAreNotTheFastestDoNotCount) {
    ScaledCount count = compared_on_two({{DeviationPart::idle, 0.08}});
    count.measured = {series_on(1, {run_of(900, 0, false), run_of(950, 0.25, true)}),
                      series_on(2, {run_of(600, 0.4, true), run_of(500, 0, false)})};
    EXPECT_THAT(explanation(count), ElementsAre(StartsWith("8 % slower: the processors idle more")));
}

}  // namespace
}  // namespace parcast::report
