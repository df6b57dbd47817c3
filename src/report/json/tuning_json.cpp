#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/codes/codes.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "report/tuning.h"

namespace parcast::report {

namespace {

Json finite_number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

// Whole numbers without a point.
Json value_json(TuningAxis const& axis, std::size_t place) {
    if (!axis.is_numeric())
        return axis.values[place];
    auto const number = axis.numbers[place];
    constexpr double most_whole = 1e15;
    if (std::abs(number) < most_whole && std::trunc(number) == number)
        return static_cast<std::int64_t>(number);
    return number;
}

Json axis_json(TuningAxis const& axis) {
    Json values = Json::array();
    for (std::size_t place = 0; place < axis.values.size(); ++place)
        values.push_back(value_json(axis, place));
    return {{"name", axis.name}, {"values", std::move(values)}};
}

Json coordinates_json(TuningGrid const& grid, std::uint64_t point) {
    Json json = Json::object();
    for (std::size_t axis = 0; axis < grid.axes.size(); ++axis)
        json[grid.axes[axis].name] = value_json(grid.axes[axis], grid.coordinate(point, axis));
    return json;
}

Json tuning_point_json(Tuning const& tuning, TuningPoint const& point) {
    auto const suffix = tuning.has_time_unit ? "_ns" : "";
    Json json{{"parameters", coordinates_json(tuning.grid, point.number)}};
    for (std::size_t method = 0; method < tuning.methods.size(); ++method)
        json[std::string(tuning.methods[method].key) + suffix] = finite_number(point.time_ns(method));
    if (auto const computation = point.evaluation.computation_ns) {
        json["computation_ns"] = *computation;
        json["communication_ns"] = point.time_ns() - *computation;
    }
    return json;
}

Json best_json(Tuning const& tuning) {
    Json json = Json::object();
    for (std::size_t method = 0; method < tuning.methods.size(); ++method)
        json[std::string(tuning.methods[method].key)] =
            tuning_point_json(tuning, tuning.points[tuning.findings.best[method]]);
    return json;
}

Json lows_json(Tuning const& tuning) {
    Json json = Json::array();
    for (auto const& curve : tuning.findings.curves)
        for (auto const low : curve.lows)
            json.push_back(coordinates_json(tuning.grid, tuning.points[low].number));
    return json;
}

}  // namespace

std::string tuning_json(Tuning const& tuning, std::string_view version) {
    Json parameters = Json::object();
    for (auto const& [name, value] : tuning.fixed)
        parameters[name] = value;
    auto json = envelope("tune", version,
                         {{"subject", tuning.subject},
                          {"form", tuning.form},
                          {"parameters", std::move(parameters)},
                          {"network", or_null(tuning.network)}});
    json["search"] = tuning.is_coarse ? "coarse" : "grid";
    json["axes"] = array_json(tuning.grid.axes, axis_json);
    json["methods"] =
        array_json(tuning.methods, [](TuningMethod const& method) { return std::string(method.key); });
    json["sentences"] = tuning_sentences(tuning);
    json["searched"] = tuning.points.size();
    json["of"] = tuning.grid.size();
    json["best"] = best_json(tuning);
    json["within_5_percent"] = array_json(tuning.findings.near, [&](std::size_t point) {
        return coordinates_json(tuning.grid, tuning.points[point].number);
    });
    json["lows"] = lows_json(tuning);
    json["points"] =
        array_json(tuning.points, [&](TuningPoint const& point) { return tuning_point_json(tuning, point); });
    json["assumptions"] = tuning.assumptions;
    json["assumption_codes"] = codes_of_assumptions(tuning.assumptions);
    json["next"] = tuning.next_command;
    return to_text(json);
}

}  // namespace parcast::report
