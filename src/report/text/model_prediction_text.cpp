#include "report/text/model_prediction_text.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "answer/number_text.h"
#include "report/format.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr std::size_t most_rows = 60;
constexpr std::size_t most_effect_tables = 4;

// A column of the table of points: how its cell is made.
struct PointColumn {
    Column column;
    std::function<std::string(std::size_t point)> cell;
};

std::string shape_text(double value, Moments const& moments) {
    return moments.variance > 0 ? fmt::format("{:.4f}", value) : "";
}

std::string deviation_text(Moments const& moments) {
    return moments.variance > 0 ? number_text(std::sqrt(moments.variance)) : "";
}

// "95 %", "99.9 %"
std::string level_text(double level) {
    return exact_number_text(level) + " %";
}

void add_parameters(std::vector<PointColumn>& columns, Answer const& prediction) {
    for (std::size_t i = 0; i < prediction.model().swept.size(); ++i) {
        columns.push_back(
            {{prediction.model().swept[i].name, Align::right, Cut::end}, [&prediction, i](std::size_t point) {
                 return exact_number_text(swept_value(prediction.model(), point, i));
             }});
    }
}

// Of the formula, or of the simulation: both have moments and quantiles.
using MomentsAt = std::function<Moments const&(std::size_t point)>;
using QuantileAt = std::function<double(std::size_t point, std::size_t level)>;

void add_moments(std::vector<PointColumn>& columns, MomentsAt const& at) {
    columns.push_back({{"mean"}, [at](std::size_t point) { return number_text(at(point).mean); }});
    columns.push_back({{"std"}, [at](std::size_t point) { return deviation_text(at(point)); }});
    columns.push_back(
        {{"skewness"}, [at](std::size_t point) { return shape_text(at(point).skewness, at(point)); }});
    columns.push_back(
        {{"kurtosis"}, [at](std::size_t point) { return shape_text(at(point).kurtosis, at(point)); }});
}

void add_quantiles(std::vector<PointColumn>& columns, std::vector<double> const& levels,
                   MomentsAt const& moments, QuantileAt const& at) {
    for (std::size_t level = 0; level < levels.size(); ++level) {
        columns.push_back({{level_text(levels[level])}, [=](std::size_t point) {
                               return moments(point).variance > 0 ? number_text(at(point, level)) : "";
                           }});
    }
}

// "12.34 ± 0.05": half of the confidence interval.
std::string interval_text(SimulatedPoint const& simulated) {
    double const half = (simulated.mean.high - simulated.mean.low) / 2;
    return number_text(simulated.time.mean) + (half > 0 ? " ± " + fmt::format("{:.2g}", half) : "");
}

// "-6.7 %": of the formula against the simulation.
std::string difference_text(double formula, double simulated) {
    return simulated == 0 ? "" : fmt::format("{:+.1f} %", 100 * (formula / simulated - 1));
}

void add_simulated_mean(std::vector<PointColumn>& columns, Answer const& prediction) {
    columns.push_back({{"simulated"}, [&](std::size_t point) {
                           return interval_text(prediction.model().simulated[point]);
                       }});
    columns.push_back({{"its std"}, [&](std::size_t point) {
                           return deviation_text(prediction.model().simulated[point].time);
                       }});
    columns.push_back({{"difference"}, [&](std::size_t point) {
                           return difference_text(prediction.model().points[point].time.mean,
                                                  prediction.model().simulated[point].time.mean);
                       }});
}

void add_theories(std::vector<PointColumn>& columns, Answer const& prediction) {
    for (auto const& theory : prediction.model().theories) {
        columns.push_back({{theory.heading}, [&theory](std::size_t point) {
                               auto const& value = theory.values[point];
                               return value ? number_text(*value) : "";
                           }});
    }
}

std::string bound_text(Answer const& prediction, std::size_t point) {
    auto const& at = prediction.model().points[point];
    return at.is_bound_by_resource ? prediction.model().resources[*at.resource] : "path";
}

// How much of the time the busiest resource is busy: "s 99 %".
std::string busiest_text(Answer const& prediction, std::size_t point) {
    auto const& at = prediction.model().points[point];
    if (!at.resource || at.time.mean <= 0)
        return {};
    return prediction.model().resources[*at.resource] + " " +
           percent_text(std::min(1.0, at.busiest.mean / at.time.mean));
}

void add_bounds(std::vector<PointColumn>& columns, Answer const& prediction) {
    bool const has_resources = std::ranges::any_of(
        prediction.model().points, [](ModelPoint const& point) { return point.resource.has_value(); });
    if (!has_resources)
        return;
    columns.push_back({{"bound by", Align::left, Cut::end},
                       [&](std::size_t point) { return printable(bound_text(prediction, point)); }});
    columns.push_back({{"busiest", Align::left, Cut::end},
                       [&](std::size_t point) { return printable(busiest_text(prediction, point)); }});
}

void add_formula(std::vector<PointColumn>& columns, Answer const& prediction) {
    auto const moments = [&](std::size_t point) -> Moments const& {
        return prediction.model().points[point].time;
    };
    auto const quantile = [&](std::size_t point, std::size_t level) {
        return prediction.model().quantiles[point * prediction.model().levels.size() + level];
    };
    add_moments(columns, moments);
    add_quantiles(columns, prediction.model().levels, moments, quantile);
    add_theories(columns, prediction);
    add_bounds(columns, prediction);
}

void add_simulation(std::vector<PointColumn>& columns, Answer const& prediction) {
    auto const moments = [&](std::size_t point) -> Moments const& {
        return prediction.model().simulated[point].time;
    };
    auto const quantile = [&](std::size_t point, std::size_t level) {
        return prediction.model().simulated[point].quantiles[level];
    };
    add_moments(columns, moments);
    add_quantiles(columns, prediction.model().levels, moments, quantile);
    add_theories(columns, prediction);
    columns.push_back({{"runs"}, [&](std::size_t point) {
                           return std::to_string(prediction.model().simulated[point].runs);
                       }});
}

// What fits side by side; the JSON has the rest.
void add_both(std::vector<PointColumn>& columns, Answer const& prediction) {
    columns.push_back({{"mean"}, [&](std::size_t point) {
                           return number_text(prediction.model().points[point].time.mean);
                       }});
    columns.push_back(
        {{"std"}, [&](std::size_t point) { return deviation_text(prediction.model().points[point].time); }});
    add_theories(columns, prediction);
    add_simulated_mean(columns, prediction);
    add_bounds(columns, prediction);
}

std::vector<PointColumn> columns_of(Answer const& prediction) {
    std::vector<PointColumn> columns;
    add_parameters(columns, prediction);
    switch (prediction.model().method) {
        case ModelMethod::moments: add_formula(columns, prediction); break;
        case ModelMethod::simulate: add_simulation(columns, prediction); break;
        case ModelMethod::both: add_both(columns, prediction); break;
    }
    return columns;
}

std::size_t points_of(Answer const& prediction) {
    return std::max(prediction.model().points.size(), prediction.model().simulated.size());
}

// All, or some at equal distances, the first and the last among them.
std::vector<std::size_t> shown_points(std::size_t count) {
    std::vector<std::size_t> shown(std::min(count, most_rows));
    for (std::size_t row = 0; row < shown.size(); ++row)
        shown[row] = shown.size() == count ? row : row * (count - 1) / (shown.size() - 1);
    return shown;
}

std::string table_of_points(Answer const& prediction, Layout const& layout) {
    auto const columns = columns_of(prediction);
    std::vector<Column> headings;
    for (auto const& column : columns)
        headings.push_back(column.column);
    Table table(std::move(headings));
    for (auto const point : shown_points(points_of(prediction))) {
        std::vector<Cell> row;
        for (auto const& column : columns)
            row.push_back({column.cell(point)});
        table.add(std::move(row));
    }
    return table.text(layout.colour, layout.width);
}

std::string method_text(ModelMethod method) {
    switch (method) {
        case ModelMethod::moments: return "by formula, with four moments";
        case ModelMethod::simulate: return "simulated";
        case ModelMethod::both: return "by formula, with four moments, and simulated";
    }
    return {};
}

std::string header(Answer const& prediction, Layout const& layout) {
    std::string facts;
    for (auto const& [name, value] : prediction.model().fixed)
        facts += printable(name) + " = " + exact_number_text(value) + " · ";
    facts += method_text(prediction.model().method);
    if (prediction.model().per)
        facts += " · times divided by " + printable(*prediction.model().per);
    return wrapped(printable(prediction.file) + ": " + printable(prediction.model().of), layout.width, 4) +
           '\n' + wrapped(facts, layout.width, 4) + "\n\n";
}

// "P = 100, N = 1000000"
std::string place_of(Answer const& prediction, std::size_t point) {
    std::string text;
    for (std::size_t i = 0; i < prediction.model().swept.size(); ++i) {
        text += (i == 0 ? "" : ", ") + prediction.model().swept[i].name + " = " +
                exact_number_text(swept_value(prediction.model(), point, i));
    }
    return text;
}

std::string phases_text(Answer const& prediction, Layout const& layout) {
    std::string text;
    for (auto const point : shown_points(prediction.model().phases.size())) {
        auto const place = place_of(prediction, point);
        text += "\nphases" + (place.empty() ? "" : " at " + place) + '\n';
        Table table(
            {{"phase", Align::left, Cut::end}, {"mean"}, {"std"}, {"critical path"}, {"busiest resource"}});
        for (auto const& phase : prediction.model().phases[point]) {
            table.add({{printable(phase.name)},
                       {number_text(phase.time.mean)},
                       {deviation_text(phase.time)},
                       {number_text(phase.critical_path.mean)},
                       {phase.busiest.mean > 0 ? number_text(phase.busiest.mean) : ""}});
        }
        text += table.text(layout.colour, layout.width);
    }
    return text;
}

std::string effects_text(Answer const& prediction, Layout const& layout) {
    if (prediction.model().effects.empty())
        return {};
    if (prediction.model().effects.size() > most_effect_tables)
        return "\nWhat each parameter does to the time, at every point: --json\n";
    std::string text;
    for (std::size_t point = 0; point < prediction.model().effects.size(); ++point) {
        auto const place = place_of(prediction, point);
        text += "\nsensitivity" + (place.empty() ? "" : " at " + place) + '\n';
        Table table({{"parameter", Align::left, Cut::end},
                     {"value"},
                     {"mean, % per %"},
                     {"variance, % per %"},
                     {"mean, per unit"},
                     {"variance, per unit"}});
        for (auto const& effect : prediction.model().effects[point]) {
            table.add({{printable(effect.parameter)},
                       {exact_number_text(effect.value)},
                       {fmt::format("{:+.3f}", effect.mean_elasticity)},
                       {fmt::format("{:+.3f}", effect.variance_elasticity)},
                       {number_text(effect.mean_slope)},
                       {number_text(effect.variance_slope)}});
        }
        text += table.text(layout.colour, layout.width);
    }
    return text;
}

std::string notes_text(Answer const& prediction, Layout const& layout) {
    std::string text;
    auto const count = points_of(prediction);
    if (count > most_rows) {
        text += wrapped(fmt::format("{} of {} are shown; --json has all.",
                                    counted(static_cast<std::int64_t>(most_rows), "point"),
                                    count_text(static_cast<std::int64_t>(count))),
                        layout.width, 4) +
                '\n';
    }
    if (prediction.model().method == ModelMethod::both)
        text += "Skewness, kurtosis and quantiles of both: --json\n";
    for (auto const& note : prediction.notes)
        text += wrapped(printable(note), layout.width, 4) + '\n';
    return text.empty() ? "" : '\n' + text;
}

std::string assumptions_text(Answer const& prediction, Layout const& layout) {
    if (prediction.assumptions.empty())
        return {};
    if (layout.detail == Detail::short_form) {
        auto const number = counted(static_cast<std::int64_t>(prediction.assumptions.size()), "assumption");
        return "\nThe prediction makes " + number + " about this model: --assumptions\n";
    }
    std::string text = "\nTaken for granted:\n";
    for (auto const& assumption : prediction.assumptions)
        text += wrapped("- " + printable(assumption), layout.width, 2) + '\n';
    return text;
}

}  // namespace

std::string model_prediction_text(Answer const& prediction, Layout const& layout) {
    return header(prediction, layout) + table_of_points(prediction, layout) +
           phases_text(prediction, layout) + effects_text(prediction, layout) +
           notes_text(prediction, layout) + assumptions_text(prediction, layout);
}

}  // namespace parcast::report
