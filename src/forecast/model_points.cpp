#include "forecast/model_points.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include "answer/number_text.h"
#include "stochastic/law.h"

namespace parcast::forecast {

namespace {

// A point of the grid, finished: moments, and where outcomes lie.
class Evaluation {
public:
    Evaluation(ModelFormula const& formula, ModelGrid const& grid, std::span<double const> levels,
               WithBand with_band)
        : formula_(formula), grid_(grid), levels_(levels) {
        results_.points.resize(grid.size());
        results_.quantiles.resize(grid.size() * levels.size());
        if (with_band == WithBand::yes)
            results_.band.resize(grid.size());
    }

    Result<void> at(std::size_t point) {
        auto const found = formula_.point(grid_.values(point));
        if (!found)
            return pass_on(found);
        results_.points[point] = *found;
        if (found->time.variance > 0)
            spread_at(point);
        else
            constant_at(point);
        return {};
    }

    FormulaResults take() { return std::move(results_); }

private:
    void spread_at(std::size_t point) {
        auto& at = results_.points[point];
        auto const law = stochastic::Law::fitted_to(at.time);
        at.is_attainable = attainable(at.time);
        at.is_matched = law.matches_all();
        for (std::size_t level = 0; level < levels_.size(); ++level)
            results_.quantiles[point * levels_.size() + level] = law.quantile(levels_[level] / 100);
        if (!results_.band.empty())
            results_.band[point] = {law.quantile(0.05), law.quantile(0.95)};
    }

    void constant_at(std::size_t point) {
        double const time = results_.points[point].time.mean;
        std::fill_n(results_.quantiles.begin() + static_cast<std::ptrdiff_t>(point * levels_.size()),
                    levels_.size(), time);
        if (!results_.band.empty())
            results_.band[point] = {time, time};
    }

    ModelFormula const& formula_;
    ModelGrid const& grid_;
    std::span<double const> levels_;
    FormulaResults results_;
};

// The error of the first point that has one.
class FirstError {
public:
    void keep(std::size_t point, Error error) {
        std::scoped_lock const lock(mutex_);
        if (point < point_) {
            point_ = point;
            error_ = std::move(error);
        }
    }
    bool is_before(std::size_t point) const { return point_ < point; }
    std::size_t point() const { return point_; }
    std::optional<Error> take() { return std::move(error_); }

private:
    std::mutex mutex_;
    std::atomic<std::size_t> point_ = SIZE_MAX;
    std::optional<Error> error_;
};

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

ModelGrid::ModelGrid(std::vector<double> base, std::vector<Sweep> swept, std::vector<std::size_t> places)
    : base_(std::move(base)), swept_(std::move(swept)), places_(std::move(places)) {
    for (auto const& parameter : swept_)
        size_ *= parameter.values.size();
}

std::vector<double> ModelGrid::values(std::size_t point) const {
    auto values = base_;
    for (std::size_t i = swept_.size(); i-- > 0;) {
        auto const& own = swept_[i].values;
        values[places_[i]] = own[point % own.size()];
        point /= own.size();
    }
    return values;
}

std::string ModelGrid::place_text(std::size_t point) const {
    auto const at = values(point);
    std::string text;
    for (std::size_t i = 0; i < swept_.size(); ++i)
        text += (i == 0 ? " at " : ", ") + swept_[i].name + " = " + exact_number_text(at[places_[i]]);
    return text;
}

Result<FormulaResults> evaluate(ModelFormula const& formula, ModelGrid const& grid,
                                std::span<double const> levels, WithBand with_band, unsigned workers) {
    Evaluation evaluation(formula, grid, levels, with_band);
    FirstError error;
    constexpr std::size_t points_at_once = 64;
    std::atomic<std::size_t> next = 0;
    auto const work = [&] {
        for (std::size_t first = next.fetch_add(points_at_once); first < grid.size();
             first = next.fetch_add(points_at_once)) {
            for (std::size_t point = first; point < std::min(first + points_at_once, grid.size()); ++point) {
                if (error.is_before(point))
                    return;
                if (auto done = evaluation.at(point); !done)
                    error.keep(point, std::move(done.error()));
            }
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min<std::size_t>(workers, grid.size() / points_at_once + 1); ++i)
            others.emplace_back(work);
        work();
    }
    if (auto found = error.take()) {
        found->message = grid.place_text(error.point()) + ": " + found->message;
        return tl::unexpected(std::move(*found));
    }
    return evaluation.take();
}

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
