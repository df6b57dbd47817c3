#include "search/search.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace parcast::search {

namespace {

// Values of an axis, by their places.
using Places = std::vector<std::size_t>;

std::size_t stride_of(TuningAxis const& axis) {
    if (!axis.is_numeric())
        return 1;
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(axis.values.size())))));
}

Places coarse_places(TuningAxis const& axis) {
    Places places;
    for (std::size_t place = 0; place < axis.values.size(); place += stride_of(axis))
        places.push_back(place);
    if (places.back() + 1 != axis.values.size())
        places.push_back(axis.values.size() - 1);
    return places;
}

// Between the coarse values beside it; all that an axis of names has is coarse.
Places places_around(TuningAxis const& axis, std::size_t place) {
    auto const coarse = coarse_places(axis);
    auto const above = std::ranges::upper_bound(coarse, place);
    auto const below = std::ranges::lower_bound(coarse, place);
    auto const last = above == coarse.end() ? place : *above;
    auto const first = below == coarse.begin() ? place : *(below - 1);
    Places places;
    for (auto each = axis.is_numeric() ? first : place; each <= (axis.is_numeric() ? last : place); ++each)
        places.push_back(each);
    return places;
}

// Every combination.
void add_points(TuningGrid const& grid, std::vector<Places> const& box, std::set<std::uint64_t>& points) {
    std::vector<std::size_t> turn(box.size(), 0);
    std::vector<std::size_t> coordinates(box.size());
    for (;;) {
        for (std::size_t axis = 0; axis < box.size(); ++axis)
            coordinates[axis] = box[axis][turn[axis]];
        points.insert(grid.point_at(coordinates));
        std::size_t axis = box.size();
        while (axis > 0 && ++turn[axis - 1] == box[axis - 1].size())
            turn[--axis] = 0;
        if (axis == 0)
            return;
    }
}

std::vector<std::uint64_t> unknown_of(std::set<std::uint64_t> const& points, KnownTimes const& known) {
    std::vector<std::uint64_t> unknown;
    for (auto const point : points)
        if (!known.contains(point))
            unknown.push_back(point);
    return unknown;
}

std::vector<std::uint64_t> best_of(KnownTimes const& known) {
    std::vector<std::pair<double, std::uint64_t>> times;
    for (auto const& [point, time] : known)
        times.emplace_back(time, point);
    std::ranges::sort(times);
    std::vector<std::uint64_t> best;
    for (std::size_t i = 0; i < std::min(times.size(), refined_points); ++i)
        best.push_back(times[i].second);
    return best;
}

}  // namespace

std::vector<std::uint64_t> next_points(TuningGrid const& grid, Strategy strategy, KnownTimes const& known) {
    std::vector<std::uint64_t> next;
    if (strategy == Strategy::grid) {
        for (std::uint64_t point = 0; point < grid.size(); ++point)
            if (!known.contains(point))
                next.push_back(point);
        return next;
    }
    std::set<std::uint64_t> points;
    std::vector<Places> box;
    for (auto const& axis : grid.axes)
        box.push_back(coarse_places(axis));
    add_points(grid, box, points);
    if (auto first = unknown_of(points, known); !first.empty())
        return first;
    points.clear();
    for (auto const point : best_of(known)) {
        for (std::size_t axis = 0; axis < grid.axes.size(); ++axis)
            box[axis] = places_around(grid.axes[axis], grid.coordinate(point, axis));
        add_points(grid, box, points);
    }
    return unknown_of(points, known);
}

Result<Searched> search(TuningGrid const& grid, Strategy strategy, Evaluate const& evaluate) {
    std::map<std::uint64_t, Evaluation> found;
    KnownTimes known;
    Searched searched;
    for (auto next = next_points(grid, strategy, known); !next.empty() && searched.missing == 0;
         next = next_points(grid, strategy, known)) {
        auto evaluations = evaluate(next);
        if (!evaluations)
            return pass_on(evaluations);
        for (std::size_t i = 0; i < next.size(); ++i) {
            auto& evaluation = (*evaluations)[i];
            if (!evaluation) {
                ++searched.missing;
                continue;
            }
            known[next[i]] = evaluation->times_ns.front();
            found[next[i]] = std::move(*evaluation);
        }
    }
    for (auto& [point, evaluation] : found)
        searched.points.push_back({point, std::move(evaluation)});
    return searched;
}

}  // namespace parcast::search
