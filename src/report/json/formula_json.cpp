#include "report/formula.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "report/json/envelope.h"
#include "report/json/json_parts.h"

namespace parcast::report {

namespace {

Json parameter_json(FormulaParameter const& parameter) {
    Json json{{"name", parameter.name}};
    if (parameter.value)
        json["value"] = *parameter.value;
    return json;
}

Json equation_json(FormulaEquation const& equation) {
    return {{"name", equation.name},
            {"random", equation.is_random},
            {"vector", equation.is_vector},
            {"pamela", equation.pamela_in_full},
            {"latex", equation.latex}};
}

Json left_out_json(ResourceLeftOut const& resource) {
    return {{"process", resource.process}, {"resource", resource.name}, {"reason", resource.reason}};
}

}  // namespace

std::string formula_json(FormulaAnswer const& answer, Json input, std::string_view version) {
    auto json = envelope("formula", version, std::move(input));
    json["parameters"] = array_json(answer.parameters, parameter_json);
    json["equations"] = array_json(answer.equations, equation_json);
    json["left_out"] = array_json(answer.left_out, left_out_json);
    return to_text(json);
}

}  // namespace parcast::report
