// Searches over invented sawteeth: the best is found, what is not looked at is known, and a search that is
// shared or taken up again goes the same way.

#include "search/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace parcast::search {
namespace {

TuningAxis numbers(std::string name, std::size_t count) {
    TuningAxis axis{std::move(name), {}};
    for (std::size_t i = 1; i <= count; ++i) {
        axis.values.push_back(std::to_string(i));
        axis.numbers.push_back(static_cast<double>(i));
    }
    return axis;
}

TuningGrid blocks_and_layouts(std::size_t blocks) {
    return {{numbers("block", blocks), {"layout", {"row", "diagonal"}}}};
}

// A bowl with teeth: it falls to 0.4 of the way and rises then, and every seventh value is a step down.
double sawtooth(TuningGrid const& grid, std::uint64_t point) {
    auto const block = static_cast<double>(grid.coordinate(point, 0));
    auto const count = static_cast<double>(grid.axes[0].values.size());
    double const bowl = std::pow(block / count - 0.4, 2) * 400 + 100;
    double const tooth = std::fmod(block, 7) * 3;
    return bowl + tooth + (grid.coordinate(point, 1) == 0 ? 5 : 0);
}

Evaluate evaluator(TuningGrid const& grid, std::set<std::uint64_t>* asked = nullptr) {
    return [&grid, asked](std::vector<std::uint64_t> const& points) -> Result<Evaluations> {
        Evaluations evaluations;
        for (auto const point : points) {
            bool const is_new = asked == nullptr || asked->insert(point).second;
            EXPECT_TRUE(is_new) << point << " twice";
            evaluations.push_back(Evaluation{{sawtooth(grid, point)}, {}});
        }
        return evaluations;
    };
}

std::uint64_t best_of(Searched const& searched) {
    return std::ranges::min_element(searched.points, {}, [](auto const& point) { return point.time_ns(); })
        ->number;
}

TEST(Grid, PointsAreCombinationsOfValues) {
    TuningGrid const grid{{numbers("a", 3), {"b", {"x", "y"}}, numbers("c", 4)}};
    EXPECT_EQ(grid.size(), 24U);
    for (std::uint64_t point = 0; point < grid.size(); ++point)
        EXPECT_EQ(
            grid.point_at({grid.coordinate(point, 0), grid.coordinate(point, 1), grid.coordinate(point, 2)}),
            point);
    EXPECT_EQ(grid.value(5, 1), "y");
    EXPECT_EQ(grid.value(5, 2), "2");
    EXPECT_EQ(grid.curve_axis(), 0U);
    EXPECT_EQ((TuningGrid{{{"b", {"x", "y"}}, numbers("one", 1)}}).curve_axis(), std::nullopt);
}

TEST(Search, AGridIsLookedAtWhole) {
    auto const grid = blocks_and_layouts(9);
    std::set<std::uint64_t> asked;
    auto const searched = search(grid, Strategy::grid, evaluator(grid, &asked));
    ASSERT_TRUE(searched);
    EXPECT_EQ(searched->points.size(), 18U);
    EXPECT_EQ(searched->missing, 0U);
    EXPECT_EQ(asked.size(), 18U);
}

// It may miss the best, and is not far from it here: a tooth is as deep as the bowl within a coarse step.
TEST(Search, ACoarseSearchComesNearTheBestOfSawteethWithFewPoints) {
    for (std::size_t const blocks : {14U, 50U, 100U, 211U, 500U}) {
        auto const grid = blocks_and_layouts(blocks);
        auto const all = search(grid, Strategy::grid, evaluator(grid));
        auto const some = search(grid, Strategy::coarse, evaluator(grid));
        ASSERT_TRUE(all && some);
        EXPECT_LE(sawtooth(grid, best_of(*some)), 1.01 * sawtooth(grid, best_of(*all))) << blocks;
        EXPECT_LT(some->points.size(), all->points.size()) << blocks;
    }
    auto const grid = blocks_and_layouts(1000);
    auto const some = search(grid, Strategy::coarse, evaluator(grid));
    EXPECT_LT(some->points.size(), 400U);
}

TEST(Search, ACoarseSearchLooksAtEveryNeighbourOfTheBest) {
    auto const grid = blocks_and_layouts(100);
    auto const searched = search(grid, Strategy::coarse, evaluator(grid));
    ASSERT_TRUE(searched);
    std::set<std::uint64_t> looked_at;
    for (auto const& point : searched->points)
        looked_at.insert(point.number);
    auto const best = best_of(*searched);
    EXPECT_TRUE(looked_at.contains(best - 2) && looked_at.contains(best + 2));
}

TEST(Search, AnAxisOfNamesIsLookedAtWhole) {
    TuningGrid const grid{{{"policy", {"a", "b", "c", "d", "e", "f", "g", "h", "i"}}}};
    KnownTimes known;
    EXPECT_EQ(next_points(grid, Strategy::coarse, known).size(), 9U);
}

TEST(Search, WhatIsKnownIsNotAskedForAgain) {
    auto const grid = blocks_and_layouts(10);
    KnownTimes known;
    for (std::uint64_t point = 0; point < 17; ++point)
        known[point] = 1;
    EXPECT_EQ(next_points(grid, Strategy::grid, known), (std::vector<std::uint64_t>{17, 18, 19}));
}

// What others evaluate is missing until they have; the search then goes on where it stopped.
TEST(Search, ASharedSearchEndsAsOneThatIsNot) {
    auto const grid = blocks_and_layouts(40);
    auto const alone = search(grid, Strategy::coarse, evaluator(grid));
    std::map<std::uint64_t, Evaluation> kept;
    auto const shard = [&](std::uint64_t which) {
        return search(grid, Strategy::coarse, [&](auto const& points) -> Result<Evaluations> {
            Evaluations evaluations;
            for (auto const point : points) {
                if (point % 3 == which)
                    kept[point] = Evaluation{{sawtooth(grid, point)}, {}};
                evaluations.push_back(kept.contains(point) ? std::optional(kept[point]) : std::nullopt);
            }
            return evaluations;
        });
    };
    EXPECT_GT(shard(0)->missing, 0U);
    Result<Searched> last = shard(1);
    for (int run = 0; last->missing > 0 && run < 30; ++run)
        last = shard(static_cast<std::uint64_t>(run) % 3);
    ASSERT_EQ(last->missing, 0U);
    ASSERT_EQ(last->points.size(), alone->points.size());
    for (std::size_t i = 0; i < last->points.size(); ++i)
        EXPECT_EQ(last->points[i].number, alone->points[i].number);
}

TEST(Search, AnErrorOfTheEvaluatorEndsIt) {
    auto const grid = blocks_and_layouts(4);
    auto const searched = search(grid, Strategy::grid, [](auto const&) -> Result<Evaluations> {
        return fail(ErrorCode::out_of_range, "blocks of 50 do not divide");
    });
    ASSERT_FALSE(searched);
    EXPECT_EQ(searched.error().code, ErrorCode::out_of_range);
}

std::vector<TuningPoint> points_with(std::vector<std::vector<double>> const& times) {
    std::vector<TuningPoint> points;
    for (std::size_t i = 0; i < times.size(); ++i)
        points.push_back({i, {times[i], {}}});
    return points;
}

TEST(Findings, TheBestAndAllWithinFivePercent) {
    TuningGrid const grid{{numbers("block", 5)}};
    auto const found = findings(grid, points_with({{100, 9}, {105, 8}, {106, 7}, {101, 8}, {120, 12}}));
    EXPECT_EQ(found.best, (std::vector<std::size_t>{0, 2})) << "of each method";
    EXPECT_EQ(found.near, (std::vector<std::size_t>{3, 1})) << "the fastest first; 106 is beyond";
}

TEST(Findings, TeethAreLowsBesideTheLowest) {
    TuningGrid const grid{{numbers("block", 9)}};
    auto const lows = [&](std::vector<double> const& times) {
        std::vector<std::vector<double>> by_method;
        for (auto const time : times)
            by_method.push_back({time});
        return findings(grid, points_with(by_method)).curves.at(0).lows;
    };
    using Lows = std::vector<std::size_t>;
    EXPECT_EQ(lows({9, 8, 7, 6, 5, 6, 7, 8, 9}), Lows{4}) << "a bowl";
    EXPECT_EQ(lows({9, 8, 7, 6, 5, 4, 3, 2, 1}), Lows{8}) << "it falls to the end";
    EXPECT_EQ(lows({1, 2, 3, 4, 5, 6, 7, 8, 9}), Lows{0}) << "it rises from the start";
    EXPECT_EQ(lows({9, 5, 7, 4, 6, 3, 5, 8, 6}), (Lows{1, 3, 5, 8}));
    EXPECT_EQ(lows({900, 500, 503, 502, 501, 600, 700, 800, 900}), Lows{1})
        << "less than a hundredth is flat";
}

TEST(Findings, WhichNameWinsAlongTheCurve) {
    TuningGrid const grid{{numbers("block", 3), {"layout", {"row", "diagonal"}}}};
    auto const found = findings(grid, points_with({{10, 10}, {12, 9}, {10, 10}, {8, 9}, {20, 20}, {10, 10}}));
    ASSERT_EQ(found.contests.size(), 1U);
    auto const& contest = found.contests.front();
    EXPECT_EQ(contest.axis, 1U);
    ASSERT_EQ(contest.winners.size(), 3U);
    EXPECT_EQ(contest.winners[0].winner, 0U);
    EXPECT_DOUBLE_EQ(contest.winners[0].gain, 0.2);
    EXPECT_EQ(contest.winners[1].winner, 1U);
    EXPECT_DOUBLE_EQ(contest.winners[2].gain, 1.0);
    ASSERT_EQ(contest.otherwise.size(), 1U) << "the second method sees the first block the other way";
    EXPECT_EQ(contest.otherwise[0].place, 0U);
}

TEST(Findings, NamesAloneHaveNoCurve) {
    TuningGrid const grid{{{"layout", {"row", "diagonal"}}}};
    auto const found = findings(grid, points_with({{3}, {2}}));
    EXPECT_TRUE(found.curves.empty() && found.contests.empty());
    EXPECT_EQ(found.best.front(), 1U);
}

}  // namespace
}  // namespace parcast::search
