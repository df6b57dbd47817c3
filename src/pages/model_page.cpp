#include "pages/model_page.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "forecast/time_domain_equations.h"
#include "page/content.h"
#include "report/json/envelope.h"
#include "report/layout.h"
#include "report/prediction.h"
#include "symbolic/notation/notation.h"

namespace parcast::pages {

namespace {

using Json = nlohmann::ordered_json;

// Wide enough that no column is cut; the page scrolls.
constexpr std::size_t table_width = 240;
// Formulas of recorded programs may have megabytes, which no reader looks at and no browser typesets.
constexpr std::size_t most_typeset_bytes = 100'000;
constexpr std::size_t most_text_bytes = 1'000'000;

// What the name of an equation stands for.
std::string meaning_of(std::string const& name) {
    if (name.starts_with("phi_"))
        return "the critical path: the time if nobody had to queue";
    if (name.starts_with("delta_"))
        return "the work of each resource";
    if (name.starts_with("omega_"))
        return "the work of the busiest resource, by its servers: a lower bound of the time";
    return name.starts_with("T_") ? "the time: the larger of both" : "";
}

// Empty where there are none: the prediction does without.
std::vector<forecast::TimeDomainEquation> equations_of(ProcessModel& model, std::string const& of,
                                                       bool has_phases) {
    auto found = forecast::time_domain_equations(model, {{of}, has_phases, false});
    return found ? std::move(found->equations) : std::vector<forecast::TimeDomainEquation>();
}

Json equations_json(ProcessModel& model, std::string const& of, bool has_phases) {
    Json all = Json::array();
    for (auto const& [name, value] : equations_of(model, of, has_phases)) {
        auto const& pool = model.expressions;
        auto text = "numeric " + name + " = " + text_of(pool, value);
        bool const is_short = text.size() <= most_text_bytes;
        auto const mathml = is_short ? mathml_equation(pool, name, value) : std::string();
        all.push_back({{"name", name},
                       {"meaning", meaning_of(name)},
                       {"text", is_short ? text : ""},
                       {"latex", is_short ? symbolic::latex_name(name) + " = " + latex_of(pool, value) : ""},
                       {"mathml", mathml.size() <= most_typeset_bytes ? mathml : ""}});
    }
    return all;
}

Json sweeps_json(ModelBasis const& basis) {
    Json all = Json::array();
    for (auto const& sweep : basis.swept)
        all.push_back(
            {{"name", sweep.name}, {"values", sweep.values}, {"is_logarithmic", sweep.is_logarithmic}});
    return all;
}

void add_live(Json& json, Result<forecast::OpenedModel>& live) {
    json["parameters"] = Json::array();
    json["settings"] = Json::array();
    json["immovable"] = Json::array();
    json["resources"] = Json::array();
    json["phases"] = Json::array();
    json["refusal"] = live ? Json() : Json(live.error().message);
    if (!live)
        return;
    std::vector<double> values;
    for (auto const& parameter : live->model.parameters()) {
        values.push_back(parameter.value);
        json["parameters"].push_back(
            {{"name", parameter.name}, {"value", parameter.value}, {"is_count", parameter.is_count}});
    }
    for (auto const& setting : live->settings)
        json["settings"].push_back({{"name", setting.name}, {"value", setting.value}});
    for (auto const& [name, reason] : live->immovable)
        json["immovable"].push_back({{"name", name}, {"reason", reason}});
    json["resources"] = live->model.resources();
    if (auto const phases = live->model.phases(values))
        for (auto const& phase : *phases)
            json["phases"].push_back(phase.name);
}

std::string page_json(ModelPage& page) {
    auto const& answer = page.forecast.answer;
    auto const& basis = answer.model();
    Json json{
        {"parcast", page.parcast_version},
        {"file", answer.file},
        {"of", basis.of},
        {"per", basis.per ? Json(*basis.per) : Json()},
        {"has_phases", page.has_phases},
        {"has_server", page.has_server},
        {"levels", basis.levels},
        {"text", page.source.text},
        {"options", page.command.options},
        {"simulation",
         {{"runs", page.command.runs}, {"precision", page.command.precision}, {"seed", page.command.seed}}},
        {"sweeps", sweeps_json(basis)},
        {"notes", answer.notes},
        {"assumptions", answer.assumptions}};
    json["files"] = Json::array();
    for (auto const& [name, content] : page.source.files)
        json["files"].push_back({{"name", name}, {"content", content}});
    add_live(json, page.live);
    auto& model = page.live ? page.live->model.program() : std::get<ProcessModel>(page.forecast.program);
    json["equations"] = equations_json(model, basis.of, page.has_phases);
    std::string prediction;
    report::print_prediction_json(answer, page.parcast_version, {}, [&prediction](std::string const& piece) {
        prediction += piece;
        return true;
    });
    json["prediction"] = Json::parse(prediction);
    return report::to_line(json);
}

// For readers without scripts.
std::string plain_text(ModelPage& page) {
    auto const& answer = page.forecast.answer;
    report::Layout const layout{report::Colour::off, table_width, report::Detail::all};
    auto text = report::model_prediction_text(answer, layout);
    auto& model = std::get<ProcessModel>(page.forecast.program);
    std::string formulas;
    for (auto const& [name, value] : equations_of(model, answer.model().of, page.has_phases))
        formulas += "numeric " + name + " = " + text_of(model.expressions, value) + "\n";
    if (!formulas.empty() && formulas.size() <= most_text_bytes)
        text += "\nFormulas\n\n" + formulas;
    return text + "\nModel\n\n" + page.source.text;
}

}  // namespace

std::string model_page(ModelPage page) {
    auto const& answer = page.forecast.answer;
    auto const title = answer.file + ": " + answer.model().of;
    std::vector<page::Element> elements{{"model", page::packed(page_json(page))}};
    if (page.live)
        elements.push_back({"model-module", page::packed(page::model_module_bytes())});
    return page::with_data(page::template_page(), title, elements, plain_text(page));
}

}  // namespace parcast::pages
