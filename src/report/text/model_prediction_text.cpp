#include "report/prediction.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "answer/number_text.h"
#include "report/format.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr std::size_t most_rows = 60;
constexpr std::size_t most_effect_tables = 4;

using PointCell = std::function<std::string(std::size_t point)>;

// A column of the table of points: how its cell is made.
struct PointColumn {
    Column column;
    PointCell cell;
    PointCell name_in_cell = {};  // where it is not the whole cell: Cell::names
};

// The cell is made first: g++ 12 warns of a heading that would be destroyed before it is made otherwise.
void add_column(std::vector<PointColumn>& columns, Column column, PointCell cell) {
    columns.push_back({std::move(column), std::move(cell)});
}

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

void add_parameters(std::vector<PointColumn>& columns, ModelBasis const& model) {
    for (std::size_t i = 0; i < model.swept.size(); ++i) {
        add_column(
            columns, {model.swept[i].name, Align::right, Cut::heading},
            [&model, i](std::size_t point) { return exact_number_text(swept_value(model, point, i)); });
    }
}

// From the formula, or from the simulation: both have moments and quantiles.
using MomentsAt = std::function<Moments const&(std::size_t point)>;
using QuantileAt = std::function<double(std::size_t point, std::size_t level)>;

void add_moments(std::vector<PointColumn>& columns, MomentsAt const& at) {
    add_column(columns, {"mean"}, [at](std::size_t point) { return number_text(at(point).mean); });
    add_column(columns, {"std"}, [at](std::size_t point) { return deviation_text(at(point)); });
    add_column(columns, {"skewness"},
               [at](std::size_t point) { return shape_text(at(point).skewness, at(point)); });
    add_column(columns, {"kurtosis"},
               [at](std::size_t point) { return shape_text(at(point).kurtosis, at(point)); });
}

void add_quantiles(std::vector<PointColumn>& columns, std::vector<double> const& levels,
                   MomentsAt const& moments, QuantileAt const& at) {
    for (std::size_t level = 0; level < levels.size(); ++level) {
        add_column(columns, {level_text(levels[level])}, [=](std::size_t point) {
            return moments(point).variance > 0 ? number_text(at(point, level)) : "";
        });
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

void add_simulated_mean(std::vector<PointColumn>& columns, ModelBasis const& model) {
    add_column(columns, {"simulated"},
               [&](std::size_t point) { return interval_text(model.simulated[point]); });
    add_column(columns, {"its std"},
               [&](std::size_t point) { return deviation_text(model.simulated[point].time); });
    add_column(columns, {"difference"}, [&](std::size_t point) {
        return difference_text(model.points[point].time.mean, model.simulated[point].time.mean);
    });
}

void add_theories(std::vector<PointColumn>& columns, ModelBasis const& model) {
    for (auto const& theory : model.theories) {
        add_column(columns, {theory.heading}, [&theory](std::size_t point) {
            auto const& value = theory.values[point];
            return value ? number_text(*value) : "";
        });
    }
}

std::string bound_text(ModelBasis const& model, std::size_t point) {
    auto const& at = model.points[point];
    return at.is_bound_by_resource ? model.resources[*at.resource] : "path";
}

// How much of the time the busiest resource is busy: "s 99 %".
std::string busiest_text(ModelBasis const& model, std::size_t point) {
    auto const& at = model.points[point];
    if (!at.resource || at.time.mean <= 0)
        return {};
    return model.resources[*at.resource] + " " + percent_text(std::min(1.0, at.busiest.mean / at.time.mean));
}

void add_bounds(std::vector<PointColumn>& columns, ModelBasis const& model) {
    bool const has_resources =
        std::ranges::any_of(model.points, [](ModelPoint const& point) { return point.resource.has_value(); });
    if (!has_resources)
        return;
    add_column(columns, {"bound by", Align::left, Cut::end},
               [&](std::size_t point) { return printable(bound_text(model, point)); });
    add_column(columns, {"busiest", Align::left, Cut::end},
               [&](std::size_t point) { return printable(busiest_text(model, point)); });
    columns.back().name_in_cell = [&](std::size_t point) {
        auto const& resource = model.points[point].resource;
        return resource ? printable(model.resources[*resource]) : std::string();
    };
}

void add_formula(std::vector<PointColumn>& columns, ModelBasis const& model) {
    auto const moments = [&](std::size_t point) -> Moments const& { return model.points[point].time; };
    auto const quantile = [&](std::size_t point, std::size_t level) {
        return model.quantiles[point * model.levels.size() + level];
    };
    add_moments(columns, moments);
    add_quantiles(columns, model.levels, moments, quantile);
    add_theories(columns, model);
    add_bounds(columns, model);
}

void add_simulation(std::vector<PointColumn>& columns, ModelBasis const& model) {
    auto const moments = [&](std::size_t point) -> Moments const& { return model.simulated[point].time; };
    auto const quantile = [&](std::size_t point, std::size_t level) {
        return model.simulated[point].quantiles[level];
    };
    add_moments(columns, moments);
    add_quantiles(columns, model.levels, moments, quantile);
    add_theories(columns, model);
    columns.push_back(
        {{"runs"}, [&](std::size_t point) { return std::to_string(model.simulated[point].runs); }});
}

// What fits side by side; the JSON has the rest.
void add_both(std::vector<PointColumn>& columns, ModelBasis const& model) {
    columns.push_back(
        {{"mean"}, [&](std::size_t point) { return number_text(model.points[point].time.mean); }});
    columns.push_back({{"std"}, [&](std::size_t point) { return deviation_text(model.points[point].time); }});
    add_theories(columns, model);
    add_simulated_mean(columns, model);
    add_bounds(columns, model);
}

std::vector<PointColumn> columns_of(ModelBasis const& model) {
    std::vector<PointColumn> columns;
    add_parameters(columns, model);
    switch (model.method) {
        case ModelMethod::moments: add_formula(columns, model); break;
        case ModelMethod::simulate: add_simulation(columns, model); break;
        case ModelMethod::both: add_both(columns, model); break;
    }
    return columns;
}

std::size_t points_of(ModelBasis const& model) {
    return std::max(model.points.size(), model.simulated.size());
}

// All, or some at equal distances, the first and the last among them.
std::vector<std::size_t> shown_points(std::size_t count) {
    std::vector<std::size_t> shown(std::min(count, most_rows));
    for (std::size_t row = 0; row < shown.size(); ++row)
        shown[row] = shown.size() == count ? row : row * (count - 1) / (shown.size() - 1);
    return shown;
}

std::string table_of_points(ModelBasis const& model, Layout const& layout) {
    auto const columns = columns_of(model);
    std::vector<Column> headings;
    for (auto const& column : columns)
        headings.push_back(column.column);
    Table table(std::move(headings));
    for (auto const point : shown_points(points_of(model))) {
        std::vector<Cell> row;
        for (auto const& column : columns) {
            row.push_back({column.cell(point)});
            if (column.name_in_cell && !row.back().text.empty())
                row.back().names = {column.name_in_cell(point)};
        }
        table.add(std::move(row));
    }
    return table.text(layout.colour, layout.table_width());
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
    auto const& model = prediction.model();
    std::string facts;
    for (auto const& [name, value] : model.fixed)
        facts += printable(name) + " = " + exact_number_text(value) + " · ";
    facts += method_text(model.method);
    if (model.per)
        facts += " · times divided by " + printable(*model.per);
    return paragraph(printable(prediction.file) + ": " + printable(model.of), layout) +
           paragraph(facts, layout) + '\n';
}

// "P = 100, N = 1000000"
std::string place_of(ModelBasis const& model, std::size_t point) {
    std::string text;
    for (std::size_t i = 0; i < model.swept.size(); ++i) {
        text += (i == 0 ? "" : ", ") + model.swept[i].name + " = " +
                exact_number_text(swept_value(model, point, i));
    }
    return text;
}

std::string phases_text(ModelBasis const& model, Layout const& layout) {
    std::string text;
    for (auto const point : shown_points(model.phases.size())) {
        auto const place = place_of(model, point);
        text += "\nphases" + (place.empty() ? "" : " at " + place) + '\n';
        Table table(
            {{"phase", Align::left, Cut::end}, {"mean"}, {"std"}, {"critical path"}, {"busiest resource"}});
        for (auto const& phase : model.phases[point]) {
            table.add({{printable(phase.name)},
                       {number_text(phase.time.mean)},
                       {deviation_text(phase.time)},
                       {number_text(phase.critical_path.mean)},
                       {phase.busiest.mean > 0 ? number_text(phase.busiest.mean) : ""}});
        }
        text += table.text(layout.colour, layout.table_width());
    }
    return text;
}

std::string effects_text(ModelBasis const& model, Layout const& layout) {
    if (model.effects.empty())
        return {};
    if (model.effects.size() > most_effect_tables)
        return "\nWhat each parameter does to the time, at every point: --json\n";
    std::string text;
    for (std::size_t point = 0; point < model.effects.size(); ++point) {
        auto const place = place_of(model, point);
        text += "\nsensitivity" + (place.empty() ? "" : " at " + place) + '\n';
        Table table({{"parameter", Align::left, Cut::end},
                     {"value"},
                     {"mean, % per %"},
                     {"variance, % per %"},
                     {"mean, per unit"},
                     {"variance, per unit"}});
        for (auto const& effect : model.effects[point]) {
            table.add({{printable(effect.parameter)},
                       {exact_number_text(effect.value)},
                       {fmt::format("{:+.3f}", effect.mean_elasticity)},
                       {fmt::format("{:+.3f}", effect.variance_elasticity)},
                       {number_text(effect.mean_slope)},
                       {number_text(effect.variance_slope)}});
        }
        text += table.text(layout.colour, layout.table_width());
    }
    return text;
}

std::string notes_text(Answer const& prediction, Layout const& layout) {
    auto const& model = prediction.model();
    std::string text;
    auto const count = points_of(model);
    if (count > most_rows) {
        text += paragraph(fmt::format("{} of {} are shown; --json has all.",
                                      counted(static_cast<std::int64_t>(most_rows), "point"),
                                      count_text(static_cast<std::int64_t>(count))),
                          layout);
    }
    if (model.method == ModelMethod::both)
        text += "Skewness, kurtosis and quantiles of both: --json\n";
    for (auto const& note : prediction.notes)
        text += paragraph(printable(note), layout);
    return text.empty() ? "" : '\n' + text;
}

}  // namespace

std::string model_prediction_text(Answer const& prediction, Layout const& layout) {
    auto const& model = prediction.model();
    return header(prediction, layout) + table_of_points(model, layout) + phases_text(model, layout) +
           effects_text(model, layout) + notes_text(prediction, layout) +
           assumptions_text(prediction, layout);
}

}  // namespace parcast::report
