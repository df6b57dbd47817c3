#include "report/chart/chart_axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "answer/number_text.h"

namespace parcast::report {

namespace {

constexpr int most_ticks = 7;

// 1, 2 or 5 times a power of ten, so that at most `most_ticks` of them fit.
double tick_step(double span) {
    double const least = span / most_ticks;
    double const decade = std::pow(10, std::floor(std::log10(least)));
    for (double const digit : {1.0, 2.0, 5.0})
        if (digit * decade >= least * (1 - 1e-9))
            return digit * decade;
    return 10 * decade;
}

}  // namespace

ChartAxis ChartAxis::of(std::vector<double> const& values, bool logarithmic, bool with_margin) {
    ChartAxis axis;
    std::vector<double> finite;
    std::ranges::copy_if(values, std::back_inserter(finite),
                         [](double value) { return std::isfinite(value); });
    if (finite.empty())
        finite = {0, 1};
    auto const [least, greatest] = std::ranges::minmax(finite);
    axis.low_ = least;
    axis.high_ = greatest;
    axis.logarithmic_ = logarithmic && least > 0 && greatest > least;
    if (axis.logarithmic_)
        axis.set_logarithmic_ticks(with_margin);
    else
        axis.set_linear_ticks(with_margin);
    return axis;
}

void ChartAxis::set_linear_ticks(bool with_margin) {
    constexpr double near_zero = 0.4;
    if (with_margin && low_ > 0 && low_ < near_zero * high_)
        low_ = 0;
    if (high_ - low_ <= 1e-12 * std::abs(high_)) {  // one value: around it
        double const around = high_ == 0 ? 1 : std::abs(high_) / 10;
        low_ -= around;
        high_ += around;
    }
    double const step = tick_step(high_ - low_);
    if (with_margin) {
        low_ = std::floor(low_ / step) * step;
        high_ = std::ceil(high_ / step) * step;
    }
    decimals_ = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    for (double tick = std::ceil(low_ / step - 1e-9); tick <= high_ / step + 1e-9; ++tick)
        ticks_.push_back(tick * step);
}

void ChartAxis::set_logarithmic_ticks(bool with_margin) {
    double const decades = std::log10(high_ / low_);
    constexpr double few = 2.5;
    for (double decade = std::floor(std::log10(low_)); decade <= std::ceil(std::log10(high_)); ++decade) {
        for (double const digit : {1.0, 2.0, 5.0})
            if (digit == 1 || decades < few)
                ticks_.push_back(digit * std::pow(10, decade));
    }
    if (with_margin) {
        auto const above =
            std::ranges::find_if(ticks_, [&](double tick) { return tick >= high_ * (1 - 1e-9); });
        auto const below = std::find_if(ticks_.rbegin(), ticks_.rend(),
                                        [&](double tick) { return tick <= low_ * (1 + 1e-9); });
        high_ = above == ticks_.end() ? high_ : *above;
        low_ = below == ticks_.rend() ? low_ : *below;
    }
    std::erase_if(ticks_, [&](double tick) { return tick < low_ * (1 - 1e-9) || tick > high_ * (1 + 1e-9); });
}

double ChartAxis::place(double value) const {
    if (logarithmic_)
        return std::log(value / low_) / std::log(high_ / low_);
    return (value - low_) / (high_ - low_);
}

std::string ChartAxis::label(double tick) const {
    constexpr double long_number = 1e9;
    if (std::abs(tick) >= long_number || (tick != 0 && std::abs(tick) < 1e-5))
        return fmt::format("{:.4g}", tick);
    return logarithmic_ ? exact_number_text(std::stod(fmt::format("{:.3g}", tick)))
                        : fmt::format("{:.{}f}", tick + 0.0, decimals_);
}

}  // namespace parcast::report
