// Values are derived by hand where they stand; else they are held to the model compiled with the same values.

#include "forecast/live_model.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::forecast {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr double rounding = 1e-9;  // relative: the same formula, simplified in another order

Result<std::string> no_file(std::string_view) {
    return fail(ErrorCode::not_found, "no file");
}

ModelText text_of(std::string_view text) {
    return {text, "model.pam", no_file};
}

LiveQuestion asked(std::string of = "main") {
    return {{std::move(of), std::nullopt, false}, {50, 95}, {}};
}

// P threads, each N times: work without the lock, then work with it.
constexpr std::string_view one_lock =
    "numeric parameter P = 3\n"
    "numeric N = 4\n"
    "numeric t = 5\n"
    "numeric cycle = t + 1\n"
    "resource lock = fcfs(0, 1)\n"
    "process main = par (p = 1, P) seq (i = 1, N) { delay(t) ; use(lock, cycle - t) }\n";

constexpr std::string_view random_times =
    "numeric P = 4\n"
    "numeric mean = 2\n"
    "resource lock = fcfs(0, 1)\n"
    "process main = par (p = 1, P) { delay(exponential(3 * mean)) ; use(lock, exponential(mean)) }\n";

OpenedModel opened(std::string_view text, std::vector<pamela::Setting> const& given = {},
                   LiveQuestion const& question = asked()) {
    auto model = open_movable(text_of(text), given, question);
    EXPECT_TRUE(model.has_value()) << (model ? "" : model.error().message);
    return std::move(*model);
}

std::vector<std::string> names_of(LiveModel const& model) {
    std::vector<std::string> names;
    for (auto const& parameter : model.parameters())
        names.push_back(parameter.name);
    return names;
}

// Those of the text but for the ones named.
std::vector<double> with(LiveModel const& model, std::map<std::string, double> const& moved) {
    std::vector<double> values;
    for (auto const& [name, value, is_count] : model.parameters())
        values.push_back(moved.contains(name) ? moved.at(name) : value);
    return values;
}

ModelPoint point_of(LiveModel const& model, std::map<std::string, double> const& moved) {
    auto const point = model.point(with(model, moved));
    EXPECT_TRUE(point.has_value()) << (point ? "" : point.error().message);
    return point->point;
}

TEST(LiveModel, EveryNumberWithANameCanBeMoved) {
    auto const model = opened(one_lock).model;
    EXPECT_THAT(names_of(model), UnorderedElementsAre("P", "N", "t")) << "the cycle follows from t";
    for (auto const& parameter : model.parameters())
        EXPECT_EQ(parameter.is_count, parameter.name != "t") << parameter.name;
    EXPECT_THAT(with(model, {}), UnorderedElementsAre(3, 4, 5));
}

TEST(LiveModel, HasTheTimeOfItsValues) {
    auto const model = opened(one_lock).model;
    // N (t + 1) for each thread; the lock works P N.
    EXPECT_DOUBLE_EQ(point_of(model, {}).time.mean, 24);
    EXPECT_FALSE(point_of(model, {}).is_bound_by_resource);
    auto const many = point_of(model, {{"P", 8}});
    EXPECT_DOUBLE_EQ(many.time.mean, 32);
    EXPECT_DOUBLE_EQ(many.critical_path.mean, 24);
    EXPECT_TRUE(many.is_bound_by_resource);
    ASSERT_TRUE(many.resource.has_value());
    EXPECT_EQ(model.resources()[*many.resource], "lock");
    EXPECT_DOUBLE_EQ(point_of(model, {{"P", 8}, {"N", 10}, {"t", 9}}).time.mean, 100);
}

// A number of the page is a number of `predict MODEL --set ...`, from two processes on: with one alone nobody
// contends for the lock, which only a formula without P knows.
TEST(LiveModel, HasTheMomentsAndQuantilesOfTheModelCompiledWithItsValues) {
    auto const live = opened(random_times).model;
    for (double const threads : {2.0, 9.0, 40.0})
        for (double const mean : {0.5, 2.0, 31.0}) {
            std::vector<pamela::Setting> const settings{{"P", threads, false}, {"mean", mean, false}};
            auto const fixed = LiveModel::open(text_of(random_times), settings, asked());
            ASSERT_TRUE(fixed.has_value()) << fixed.error().message;
            ASSERT_THAT(fixed->parameters(), SizeIs(0));
            auto const expected = fixed->point({});
            auto const found = live.point(with(live, {{"P", threads}, {"mean", mean}}));
            ASSERT_TRUE(expected && found);
            auto const& time = expected->point.time;
            EXPECT_NEAR(found->point.time.mean, time.mean, rounding * time.mean);
            EXPECT_NEAR(found->point.time.variance, time.variance, rounding * time.variance);
            ASSERT_THAT(found->quantiles, SizeIs(2));
            for (std::size_t level = 0; level < 2; ++level)
                EXPECT_NEAR(found->quantiles[level], expected->quantiles[level],
                            1e-6 * expected->quantiles[level])
                    << "a quantile is found by search";
            EXPECT_LT(found->band.low, time.mean);
            EXPECT_GT(found->band.high, time.mean);
        }
}

TEST(LiveModel, BeginsWithTheValuesThatItsReaderWasGiven) {
    auto const model = opened(one_lock, {{"N", 6, false}}).model;
    EXPECT_THAT(names_of(model), UnorderedElementsAre("P", "N", "t"));
    EXPECT_DOUBLE_EQ(point_of(model, {}).time.mean, 36);
    EXPECT_DOUBLE_EQ(point_of(model, {{"N", 1}}).time.mean, 6) << "and they can be moved, too";
}

TEST(LiveModel, OpensAgainByItsSettings) {
    auto const first = opened(random_times, {{"mean", 7, false}});
    auto const again = LiveModel::open(text_of(random_times), first.settings, asked());
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(names_of(*again), names_of(first.model));
    auto const values = with(first.model, {{"P", 12}});
    EXPECT_EQ(again->point(values)->point.time, first.model.point(values)->point.time);
}

TEST(LiveModel, OfMoreNumbersThanThePageHasRoomForNamesTheOthers) {
    std::string text;
    std::string sum = "0";
    for (std::size_t i = 0; i < most_movable + 2; ++i) {
        text += "numeric n" + std::to_string(i) + " = 1\n";
        sum += " + n" + std::to_string(i);
    }
    auto const model = opened(text + "process main = delay(" + sum + ")\n");
    EXPECT_THAT(model.model.parameters(), SizeIs(most_movable));
    ASSERT_THAT(model.immovable, SizeIs(2));
    EXPECT_THAT(model.immovable.front().reason, HasSubstr("room for " + std::to_string(most_movable)));
    EXPECT_DOUBLE_EQ(point_of(model.model, {}).time.mean, most_movable + 2.0);
}

TEST(LiveModel, DividesTimesAsAsked) {
    auto question = asked();
    question.formula.per = "N";
    auto const model = opened(one_lock, {}, question).model;
    EXPECT_DOUBLE_EQ(point_of(model, {{"N", 50}}).time.mean, 6);
    auto const work = model.resource_work(with(model, {{"N", 50}}));
    ASSERT_TRUE(work.has_value());
    ASSERT_THAT(*work, SizeIs(1));
    EXPECT_DOUBLE_EQ(work->front().work, 3) << "of three threads, a turn";
}

TEST(LiveModel, RefusesATextWithItsFirstErrorAndAParameterWithoutAValue) {
    auto const wrong = open_movable(text_of("process main = delay(t_wait)\n"), {}, asked());
    ASSERT_FALSE(wrong.has_value());
    EXPECT_THAT(wrong.error().message, HasSubstr("t_wait"));
    auto const open = open_movable(text_of("numeric parameter P\nprocess main = delay(P)\n"), {}, asked());
    ASSERT_FALSE(open.has_value());
    EXPECT_EQ(open.error().code, ErrorCode::unasked);
    EXPECT_THAT(open.error().message, HasSubstr("'P' has no value"));
}

TEST(LiveModel, KnowsWhatEachParameterDoes) {
    auto const model = opened(one_lock).model;
    auto const effects = model.effects(with(model, {}));
    ASSERT_TRUE(effects.has_value()) << effects.error().message;
    ASSERT_THAT(*effects, SizeIs(3));
    // N (t + 1): in proportion to N; t is 5/6 of a turn; threads beside the longest one do not matter.
    EXPECT_EQ((*effects)[0].parameter, "N");
    EXPECT_NEAR((*effects)[0].mean_elasticity, 1, 1e-9);
    EXPECT_EQ((*effects)[1].parameter, "t");
    EXPECT_NEAR((*effects)[1].mean_elasticity, 5.0 / 6, 1e-9);
    EXPECT_NEAR((*effects)[2].mean_elasticity, 0, 1e-9);
}

TEST(LiveModel, BoundsItsPhasesByThemselves) {
    auto question = asked();
    question.formula.phases = true;
    auto const model = opened(
                           "numeric P = 4\n"
                           "resource lock = fcfs(0, 1)\n"
                           "process main = par (p = 1, P) delay(10) ; par (p = 1, P) use(lock, 3)\n",
                           {}, question)
                           .model;
    auto const phases = model.phases(with(model, {}));
    ASSERT_TRUE(phases.has_value());
    std::vector<double> means;
    for (auto const& phase : *phases)
        means.push_back(phase.time.mean);
    EXPECT_THAT(means, ElementsAre(10, 12));
    EXPECT_DOUBLE_EQ(point_of(model, {}).time.mean, 22);
}

// --- the simulation

TEST(LiveModel, SimulatesTheQueueThatTheFormulaLeavesOut) {
    auto const model = opened(one_lock).model;
    auto const values = with(model, {{"P", 8}, {"N", 1}});
    auto const simulated = model.simulate(values);
    ASSERT_TRUE(simulated.has_value()) << simulated.error().message;
    EXPECT_DOUBLE_EQ(simulated->point.time.mean, 13) << "8 arrive at 5 and are served one after the other";
    EXPECT_EQ(simulated->point.runs, 1U) << "nothing is random";
    EXPECT_DOUBLE_EQ(point_of(model, {{"P", 8}, {"N", 1}}).time.mean, 8);
}

TEST(LiveModel, SimulatesWithTheLimitsThatWereAskedFor) {
    auto question = asked();
    question.simulation = {.runs = 9, .precision = std::nullopt, .seed = 2};
    auto const model = opened(random_times, {}, question).model;
    auto const first = model.simulate(with(model, {}));
    auto const again = model.simulate(with(model, {}));
    ASSERT_TRUE(first && again);
    EXPECT_EQ(first->point.runs, 9U);
    EXPECT_EQ(first->point.time, again->point.time) << "the same seed";
    question.simulation.seed = 3;
    auto const other = opened(random_times, {}, question).model;
    EXPECT_NE(other.simulate(with(other, {}))->point.time, first->point.time) << "another seed";
}

TEST(LiveModel, SimulatesProcessesAndNoEquations) {
    auto const model = opened(one_lock, {}, asked("cycle")).model;
    EXPECT_DOUBLE_EQ(point_of(model, {{"t", 11}}).time.mean, 12);
    auto const simulated = model.simulate(with(model, {}));
    ASSERT_FALSE(simulated.has_value());
    EXPECT_EQ(simulated.error().code, ErrorCode::unsupported);
    EXPECT_THAT(simulated.error().message, HasSubstr("'cycle' is an equation"));
}

// --- sentences

TEST(LiveModel, SaysWhatItsValuesMean) {
    auto const model = opened(one_lock).model;
    auto const sentences = model.sentences(with(model, {{"P", 8}}));
    ASSERT_TRUE(sentences.has_value());
    EXPECT_EQ(sentences->front(), "main takes 32.0000, in every run.");
    EXPECT_THAT((*sentences)[1], HasSubstr("lock bounds the time"));
}

}  // namespace
}  // namespace parcast::forecast
