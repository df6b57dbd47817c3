#include "report/prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::report {
namespace {

using testing::HasSubstr;
using testing::Not;

Answer one_point(Moments const& time) {
    Answer prediction;
    prediction.basis.emplace<ModelBasis>();
    prediction.file = "a.pam";
    prediction.model().of = "main";
    prediction.model().levels = {50};
    prediction.model().points = {{time, time, {}, std::nullopt}};
    prediction.model().quantiles = {time.mean};
    return prediction;
}

Layout const plain{Colour::off, 100, Detail::short_form};

TEST(ModelText, LeavesOutTheShapeOfWhatDoesNotVary) {
    auto const text = model_prediction_text(one_point(deterministic(346)), plain);
    EXPECT_THAT(text, HasSubstr("346.000"));
    EXPECT_THAT(text, Not(HasSubstr("skewness")));
    EXPECT_THAT(text, Not(HasSubstr("50 %")));
}

TEST(ModelText, SaysWhichResourceBoundsTheTimeAndHowBusyItIs) {
    auto prediction = one_point({20, 4, 0, 3});
    prediction.model().resources = {"cpu", "bus"};
    prediction.model().points = {{{20, 4, 0, 3}, {10, 1, 0, 3}, {20, 4, 0, 3}, 1U, true}};
    EXPECT_THAT(model_prediction_text(prediction, plain), HasSubstr("bus       bus 100 %"));
    prediction.model().points = {{{20, 4, 0, 3}, {20, 4, 0, 3}, {10, 1, 0, 3}, 0U, false}};
    EXPECT_THAT(model_prediction_text(prediction, plain), HasSubstr("path      cpu 50 %"));
}

TEST(ModelText, PutsTheSimulationBesideTheFormula) {
    auto prediction = one_point({9, 4, 0, 3});
    prediction.model().method = ModelMethod::both;
    prediction.model().simulated = {{{10, 9, 0, 3}, {9.9, 10.1}, {}, {}, {}, {10}, 100}};
    auto const text = model_prediction_text(prediction, plain);
    EXPECT_THAT(text, HasSubstr("10.0000 ± 0.1"));
    EXPECT_THAT(text, HasSubstr("-10.0 %"));
}

TEST(ModelText, OfASimulationAloneHasItsMomentsAndRuns) {
    auto prediction = one_point({9, 4, 0, 3});
    prediction.model().method = ModelMethod::simulate;
    prediction.model().points.clear();
    prediction.model().simulated = {{{10, 9, 0.5, 3.5}, {9.9, 10.1}, {}, {}, {}, {9.5}, 123}};
    auto const text = model_prediction_text(prediction, plain);
    EXPECT_THAT(text, HasSubstr("0.5000"));
    EXPECT_THAT(text, HasSubstr("123"));
    EXPECT_THAT(text, HasSubstr("9.50000"));
}

TEST(ModelText, ShowsSensitivitiesOfFewPointsOnly) {
    auto prediction = one_point({9, 4, 0, 3});
    prediction.model().effects = {{{"N", 10, 0.9, 0.4, 1, 1}}};
    EXPECT_THAT(model_prediction_text(prediction, plain), HasSubstr("+1.000"));
    prediction.model().effects.resize(5);
    EXPECT_THAT(model_prediction_text(prediction, plain), HasSubstr("at every point: --json"));
}

}  // namespace
}  // namespace parcast::report
