// What the points of a search say together.

#include <algorithm>
#include <map>
#include <utility>

#include "search/search.h"

namespace parcast::search {

namespace {

// A curve that rises by less and falls again has no low there.
constexpr double tooth = 0.01;

using Points = std::vector<TuningPoint>;

std::size_t fastest(Points const& points, std::size_t method) {
    return static_cast<std::size_t>(
        std::ranges::min_element(points, {}, [&](TuningPoint const& each) { return each.time_ns(method); }) -
        points.begin());
}

std::vector<std::size_t> near_to(Points const& points, std::size_t best) {
    std::vector<std::size_t> near;
    auto const most = points[best].time_ns() * (1 + most_near);
    for (std::size_t i = 0; i < points.size(); ++i)
        if (i != best && points[i].time_ns() <= most)
            near.push_back(i);
    std::ranges::stable_sort(near, {}, [&](std::size_t i) { return points[i].time_ns(); });
    return near;
}

// Points from which the curve rises on both sides; its ends count as if it rose beyond them.
std::vector<std::size_t> lows_of(std::vector<std::size_t> const& curve, Points const& points) {
    std::vector<std::size_t> lows;
    auto const time = [&](std::size_t point) { return points[point].time_ns(); };
    bool is_falling = true;
    auto turn = curve.front();  // the lowest point since it falls, or the highest since it rises
    for (auto const point : curve) {
        if (is_falling ? time(point) < time(turn) : time(point) > time(turn)) {
            turn = point;
        } else if (is_falling && time(point) > time(turn) * (1 + tooth)) {
            lows.push_back(turn);
            is_falling = false;
            turn = point;
        } else if (!is_falling && time(point) * (1 + tooth) < time(turn)) {
            is_falling = true;
            turn = point;
        }
    }
    if (is_falling)
        lows.push_back(turn);
    return lows;
}

std::vector<TuningCurve> curves_along(TuningGrid const& grid, std::size_t axis, Points const& points) {
    std::map<std::vector<std::size_t>, TuningCurve> curves;  // by the other coordinates
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<std::size_t> others;
        for (std::size_t other = 0; other < grid.axes.size(); ++other)
            if (other != axis)
                others.push_back(grid.coordinate(points[i].number, other));
        curves[others].points.push_back(i);
    }
    std::vector<TuningCurve> result;
    for (auto& [others, curve] : curves) {
        std::ranges::stable_sort(curve.points, {},
                                 [&](std::size_t i) { return grid.coordinate(points[i].number, axis); });
        curve.lows = lows_of(curve.points, points);
        result.push_back(std::move(curve));
    }
    return result;
}

// The least time at each place of the curve axis for each value of the other one, whatever else the point
// has.
std::vector<TuningWinner> winners_of(TuningGrid const& grid, std::size_t along, std::size_t axis,
                                     std::size_t method, Points const& points) {
    std::map<std::size_t, std::map<std::size_t, double>> least;
    for (auto const& point : points) {
        auto& at = least[grid.coordinate(point.number, along)];
        auto const found = at.emplace(grid.coordinate(point.number, axis), point.time_ns(method)).first;
        found->second = std::min(found->second, point.time_ns(method));
    }
    std::vector<TuningWinner> winners;
    for (auto const& [place, times] : least) {
        std::vector<std::pair<double, std::size_t>> order;
        for (auto const& [value, time] : times)
            order.emplace_back(time, value);
        std::ranges::sort(order);
        bool const is_tie = order.size() < 2 || !(order[0].first < order[1].first);
        if (!is_tie && order[0].first > 0)
            winners.push_back({place, order[0].second, order[1].first / order[0].first - 1});
    }
    return winners;
}

std::vector<TuningContest> contests_along(TuningGrid const& grid, std::size_t along, Points const& points,
                                          std::size_t methods) {
    std::vector<TuningContest> contests;
    for (std::size_t axis = 0; axis < grid.axes.size(); ++axis) {
        if (grid.axes[axis].is_numeric() || grid.axes[axis].values.size() < 2)
            continue;
        TuningContest contest{axis, winners_of(grid, along, axis, 0, points), {}};
        if (methods > 1) {
            auto const others = winners_of(grid, along, axis, 1, points);
            for (auto const& other : others) {
                auto const same = std::ranges::find(contest.winners, other.place, &TuningWinner::place);
                if (same != contest.winners.end() && same->winner != other.winner)
                    contest.otherwise.push_back(other);
            }
        }
        if (!contest.winners.empty())
            contests.push_back(std::move(contest));
    }
    return contests;
}

}  // namespace

TuningFindings findings(TuningGrid const& grid, std::vector<TuningPoint> const& points) {
    TuningFindings found;
    auto const methods = points.front().evaluation.times_ns.size();
    for (std::size_t method = 0; method < methods; ++method)
        found.best.push_back(fastest(points, method));
    found.near = near_to(points, found.best.front());
    if (auto const along = grid.curve_axis()) {
        found.curves = curves_along(grid, *along, points);
        found.contests = contests_along(grid, *along, points, methods);
    }
    return found;
}

}  // namespace parcast::search
