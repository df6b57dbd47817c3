// A formula evaluated at every point of a sweep, on all cores: moments and quantiles.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "core/result.h"
#include "forecast/model_at_point.h"
#include "forecast/model_formula.h"

namespace parcast::forecast {

// Values of the model's parameters at each point: the grid of the swept ones, the others as they are.
class ModelGrid {
public:
    // REQUIRES: `places[i]` is the position of swept[i] among the parameters.
    ModelGrid(std::vector<double> base, std::vector<Sweep> swept, std::vector<std::size_t> places);

    std::size_t size() const { return size_; }
    std::vector<double> values(std::size_t point) const;
    std::string place_text(std::size_t point) const;  // " at P = 4", or nothing

private:
    std::vector<double> base_;
    std::vector<Sweep> swept_;
    std::vector<std::size_t> places_;
    std::size_t size_ = 1;
};

struct FormulaResults {
    std::vector<ModelPoint> points;
    std::vector<double> quantiles;  // by point, then by level
    std::vector<QuantileBand> band;
};

// The same whatever the number of workers. Errors: that of the first point which has one. REQUIRES: workers
// >= 1.
Result<FormulaResults> evaluate(ModelFormula const& formula, ModelGrid const& grid,
                                std::span<double const> levels, WithBand with_band, unsigned workers);

}  // namespace parcast::forecast
