#include "measure/interleaved.h"

#include <deque>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::measure {
namespace {

using testing::ElementsAre;

// Runs take what the script says; a script that is used up says: undisturbed.
class ScriptedLaboratory : public Laboratory {
public:
    std::deque<double> busy;          // of the next pauses
    std::deque<double> disturbances;  // of the next runs
    std::deque<double> walls;         // of the next runs, ns
    std::vector<std::size_t> variants;
    unsigned pauses = 0;
    std::size_t fails_at = 1000;

    double rest(Duration) override {
        ++pauses;
        return next(busy);
    }
    Result<ObservedRun> run(std::size_t variant) override {
        if (variants.size() == fails_at)
            return fail(ErrorCode::not_permitted, "no");
        variants.push_back(variant);
        ChildRun run;
        run.wall = Duration{static_cast<std::int64_t>(next(walls))};
        return ObservedRun{run, next(disturbances)};
    }

private:
    static double next(std::deque<double>& script) {
        if (script.empty())
            return 0;
        double const value = script.front();
        script.pop_front();
        return value;
    }
};

TEST(Interleaved, RoundsGoToAndFroThroughTheVariants) {
    ScriptedLaboratory laboratory;
    auto const series = measure_interleaved(3, {.runs = 3}, laboratory);
    ASSERT_TRUE(series);
    EXPECT_THAT(laboratory.variants, ElementsAre(0, 1, 2, 2, 1, 0, 0, 1, 2));
    EXPECT_EQ((*series)[2].runs.size(), 3U);
    EXPECT_EQ((*series)[2].discarded, 0U);
}

// A program of a minute was run six times.
TEST(Interleaved, NoRoundBeginsOnceTheRunsTookEnough) {
    ScriptedLaboratory laboratory;
    laboratory.walls = {60, 30, 30, 60};
    auto const series = measure_interleaved(2, {.runs = 3, .enough = Duration{100}}, laboratory);
    ASSERT_TRUE(series);
    EXPECT_THAT(laboratory.variants, ElementsAre(0, 1, 1, 0));
}

TEST(Interleaved, ADisturbedRunIsMadeAgainAtOnce) {
    ScriptedLaboratory laboratory;
    laboratory.disturbances = {0, 0.2, 0.05, 0.01};
    auto const series = measure_interleaved(2, {.runs = 1}, laboratory);
    ASSERT_TRUE(series);
    EXPECT_THAT(laboratory.variants, ElementsAre(0, 1, 1, 1));
    EXPECT_EQ((*series)[1].discarded, 2U);
    EXPECT_EQ((*series)[1].disturbed, 0U);
    EXPECT_EQ((*series)[1].runs.front().disturbance, 0.01);
}

TEST(Interleaved, OnAMachineThatIsNeverQuietTheLeastDisturbedRunStandsAndIsCounted) {
    ScriptedLaboratory laboratory;
    laboratory.disturbances = {0, 0, 0, 0.3, 0.1, 0.2};
    auto const series = measure_interleaved(1, {.runs = 4, .most_attempts = 3}, laboratory);
    ASSERT_TRUE(series);
    EXPECT_EQ(series->front().runs.back().disturbance, 0.1);
    EXPECT_EQ(series->front().discarded, 2U);
    EXPECT_EQ(series->front().disturbed, 1U);
}

TEST(Interleaved, NoMoreRunsAreDiscardedThanAskedFor) {
    ScriptedLaboratory laboratory;
    laboratory.disturbances.assign(100, 0.5);
    auto const series = measure_interleaved(1, {.runs = 4, .most_attempts = 4}, laboratory);
    ASSERT_TRUE(series);
    EXPECT_EQ(laboratory.variants.size(), 8U);
    EXPECT_EQ(series->front().disturbed, 4U);
}

TEST(Interleaved, ABestRunThatCameByLuckIsTriedAgain) {
    Protocol const protocol{.runs = 3, .further_rounds = 4};
    ScriptedLaboratory lucky;
    lucky.walls = {1000, 800, 1005, 1000, 807};  // 800 stands alone until 807 comes
    auto const series = measure_interleaved(1, protocol, lucky);
    ASSERT_TRUE(series);
    EXPECT_EQ(series->front().runs.size(), 5U);

    ScriptedLaboratory steady;
    steady.walls = {1000, 1200, 1005};
    EXPECT_EQ(measure_interleaved(1, protocol, steady)->front().runs.size(), 3U);

    ScriptedLaboratory falling;
    falling.walls = {1000, 900, 800, 700, 600, 500, 400, 300};
    EXPECT_EQ(measure_interleaved(1, protocol, falling)->front().runs.size(), 7U) << "no further";
}

TEST(Interleaved, AFurtherRoundIsOneOfAllVariantsSinceTheyAreComparedRoundByRound) {
    ScriptedLaboratory laboratory;
    laboratory.walls = {100, 500, 600, 100, 100, 500};
    auto const series = measure_interleaved(2, {.runs = 2, .further_rounds = 3}, laboratory);
    ASSERT_TRUE(series);
    EXPECT_THAT(laboratory.variants, ElementsAre(0, 1, 1, 0, 0, 1));
}

TEST(Interleaved, OfSeveralSamplesTheUndisturbedThenTheFastestIsTheBest) {
    auto const sample = [](std::int64_t user_ns, double disturbance) {
        ObservedRun observed;
        observed.run.user = Duration{user_ns};
        observed.disturbance = disturbance;
        return observed;
    };
    Protocol const protocol;
    EXPECT_TRUE(is_better(sample(100, 0.02), sample(110, 0.0), protocol)) << "neither was disturbed";
    EXPECT_TRUE(is_better(sample(110, 0.0), sample(100, 0.04), protocol)) << "the fast one was disturbed";
    EXPECT_TRUE(is_better(sample(110, 0.1), sample(100, 0.2), protocol)) << "both were";
    EXPECT_FALSE(is_better(sample(100, 0), sample(100, 0), protocol));
}

TEST(Interleaved, ARunStartsWhenTheMachineIsQuietOrPatienceIsUsedUp) {
    ScriptedLaboratory laboratory;
    laboratory.busy = {0.5, 0.5, 0.05};
    ASSERT_TRUE(measure_interleaved(1, {.runs = 1}, laboratory));
    EXPECT_EQ(laboratory.pauses, 3U);

    ScriptedLaboratory busy_for_ever;
    busy_for_ever.busy.assign(100, 1.0);
    Protocol const protocol{.runs = 3, .pause = Duration{1}, .patience = Duration{8}};
    ASSERT_TRUE(measure_interleaved(1, protocol, busy_for_ever));
    EXPECT_EQ(busy_for_ever.pauses, 24U) << "8 for each run, all of them before the first";
    EXPECT_THAT(busy_for_ever.variants, ElementsAre(0, 0, 0));
}

TEST(Interleaved, AProgramThatFailsEndsTheMeasurement) {
    ScriptedLaboratory laboratory;
    laboratory.fails_at = 2;
    EXPECT_FALSE(measure_interleaved(2, {.runs = 5}, laboratory));
    EXPECT_EQ(laboratory.variants.size(), 2U);
}

}  // namespace
}  // namespace parcast::measure
