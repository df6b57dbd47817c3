#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/chart/tuning_chart.h"
#include "report/tuning.h"

namespace parcast::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// Six blocks of two layouts; times in ms by the two methods.
Tuning invented() {
    Tuning tuning;
    tuning.subject = "invented";
    tuning.form = "steps";
    tuning.grid.axes = {{"layout", {"row", "diagonal"}},
                        {"block", {"10", "20", "30", "40", "50", "60"}, {10, 20, 30, 40, 50, 60}}};
    tuning.methods = {{"standard", "by the standard algorithm"}, {"simulated", "simulated"}};
    for (auto const ms : {50, 30, 40, 20, 45, 60, 70, 50, 35, 25, 30, 35})
        tuning.points.push_back({tuning.points.size(), {{ms * 1e6, (90 - ms) * 1e6}}});
    tuning.findings.best = {3, 6};
    tuning.findings.near = {9};
    tuning.findings.curves = {{{0, 1, 2, 3, 4, 5}, {1, 3}}, {{6, 7, 8, 9, 10, 11}, {9}}};
    tuning.findings.contests = {
        {0, {{0, 0, 0.4}, {1, 0, 0.6}, {2, 1, 0.1}, {3, 0, 0.2}, {4, 1, 0.5}, {5, 1, 0.7}}, {}}};
    tuning.next_command = "parcast generate";
    return tuning;
}

// Without line ends.
std::string words_of(Tuning const& tuning) {
    auto text = tuning_text(tuning, {});
    std::ranges::replace(text, '\n', ' ');
    for (auto at = text.find("     "); at != std::string::npos; at = text.find("     "))
        text.erase(at, 4);
    return text;
}

TEST(TuningText, TheBestWhatIsNearAndWhereMethodsDisagree) {
    auto const text = words_of(invented());
    EXPECT_THAT(text, HasSubstr("The best is layout row, block 40: 20.0 ms by the standard algorithm"));
    EXPECT_THAT(text, HasSubstr("Within 5 % of it: layout diagonal, block 40 (+25 %)."));
    EXPECT_THAT(text,
                HasSubstr("Simulated the best is another one, layout diagonal, block 10: 20.0 ms, where"));
    EXPECT_THAT(text, HasSubstr("this other one takes 250 % more than the best."));
    EXPECT_THAT(text, HasSubstr("next: parcast generate"));
    auto same = invented();
    same.findings.best = {3, 3};
    same.findings.near = {};
    EXPECT_THAT(words_of(same), HasSubstr("No other point is within 5 % of it."));
    EXPECT_THAT(words_of(same), HasSubstr("Simulated the best point is the same."));
}

TEST(TuningText, SawteethAreListedWithTheirLows) {
    EXPECT_THAT(words_of(invented()),
                HasSubstr("Over block the times are sawteeth, with several lows: layout row at 20 and 40."));
    auto smooth = invented();
    smooth.findings.curves[0].lows = {3};
    EXPECT_THAT(words_of(smooth), HasSubstr("each curve has one low"));
}

TEST(TuningText, WhichNameIsFasterIsSaidByStretchesOrCounted) {
    EXPECT_THAT(
        words_of(invented()),
        HasSubstr("Layout: row is faster for block 10 to 20, by up to 60 % at block 20; diagonal for "
                  "block 30, by 10 %; row for block 40, by 20 %; diagonal for block 50 to 60, by up to "
                  "70 % at block 60."));
    auto mixed = invented();
    mixed.findings.contests[0].winners[1].winner = 1;
    EXPECT_THAT(words_of(mixed),
                HasSubstr("Layout: row is faster for block 10, by 40 %; diagonal for block 20"));
    for (std::size_t place = 0; place < 6; ++place)
        mixed.findings.contests[0].winners[place].winner = place % 2;
    EXPECT_THAT(words_of(mixed), HasSubstr("row is faster at 3 of 6 values, by up to 50 % at block 50; "
                                           "diagonal at 3 of 6 values, by up to 70 % at block 60."));
    mixed.findings.contests[0].otherwise = {{0, 1, 0.1}, {2, 1, 0.1}};
    EXPECT_THAT(words_of(mixed), HasSubstr("Simulated it is diagonal at block 10 and 30."));
}

TEST(TuningText, WhatWasNotLookedAtIsNamed) {
    auto coarse = invented();
    EXPECT_THAT(words_of(coarse), Not(HasSubstr("did not look")));
    coarse.points.erase(coarse.points.begin() + 11);
    coarse.findings.curves[1].points.pop_back();
    EXPECT_THAT(words_of(coarse),
                HasSubstr("The coarse search did not look at 1 point: layout diagonal, block 60."));
}

// It said that the coarse search did not look at the rest, and concluded from two values over all.
TEST(TuningText, AnInterruptedSearchConcludedOverPointsThatItHadNotReached) {
    auto interrupted = invented();
    interrupted.is_interrupted = true;
    interrupted.points.resize(8);
    interrupted.findings.contests[0].winners = {{0, 0, 0.4}, {1, 0, 0.6}};
    auto const words = words_of(interrupted);
    EXPECT_THAT(words, HasSubstr("The search was interrupted after 8 of 12 points, and what follows is about "
                                 "those. The best is"));
    EXPECT_THAT(words, HasSubstr("row is the fastest at 2 of 6 values of block, by up to 60 % at block 20."));
    for (auto const* const untold : {"coarse", "sawteeth", "every value"})
        EXPECT_THAT(words, Not(HasSubstr(untold)));
}

TEST(TuningChart, HasACurveForEachLayoutAndMethodAndMarksTheBest) {
    auto const svg = tuning_chart_svg(invented());
    std::size_t lines = 0;
    for (auto at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1))
        ++lines;
    EXPECT_EQ(lines, 4U);
    EXPECT_THAT(svg, HasSubstr("time, ms"));
    EXPECT_THAT(svg, HasSubstr(">diagonal</text>"));
    EXPECT_THAT(svg, HasSubstr("<circle"));
}

TEST(TuningJson, TimesHaveTheNamesOfTheirMethods) {
    auto const json = tuning_json(invented(), "1");
    EXPECT_THAT(json, HasSubstr("\"schema\": \"parcast.tune/1\""));
    EXPECT_THAT(json, HasSubstr("\"standard_ns\": 50000000.0"));
    EXPECT_THAT(json, HasSubstr("\"block\": 10"));
    EXPECT_THAT(json, HasSubstr("\"The best is layout row, block 40: 20.0 ms by the standard algorithm"))
        << "what is printed";
}

TEST(TuningTitle, IsWhatIsTheSameAtAllPoints) {
    auto tuning = invented();
    tuning.subject = "folder/steps.json";
    tuning.fixed = {{"ranks", "8"}, {"costs", "folder/costs.toml"}, {"copies", "true"}};
    tuning.network = "meiko-cs2: L 9 µs";
    EXPECT_EQ(tuning_title(tuning), "steps.json: ranks 8, costs costs.toml, copies, network meiko-cs2");
}

}  // namespace
}  // namespace parcast::report
