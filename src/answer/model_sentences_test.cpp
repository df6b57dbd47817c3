#include "answer/model_sentences.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> const resources{"lock", "disk"};

// A time of 20 by the critical path; the busiest resource works for `busiest`.
ModelPointFacts facts_of(double busiest, double variance = 0) {
    ModelPointFacts facts;
    facts.of = "main";
    facts.point.critical_path = {20, variance, 0, 3};
    facts.point.busiest = {busiest, 0, 0, 3};
    facts.point.is_bound_by_resource = busiest > 20;
    facts.point.time = facts.point.is_bound_by_resource ? facts.point.busiest : facts.point.critical_path;
    facts.point.resource = 1;
    facts.resources = resources;
    return facts;
}

TEST(ModelSentences, BeginWithHowLongItTakes) {
    auto facts = facts_of(5);
    EXPECT_EQ(model_point_sentences(facts).front(), "main takes 20.0000, in every run.");
    facts.per = "N";
    EXPECT_EQ(model_point_sentences(facts).front(), "main takes 20.0000 per N, in every run.");
}

TEST(ModelSentences, OfARandomTimeHaveItsDeviationAndItsHighestQuantile) {
    auto facts = facts_of(5, 9);
    EXPECT_EQ(model_point_sentences(facts).front(),
              "main takes 20.0000 on average, with a standard deviation of 3.00000.")
        << "no quantiles were asked for";
    std::vector<double> levels{95, 50};
    std::vector<double> const quantiles{25, 20};
    facts.levels = levels;
    facts.quantiles = quantiles;
    EXPECT_EQ(model_point_sentences(facts).front(),
              "main takes 20.0000 on average, with a standard deviation of 3.00000; "
              "95 % of the runs end within 25.0000.");
    levels[0] = 99.9;
    EXPECT_THAT(model_point_sentences(facts).front(), HasSubstr("; 99.9 % of the runs"));
}

TEST(ModelSentences, NameWhatBoundsTheTime) {
    auto free = facts_of(0);
    free.point.resource.reset();
    EXPECT_THAT(model_point_sentences(free)[1], StartsWith("Nothing is contended for"));
    EXPECT_THAT(model_point_sentences(facts_of(5))[1], AllOf(StartsWith("The critical path bounds the time"),
                                                             HasSubstr("disk, is in use for 25 %")));
    EXPECT_THAT(model_point_sentences(facts_of(40))[1],
                AllOf(StartsWith("disk bounds the time"), HasSubstr("the critical path would take 20.0000")));
}

// Each phase has a resource of its own.
TEST(ModelSentences, OfPhasesNameNoResourceThatBoundsThemAll) {
    auto facts = facts_of(40);
    facts.has_phases = true;
    EXPECT_THAT(model_point_sentences(facts)[1],
                AllOf(HasSubstr("In a phase or more"), Not(HasSubstr("disk"))));
}

TEST(ModelSentences, WarnWhereQueueingIsLeftOutTheMost) {
    auto const warning = Contains(HasSubstr("disk is nearly as busy as the critical path is long"));
    EXPECT_THAT(model_point_sentences(facts_of(19)), warning);
    EXPECT_THAT(model_point_sentences(facts_of(21)), warning);
    EXPECT_THAT(model_point_sentences(facts_of(10)), Not(warning));
    EXPECT_THAT(model_point_sentences(facts_of(40)), Not(warning));
}

TEST(ModelSentences, NameTheParameterThatMattersMost) {
    auto facts = facts_of(5);
    std::vector<ParameterEffect> effects{{"t_work", 4, 2.5, 0, 0.5, 0}, {"N", 8, 1, 0, 0.4, 0}};
    facts.effects = effects;
    EXPECT_THAT(model_point_sentences(facts).back(),
                AllOf(StartsWith("t_work matters most"), HasSubstr("longer")));
    effects[0].mean_elasticity = -0.5;
    EXPECT_THAT(model_point_sentences(facts).back(), HasSubstr("shorter"));
    effects[0].mean_elasticity = 0.001;
    EXPECT_THAT(model_point_sentences(facts), SizeIs(2)) << "too little for a sentence";
}

TEST(ModelSentences, DoubtQuantilesOfMomentsThatNoKnownLawHas) {
    auto facts = facts_of(5);
    facts.point.is_matched = false;
    EXPECT_THAT(model_point_sentences(facts).back(), StartsWith("No law with these four moments is known"));
    facts.point.is_attainable = false;
    EXPECT_THAT(model_point_sentences(facts).back(), StartsWith("No law has these four moments"));
    EXPECT_THAT(model_point_sentences(facts), SizeIs(3)) << "one of the two";
}

}  // namespace
}  // namespace parcast
