#include "report/chart/model_chart.h"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// Twice P, and N on top.
Answer prediction_of(std::vector<double> clients, std::vector<double> turns) {
    Answer prediction;
    prediction.basis.emplace<ModelBasis>();
    prediction.file = "models/a.pam";
    prediction.model().of = "main";
    prediction.model().swept = {{"P", std::move(clients), false}, {"N", std::move(turns), false}};
    for (double const p : prediction.model().swept[0].values) {
        for (double const n : prediction.model().swept[1].values) {
            prediction.model().points.push_back({{2 * p + n, 1, 0, 3}, {}, {}, std::nullopt});
            prediction.model().band.push_back({2 * p + n - 1, 2 * p + n + 1});
        }
    }
    return prediction;
}

std::size_t count_of(std::string const& text, std::string const& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(ModelChart, HasACurveWithItsBandForEachValueOfTheOtherParameters) {
    auto const svg = model_chart_svg(prediction_of({1, 2, 3}, {10, 20}));
    EXPECT_EQ(count_of(svg, "<polyline class=\"mean\""), 2u);
    EXPECT_EQ(count_of(svg, "<polygon class=\"band\""), 2u);
    EXPECT_THAT(svg, HasSubstr(">N = 10<"));
    EXPECT_THAT(svg, HasSubstr(">N = 20<"));
}

TEST(ModelChart, TakesTheFirstParameterWithSeveralValuesForItsAxis) {
    auto const svg = model_chart_svg(prediction_of({7}, {10, 20, 30}));
    EXPECT_EQ(count_of(svg, "<polyline class=\"mean\""), 1u);
    EXPECT_THAT(svg, HasSubstr(">N</text>"));
}

TEST(ModelChart, ShowsSomeOfManyCurves) {
    auto const svg = model_chart_svg(prediction_of({1, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(count_of(svg, "<polyline class=\"mean\""), most_curves);
    EXPECT_THAT(svg, HasSubstr(">N = 1<"));
    EXPECT_THAT(svg, HasSubstr(">N = 9<")) << "the first and the last are among them";
}

TEST(ModelChart, GoesFromLeftToRightWhateverTheOrderOfThePoints) {
    auto const rising = prediction_of({1, 2, 3}, {0});
    auto const falling = prediction_of({3, 2, 1}, {0});
    EXPECT_EQ(model_chart_svg(rising), model_chart_svg(falling));
}

TEST(ModelChart, NamesItsFileAndWhatIsFixedAndLetsNoTextBeMarkup) {
    auto prediction = prediction_of({1, 2}, {0});
    prediction.file = "models/<b>&.pam";
    prediction.model().fixed = {{"t_l", 10}};
    auto const svg = model_chart_svg(prediction);
    EXPECT_THAT(svg, HasSubstr("&lt;b&gt;&amp;.pam: main, t_l = 10"));
    EXPECT_THAT(svg, Not(HasSubstr("<b>")));
}

TEST(ModelChart, ShowsSimulatedPointsWithTheirIntervals) {
    auto prediction = prediction_of({1, 2}, {0});
    for (auto const& point : prediction.model().points)
        prediction.model().simulated.push_back(
            {point.time, {point.time.mean - 0.2, point.time.mean + 0.2}, {}, {}, {}, {}, 9});
    EXPECT_EQ(count_of(model_chart_svg(prediction), "<line class=\"bar\""), 2u);
}

TEST(ModelChart, DrawsATheoryWhereItHasValues) {
    auto prediction = prediction_of({1, 2, 3}, {0});
    prediction.model().theories.push_back({"MVA", "mva", {2.5, std::nullopt, 6.5}});
    auto const svg = model_chart_svg(prediction);
    auto const line = svg.substr(svg.find("<polyline class=\"theory\""));
    EXPECT_EQ(count_of(line.substr(0, line.find("/>")), ","), 2u);
    EXPECT_THAT(svg, HasSubstr(">MVA<"));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace parcast::report
