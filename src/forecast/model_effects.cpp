#include "forecast/model_effects.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <variant>

namespace parcast::forecast {

namespace {

bool mentions(symbolic::ExpressionPool const& pool, symbolic::Expression expression,
              std::string const& parameter) {
    using symbolic::ExpressionKind;
    if (!pool.has_parameters(expression))
        return false;
    if (pool.kind(expression) == ExpressionKind::parameter)
        return pool.name(expression) == parameter;
    return std::ranges::any_of(pool.operands(expression), [&](symbolic::Expression operand) {
        return mentions(pool, operand, parameter);
    });
}

// Slopes of the mean and the variance.
struct Slopes {
    double mean = 0;
    double variance = 0;
};

class Slope {
public:
    Slope(ModelFormula const& formula, std::vector<double> const& values, VariedParameter const& parameter)
        : formula_(formula), values_(values), place_(parameter.place), is_count_(parameter.is_count) {}

    Result<Slopes> at_point() const {
        double const value = values_[place_];
        if (is_count_ && value == std::floor(value)) {
            constexpr double share = 1e-3;
            double const step = std::max(1.0, std::round(share * std::abs(value)));
            return between(value - step >= 1 ? value - step : value, value + step);
        }
        constexpr double share = 1e-3;
        double const step = value == 0 ? share : share * std::abs(value);
        auto const wide = around(value, step);
        auto const narrow = around(value, step / 2);
        if (!wide || !narrow)
            return one_sided(value, step);
        // The error of a central difference falls with the square of the step.
        return Slopes{(4 * narrow->mean - wide->mean) / 3, (4 * narrow->variance - wide->variance) / 3};
    }

private:
    Result<Moments> time_at(double value) const {
        auto moved = values_;
        moved[place_] = value;
        auto point = formula_.point(moved);
        if (!point)
            return pass_on(point);
        return point->time;
    }

    Result<Slopes> between(double low, double high) const {
        auto const before = time_at(low);
        auto const after = time_at(high);
        if (!before || !after) {
            auto const& error = before ? after.error() : before.error();
            return fail(error.code, error.message);
        }
        double const distance = high - low;
        return Slopes{(after->mean - before->mean) / distance,
                      (after->variance - before->variance) / distance};
    }

    Result<Slopes> around(double value, double step) const { return between(value - step, value + step); }

    // A probability of 1 cannot grow.
    Result<Slopes> one_sided(double value, double step) const {
        auto below = between(value - step / 2, value);
        return below ? below : between(value, value + step / 2);
    }

    ModelFormula const& formula_;
    std::vector<double> const& values_;
    std::size_t place_;
    bool is_count_;
};

double elasticity(double slope, double value, double quantity) {
    return quantity == 0 ? 0 : slope * value / quantity;
}

}  // namespace

Result<std::vector<ParameterEffect>> effects_at(ModelFormula const& formula,
                                                std::span<VariedParameter const> parameters,
                                                std::vector<double> const& values) {
    auto const here = formula.point(values);
    if (!here)
        return pass_on(here);
    std::vector<ParameterEffect> effects;
    for (auto const& parameter : parameters) {
        auto const slopes = Slope(formula, values, parameter).at_point();
        if (!slopes)
            return pass_on(slopes);
        double const value = values[parameter.place];
        effects.push_back({parameter.name, value, slopes->mean, slopes->variance,
                           elasticity(slopes->mean, value, here->time.mean),
                           elasticity(slopes->variance, value, here->time.variance)});
    }
    std::ranges::stable_sort(effects, std::greater(),
                             [](ParameterEffect const& effect) { return std::abs(effect.mean_elasticity); });
    return effects;
}

bool is_count(ProcessModel const& model, std::string const& parameter) {
    auto const& pool = model.expressions;
    return std::ranges::any_of(model.processes, [&](Process const& process) {
        if (auto const* const loop = std::get_if<ProcessLoop>(&process))
            return mentions(pool, loop->first, parameter) || mentions(pool, loop->last, parameter);
        auto const* const use = std::get_if<Use>(&process);
        return use != nullptr && (mentions(pool, use->resource.multiplicity, parameter) ||
                                  mentions(pool, use->resource.index, parameter));
    });
}

}  // namespace parcast::forecast
