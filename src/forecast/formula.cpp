#include "forecast/forms.h"

#include "symbolic/notation/notation.h"

namespace parcast::forecast {

Result<FormulaAnswer> formula_answer(ProcessModel& model, EquationChoice const& choice) {
    auto const found = time_domain_equations(model, choice);
    if (!found)
        return pass_on(found);
    auto const& pool = model.expressions;
    FormulaAnswer answer;
    answer.python_definitions = symbolic::python_definitions();
    for (auto const& [name, value] : model.parameters)
        answer.parameters.push_back(
            {name, value, value ? symbolic::number_notation(*value, symbolic::Digits::all) : ""});
    for (auto const& [name, value] : found->equations)
        answer.equations.push_back({.name = name,
                                    .is_random = pool.is_random(value),
                                    .is_vector = pool.is_vector(value),
                                    .pamela = text_of(pool, value),
                                    .pamela_in_full = text_of(pool, value, symbolic::Digits::all),
                                    .latex_name = symbolic::latex_name(name),
                                    .latex = latex_of(pool, value),
                                    .python = python_of(pool, value)});
    for (auto const& [process, resource] : found->left_out)
        answer.left_out.push_back({process, resource.name, resource.reason});
    for (auto const& equation : model.numeric_equations)
        if (pool.kind(equation.value) == symbolic::ExpressionKind::number)
            answer.fixed += (answer.fixed.empty() ? "" : ",") + equation.name;
    return answer;
}

}  // namespace parcast::forecast
