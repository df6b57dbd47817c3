#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "answer/range.h"
#include "core/percent_text.h"
#include "core/time_text.h"
#include "report/format.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr double least_share = 0.2;  // of the variance, that is worth a word
constexpr std::size_t most_named = 2;
constexpr double notable_unmeasured_share = 0.3;

// "how busy CPUs share the memory (61 %), what scheduling costs there (23 %)", the greatest first.
std::string greatest_shares(RowRange const& range) {
    std::vector<std::size_t> order(uncertainties);
    for (std::size_t i = 0; i < uncertainties; ++i)
        order[i] = i;
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return range.shares[i]; });
    std::string text;
    for (std::size_t i = 0; i < most_named; ++i) {
        double const share = range.shares[order[i]];
        if (share >= (i == 0 ? 0.0 : least_share))
            text += (i == 0 ? "" : ", ") + std::string(uncertainty_names[order[i]].phrase) + " (" +
                    percent_text(share) + ")";
    }
    return text;
}

}  // namespace

std::string time_range_text(Range const& range) {
    auto const text = [](double ns) { return time_text(Duration{std::llround(ns)}); };
    auto low = text(range.low);
    auto const high = text(range.high);
    auto const unit_of = [](std::string const& time) {
        return time.substr(std::min(time.find(' '), time.size()));
    };
    if (unit_of(low) == unit_of(high))
        low.resize(low.size() - unit_of(low).size());
    return low + " - " + high;
}

std::string speed_up_range_text(Range const& range) {
    return speed_up_text(range.low) + " - " + speed_up_text(range.high);
}

std::string change_of_time_text(double gain, std::optional<Range> const& range) {
    auto const sign = [](double share) { return share > 0 ? "-" : share < 0 ? "+" : ""; };
    auto const text = sign(gain) + percent_text(std::abs(gain));
    if (!range)
        return text;
    auto const end = [&](double share) {
        auto const percents = std::lround(100 * share);
        return fmt::format("{}{}", sign(static_cast<double>(percents)), std::abs(percents));
    };
    return fmt::format("{} ({} to {})", text, end(range->high), end(range->low));
}

namespace {

// Where much of the range is what a calibration would measure, or sensing, of a calibrated machine.
std::string way_to_narrow(RowRange const& range, Answer const& prediction) {
    auto const& machine = prediction.recording().machine;
    auto const share = [&](Uncertainty of) { return range.shares[static_cast<std::size_t>(of)]; };
    double const memory = machine.speed_deviations.empty() ? share(Uncertainty::memory) : 0;
    if (machine.source && !machine.source->host.empty())
        return memory >= notable_unmeasured_share ? ". To narrow it: parcast record --sense-memory" : "";
    bool const is_much =
        memory + share(Uncertainty::costs) + share(Uncertainty::speed) >= notable_unmeasured_share;
    return is_much ? ". To narrow it: parcast calibrate" : "";
}

}  // namespace

std::string ranges_key(Answer const& prediction, Layout const& layout) {
    auto const widest = std::ranges::find_if(prediction.rows.rbegin(), prediction.rows.rend(),
                                             [](Row const& row) { return row.range.has_value(); });
    if (widest == prediction.rows.rend())
        return {};
    return paragraph(
        fmt::format("  90 %: nine of ten measurements should lie within. What makes it wide on {}: {}{}",
                    counted(widest->cpus, "CPU"), greatest_shares(*widest->range),
                    way_to_narrow(*widest->range, prediction)),
        layout);
}

}  // namespace parcast::report
