#include "forecast/model_points.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "answer/number_text.h"

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
        bool const has_band = !results_.band.empty();
        auto found = point_with_spread(formula_, grid_.values(point), levels_,
                                       has_band ? WithBand::yes : WithBand::no);
        if (!found)
            return pass_on(found);
        results_.points[point] = found->point;
        std::ranges::copy(found->quantiles,
                          results_.quantiles.begin() + static_cast<std::ptrdiff_t>(point * levels_.size()));
        if (has_band)
            results_.band[point] = found->band;
        return {};
    }

    FormulaResults take() { return std::move(results_); }

private:
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

}  // namespace parcast::forecast
