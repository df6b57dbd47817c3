// What the native code gives for the models that it is called with, as JSON on standard output: what
// model_module_test.mjs compares the module with. Usage: model_reference MODEL.pam...
//
// For each model: `fields` (as parcast_model_open takes them), and `points`, each with its `values` and the
// numbers of every answer in the order of web/module/model.cpp; null: refused.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "forecast/live_model.h"

namespace {

using namespace parcast;
using forecast::LiveModel;
using Json = nlohmann::json;

Result<std::string> no_file(std::string_view) {
    return fail(ErrorCode::not_found, "no file");
}

// Small enough that runs of the simulation take milliseconds.
std::vector<pamela::Setting> const small{
    {"N", 60, false}, {"P", 4, false}, {"blocks", 30, false}, {"elements", 65536, false}};

std::vector<pamela::Setting> given_in(std::string_view text) {
    auto const names = pamela::named_numbers(text);
    std::vector<pamela::Setting> given;
    for (auto const& setting : small)
        if (std::ranges::find(names, setting.name) != names.end())
            given.push_back(setting);
    return given;
}

forecast::LiveQuestion question_of(std::size_t place) {
    forecast::LiveQuestion question{{"main", std::nullopt, place % 2 == 1}, {5, 50, 99.9}, {}};
    question.simulation = {.runs = 20, .precision = std::nullopt, .seed = 3 + place};
    return question;
}

Json fields_of(std::string const& text, forecast::LiveQuestion const& question,
               std::vector<pamela::Setting> const& settings) {
    Json fields{text, "model.pam", question.formula.of, "", question.formula.phases ? "1" : "", "5,50,99.9"};
    fields.push_back(std::to_string(*question.simulation.runs));
    fields.push_back("");
    fields.push_back(std::to_string(*question.simulation.seed));
    fields.push_back("0");  // files
    for (auto const& [name, value, is_symbolic] : settings) {
        fields.push_back(name);
        fields.push_back(Json(value).dump());
    }
    return fields;
}

void add_moments(Json& numbers, Moments const& moments) {
    for (double const moment : {moments.mean, moments.variance, moments.skewness, moments.kurtosis})
        numbers.push_back(moment);
}

Json point_json(Result<forecast::PointWithSpread> const& found) {
    if (!found)
        return {};
    Json numbers = Json::array();
    auto const& point = found->point;
    for (auto const& moments : {point.time, point.critical_path, point.busiest})
        add_moments(numbers, moments);
    numbers.push_back(point.resource ? *point.resource : -1.0);
    numbers.push_back(point.is_bound_by_resource ? 1.0 : 0.0);
    numbers.push_back(found->band.low);
    numbers.push_back(found->band.high);
    for (double const quantile : found->quantiles)
        numbers.push_back(quantile);
    return numbers;
}

template <class Rows, class Add>
Json rows_json(Result<Rows> const& rows, Add const& add) {
    if (!rows)
        return {};
    Json numbers = Json::array();
    for (auto const& row : *rows)
        for (double const number : add(row))
            numbers.push_back(number);
    return numbers;
}

Json effects_json(LiveModel const& model, std::vector<double> const& values) {
    auto const place_of = [&](std::string const& name) {
        auto const all = model.parameters();
        return static_cast<double>(std::ranges::find(all, name, &forecast::LiveParameter::name) -
                                   all.begin());
    };
    return rows_json(model.effects(values), [&](ParameterEffect const& row) {
        return std::vector<double>{place_of(row.parameter), row.mean_slope, row.variance_slope,
                                   row.mean_elasticity, row.variance_elasticity};
    });
}

Json simulated_json(LiveModel const& model, std::vector<double> const& values) {
    auto const simulated = model.simulate(values);
    if (!simulated)
        return {};
    Json numbers = Json::array();
    auto const& point = simulated->point;
    add_moments(numbers, point.time);
    numbers.push_back(point.mean.low);
    numbers.push_back(point.mean.high);
    numbers.push_back(static_cast<double>(point.runs));
    for (double const quantile : point.quantiles)
        numbers.push_back(quantile);
    return numbers;
}

Json answers(LiveModel const& model, std::vector<double> const& values) {
    auto const sentences = model.sentences(values);
    return {{"values", values},
            {"point", point_json(model.point(values))},
            {"resources", rows_json(model.resource_work(values),
                                    [](forecast::ResourceWork const& row) {
                                        return std::vector<double>{static_cast<double>(row.resource),
                                                                   row.work, row.servers};
                                    })},
            {"phases", rows_json(model.phases(values),
                                 [](ModelPhase const& row) {
                                     return std::vector<double>{row.time.mean, row.time.variance,
                                                                row.critical_path.mean, row.busiest.mean};
                                 })},
            {"effects", effects_json(model, values)},
            {"sentences", sentences ? Json(*sentences) : Json()},
            {"simulated", simulated_json(model, values)}};
}

Json model_json(std::string const& text, std::size_t place) {
    auto const question = question_of(place);
    auto const opened = forecast::open_movable({text, "model.pam", no_file}, given_in(text), question);
    if (!opened)
        return {{"error", opened.error().message}};
    auto const& model = opened->model;
    std::vector<double> values;
    for (auto const& parameter : model.parameters())
        values.push_back(parameter.value);
    Json points{answers(model, values)};
    // Each parameter by itself: more of it, and none, with which some models have no time.
    for (std::size_t moved = 0; moved < values.size(); ++moved) {
        double const more = model.parameters()[moved].is_count ? values[moved] + 1 : values[moved] * 1.25;
        for (double const value : {more, 0.0}) {
            auto others = values;
            others[moved] = value;
            points.push_back(answers(model, others));
        }
    }
    return {{"fields", fields_of(text, question, opened->settings)}, {"points", points}};
}

}  // namespace

int main(int count, char** words) {
    Json all = Json::array();
    for (int i = 1; i < count; ++i) {
        std::ifstream file(words[i]);
        std::string const text{std::istreambuf_iterator<char>(file), {}};
        all.push_back(model_json(text, static_cast<std::size_t>(i - 1)));
    }
    auto const text = all.dump();
    std::fwrite(text.data(), 1, text.size(), stdout);
    return std::ferror(stdout) == 0 ? 0 : 1;
}
