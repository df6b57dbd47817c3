#include "report/formula.h"

#include <algorithm>
#include <string_view>

#include "core/listed.h"

namespace parcast::report {

namespace {

std::vector<std::string> parameters_with(FormulaAnswer const& answer, std::string_view equals) {
    std::vector<std::string> texts;
    for (auto const& [name, value, text] : answer.parameters)
        texts.push_back(value ? name + std::string(equals) + text : name);
    return texts;
}

}  // namespace

std::string formula_pamela(FormulaAnswer const& answer, std::string const& file, FormulaDigits digits) {
    std::string text =
        "% The time-domain model of " + file + ": execution times by the formulas of its processes.\n";
    for (auto const& [process, name, reason] : answer.left_out)
        text += "% omega of " + process + " leaves out " + name + ": " + reason + ".\n";
    text += "\n";
    for (auto const& parameter : parameters_with(answer, " = "))
        text += "numeric parameter " + parameter + "\n";
    text += answer.parameters.empty() ? "" : "\n";
    for (auto const& equation : answer.equations)
        text += "numeric " + equation.name + " = " +
                (digits == FormulaDigits::all ? equation.pamela_in_full : equation.pamela) + "\n";
    return text;
}

std::string formula_latex(FormulaAnswer const& answer) {
    std::string lines;
    for (auto const& equation : answer.equations)
        lines += (lines.empty() ? "  " : " \\\\\n  ") + equation.latex_name + " &= " + equation.latex;
    return "\\begin{align*}\n" + lines + "\n\\end{align*}\n";
}

std::string formula_python(FormulaAnswer const& answer, std::string const& file) {
    std::vector<std::string> formals;
    // A parameter without a value behind one with a value has none in Python either.
    if (std::ranges::all_of(answer.parameters, [](auto const& each) { return each.value.has_value(); }))
        formals = parameters_with(answer, "=");
    else
        std::ranges::transform(answer.parameters, std::back_inserter(formals), &FormulaParameter::name);
    std::string text = "\"\"\"The time-domain model of " + file + ", by parcast formula.\"\"\"\n\n" +
                       answer.python_definitions;
    for (auto const& equation : answer.equations)
        text +=
            "\n\ndef " + equation.name + "(" + listed(formals) + "):\n    return " + equation.python + "\n";
    return text;
}

}  // namespace parcast::report
