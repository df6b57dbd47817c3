#include "symbolic/parameters.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "core/suggestion.h"
#include "symbolic/tape/tape.h"

namespace parcast::symbolic {

namespace {

bool is_name(std::string_view text) {
    auto const formula = Formula::parse(text);
    return formula && formula->postfix().size() == 1 && formula->parameters().size() == 1 &&
           formula->parameters().front() == text;
}

}  // namespace

std::optional<double> Parameters::find(std::string_view name) const {
    auto const found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
}

Result<void> assign(Parameters& parameters, std::string_view assignment) {
    auto const equals = assignment.find('=');
    auto const name = assignment.substr(0, equals);
    if (equals == std::string_view::npos || !is_name(name)) {
        return fail(ErrorCode::malformed, "'" + std::string(assignment) +
                                              "' does not give a parameter its value: write it as n=1024");
    }
    auto const formula = Formula::parse(assignment.substr(equals + 1));
    if (!formula)
        return pass_on(formula);
    auto const value = evaluate(*formula, parameters);
    if (!value)
        return pass_on(value);
    parameters.set(std::string(name), *value);
    return {};
}

Result<double> evaluate(Formula const& formula, Parameters const& parameters) {
    auto const tape = Tape::bind(formula, parameters);
    if (!tape)
        return pass_on(tape);
    return tape->evaluate();
}

Error unbound(Formula const& formula, std::string_view name, Parameters const& parameters) {
    std::vector<std::string_view> known;
    for (auto const& [other, value] : parameters)
        known.push_back(other);
    auto const meant = nearest(name, known);
    auto message = "the formula '" + formula.text() + "' needs '" + std::string(name) +
                   "', which has no value" +
                   (meant ? ": did you mean '" + std::string(*meant) + "'? Else bind it" : ": bind it") +
                   " with --set " + std::string(name) + "=VALUE";
    return {ErrorCode::not_found, std::move(message), std::nullopt};
}

}  // namespace parcast::symbolic
