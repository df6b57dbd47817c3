// A formula at one point: its moments, and where outcomes lie.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "answer/answer.h"
#include "core/result.h"
#include "forecast/model_formula.h"

namespace parcast::forecast {

enum class WithBand : bool { no, yes };

struct PointWithSpread {
    ModelPoint point;
    std::vector<double> quantiles;  // by level
    QuantileBand band;              // if asked for: from 5 % to 95 %
};

// `levels` of quantiles, per cent. Errors: those of ModelFormula::point.
Result<PointWithSpread> point_with_spread(ModelFormula const& formula, std::span<double const> values,
                                          std::span<double const> levels, WithBand with_band);

}  // namespace parcast::forecast
