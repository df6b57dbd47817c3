#include "ensemble/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/ensure.h"
#include "support/process_model_builder.h"

namespace parcast::ensemble {

namespace {

class Planned : public testing::Test {
protected:
    Plan plan(ProcessId main, std::vector<double> const& parameters = {}) {
        auto found = plan_of(build.model(), main, parameters);
        EXPECT_TRUE(found) << (found ? "" : found.error().message);
        ensure(found.has_value(), "a model that can be planned");
        return std::move(*found);
    }
    std::vector<StepKind> kinds(Plan const& plan) {
        std::vector<StepKind> result;
        for (auto const& step : plan.steps)
            result.push_back(step.kind);
        return result;
    }
    std::vector<StepKind> kinds(ProcessId main) { return kinds(plan(main)); }

    ProcessModelBuilder build;
    Resource const server = build.resource("s", 0, 1);
    ProcessId const request = build.use(server, build.exponential(1));
    ProcessId const random = build.delay(build.exponential(1));
};

using enum StepKind;

TEST_F(Planned, ConstantsAreAddedToTheTimeBesideThem) {
    EXPECT_THAT(kinds(build.sequence({build.delay(1), build.delay(2), random, build.delay(3)})),
                testing::ElementsAre(draw, end));
    EXPECT_THAT(kinds(build.sequence({build.delay(1), build.delay(2)})), testing::ElementsAre(wait, end));
}

TEST_F(Planned, AFewRandomTimesAreDrawnEach) {
    EXPECT_THAT(kinds(build.sequence({random, random})), testing::ElementsAre(draw, draw, end));
    EXPECT_THAT(kinds(build.repeat(31, random)), testing::ElementsAre(loop, draw, next, end));
}

TEST_F(Planned, ManyRandomTimesAreOneDraw) {
    auto const made = plan(build.repeat(1e6, random));
    EXPECT_THAT(kinds(made), testing::ElementsAre(draw, end));
    EXPECT_DOUBLE_EQ(made.samplers.front().moments().variance, 1e6);
    EXPECT_EQ(made.operations, 1);
}

TEST_F(Planned, ATimeThatDominatesASumIsDrawnOnItsOwn) {
    auto const rare = build.choice(0.01, build.delay(1000), build.nothing());
    EXPECT_THAT(kinds(build.sequence({build.repeat(1000, random), rare})),
                testing::ElementsAre(draw, choose, wait, jump, end));
}

TEST_F(Planned, AUseOfAnUncontendedResourceIsATime) {
    EXPECT_THAT(kinds(build.repeat(100, request)), testing::ElementsAre(draw, end));
    EXPECT_THAT(kinds(build.copies(2, request)), testing::ElementsAre(fork, branch, use, end, end));
}

TEST_F(Planned, EqualBranchesOfOneLawAreTheirGreatestDraw) {
    auto const made = plan(build.copies(100, build.repeat(1000, random)));
    EXPECT_THAT(kinds(made), testing::ElementsAre(greatest, end));
    EXPECT_EQ(made.steps.front().value, 100);
}

TEST_F(Planned, BranchesThatAreEqualAtTheseValuesAreKeptOnce) {
    auto const p = build.new_index("p");
    auto const flop = build.use(build.resource("cpu", build.index(p), build.number(1)), build.exponential(1));
    auto const memory = build.resource("memory", 1000, 1);
    auto const main = build.loop(true, p, build.number(0), build.number(99),
                                 build.sequence({flop, build.use(memory, build.number(1))}));
    auto const made = plan(main);
    EXPECT_THAT(kinds(made), testing::ElementsAre(fork, branch, draw, use, end, end));
    EXPECT_EQ(made.steps[1].value, 100);
    EXPECT_EQ(made.operations, 200);
}

TEST_F(Planned, EqualTimesHaveOneLaw) {
    auto const made =
        plan(build.parallel({build.sequence({random, request}), build.sequence({request, random})}));
    EXPECT_EQ(made.samplers.size(), 1u);
}

TEST_F(Planned, OneBranchNeedsNoFork) {
    EXPECT_THAT(kinds(build.copies(1, build.sequence({random, build.parallel({random})}))),
                testing::ElementsAre(draw, draw, end));
}

TEST_F(Planned, AnUnlikelyModelOfManyTurnsIsRefused) {
    auto const i = build.new_index("i");
    auto const main = build.parallel(
        {build.loop(false, i, build.number(1), build.number(1e9), build.use(server, build.index(i))),
         request});
    auto const found = plan_of(build.model(), main, {});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::out_of_range);
    EXPECT_THAT(found.error().message, testing::HasSubstr("--set"));
}

// The last step of a plan that was one too long was replaced by its end, and nothing was said.
TEST_F(Planned, ThatIsLongerByItsEndAloneIsRefused) {
    auto const i = build.new_index("i");
    constexpr double others = 6;  // the fork, its two branches and their ends, the request
    auto const turns = build.loop(false, i, build.number(1), build.number(most_plan_steps - others),
                                  build.use(server, build.index(i)));
    EXPECT_FALSE(plan_of(build.model(), build.parallel({turns, request}), {}));
}

TEST_F(Planned, ARandomNumberOfUnlikeTurnsIsRefused) {
    auto const i = build.new_index("i");
    auto const main =
        build.loop(false, i, build.number(1), build.moments({5, 1, 0, 3}), build.delay(build.index(i)));
    auto const found = plan_of(build.model(), main, {});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::unsupported);
}

}  // namespace

}  // namespace parcast::ensemble
