#include "report/model_prediction_json.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "answer/number_text.h"
#include "report/envelope.h"

namespace parcast::report {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

Json moments_json(Moments const& moments) {
    return {{"mean", number(moments.mean)},
            {"variance", number(moments.variance)},
            {"skewness", number(moments.skewness)},
            {"kurtosis", number(moments.kurtosis)}};
}

Json interval_json(ConfidenceInterval const& range) {
    return Json::array({number(range.low), number(range.high)});
}

// {"50": 10.1, "95": 10.2}
template <class At>
Json quantiles_json(std::vector<double> const& levels, At const& at) {
    Json json = Json::object();
    for (std::size_t level = 0; level < levels.size(); ++level)
        json[exact_number_text(levels[level])] = number(at(level));
    return json;
}

Json parameters_json(Answer const& prediction, std::size_t point) {
    Json json = Json::object();
    for (auto const& [name, value] : prediction.model().fixed)
        json[name] = number(value);
    for (std::size_t i = 0; i < prediction.model().swept.size(); ++i)
        json[prediction.model().swept[i].name] = number(swept_value(prediction.model(), point, i));
    return json;
}

void add_formula(Json& json, Answer const& prediction, std::size_t point) {
    auto const& at = prediction.model().points[point];
    json.update(moments_json(at.time));
    json["quantiles"] = quantiles_json(prediction.model().levels, [&](std::size_t level) {
        return prediction.model().quantiles[point * prediction.model().levels.size() + level];
    });
    json["bound_by"] = at.is_bound_by_resource ? "resource" : "critical_path";
    json["critical_path"] = moments_json(at.critical_path);
    json["busiest_resource"] = at.resource ? Json{{"name", prediction.model().resources[*at.resource]},
                                                  {"work", moments_json(at.busiest)}}
                                           : Json();
    json["attainable"] = at.is_attainable;
    json["law_matches"] = at.is_matched;
}

Json simulated_json(Answer const& prediction, std::size_t point) {
    auto const& at = prediction.model().simulated[point];
    auto json = moments_json(at.time);
    json["confidence_95"] = {{"mean", interval_json(at.mean)},
                             {"variance", interval_json(at.variance)},
                             {"skewness", interval_json(at.skewness)},
                             {"kurtosis", interval_json(at.kurtosis)}};
    json["quantiles"] =
        quantiles_json(prediction.model().levels, [&](std::size_t level) { return at.quantiles[level]; });
    json["runs"] = at.runs;
    return json;
}

Json phases_json(std::vector<ModelPhase> const& phases) {
    Json json = Json::array();
    for (auto const& phase : phases) {
        json.push_back({{"name", phase.name},
                        {"time", moments_json(phase.time)},
                        {"critical_path", moments_json(phase.critical_path)},
                        {"busiest_resource", moments_json(phase.busiest)}});
    }
    return json;
}

Json effects_json(std::vector<ParameterEffect> const& effects) {
    Json json = Json::array();
    for (auto const& effect : effects) {
        json.push_back({{"parameter", effect.parameter},
                        {"value", number(effect.value)},
                        {"mean_slope", number(effect.mean_slope)},
                        {"variance_slope", number(effect.variance_slope)},
                        {"mean_elasticity", number(effect.mean_elasticity)},
                        {"variance_elasticity", number(effect.variance_elasticity)}});
    }
    return json;
}

Json point_json(Answer const& prediction, std::size_t point) {
    Json json = {{"parameters", parameters_json(prediction, point)}};
    if (!prediction.model().points.empty() && prediction.model().method != ModelMethod::simulate)
        add_formula(json, prediction, point);
    if (!prediction.model().simulated.empty())
        json["simulated"] = simulated_json(prediction, point);
    for (auto const& theory : prediction.model().theories)
        json[theory.key] = theory.values[point] ? number(*theory.values[point]) : Json();
    if (!prediction.model().phases.empty())
        json["phases"] = phases_json(prediction.model().phases[point]);
    if (!prediction.model().effects.empty())
        json["sensitivity"] = effects_json(prediction.model().effects[point]);
    return json;
}

char const* name_of(ModelMethod method) {
    switch (method) {
        case ModelMethod::moments: return "moments";
        case ModelMethod::simulate: return "simulate";
        case ModelMethod::both: return "both";
    }
    return "";
}

}  // namespace

std::string model_json_head(Answer const& prediction, std::string_view version) {
    auto head =
        envelope("predict-model", version, {{"file", prediction.file}, {"of", prediction.model().of}});
    head["method"] = name_of(prediction.model().method);
    head["per"] = prediction.model().per ? Json(*prediction.model().per) : Json();
    head["notes"] = prediction.notes;
    head["assumptions"] = prediction.assumptions;
    auto text = to_text(head);
    text.erase(text.find_last_of('}') - 1);  // the points follow
    return text + ",\n  \"points\": [";
}

std::string model_json_points(Answer const& prediction, std::size_t first, std::size_t end) {
    std::string text;
    for (std::size_t point = first; point < end; ++point) {
        text += point == 0 ? "\n    " : ",\n    ";
        text += point_json(prediction, point).dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    return text;
}

std::string model_json_tail() {
    return "\n  ]\n}\n";
}

}  // namespace parcast::report
