// Which of many points is the fastest? Strategies over an evaluator that is given: this room knows neither
// programs nor machines, and asks for points by their number.
//
// A strategy says which points to evaluate next from what is known already, and keeps nothing itself. So a
// search that several processes share, or that is taken up again, goes the same way as one that is not.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "answer/tuning.h"
#include "core/result.h"

namespace parcast::search {

enum class Strategy : std::uint8_t {
    grid,    // every point
    coarse,  // some values of each numeric axis, then all points around the best few
};

// Around how many of the best points a coarse search looks at everything.
inline constexpr std::size_t refined_points = 3;

// Times by the first method, by point.
using KnownTimes = std::map<std::uint64_t, double>;

// The points to evaluate next, rising; none: the search is over. Coarse: of n values of a numeric axis about
// sqrt(n), the first and the last among them, and all values of the other axes; then, until nothing is new,
// the points between the best few and the coarse values beside them. Slopes are never followed: curves over
// block sizes are sawteeth.
std::vector<std::uint64_t> next_points(TuningGrid const& grid, Strategy strategy, KnownTimes const& known);

// By point; none: somebody else evaluates it, and has not ended.
using Evaluations = std::vector<std::optional<Evaluation>>;
using Evaluate = std::function<Result<Evaluations>(std::vector<std::uint64_t> const& points)>;

struct Searched {
    std::vector<TuningPoint> points;  // by number
    std::uint64_t missing = 0;        // of the last ones that were asked for: the search is not over
};

// Errors: those of the evaluator. REQUIRES: the evaluator gives a result for each point.
Result<Searched> search(TuningGrid const& grid, Strategy strategy, Evaluate const& evaluate);

// REQUIRES: at least one point, and times by as many methods at each.
TuningFindings findings(TuningGrid const& grid, std::vector<TuningPoint> const& points);

}  // namespace parcast::search
