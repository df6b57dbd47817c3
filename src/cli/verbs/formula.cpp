// parcast formula MODEL.pam: the time-domain model of a process, a model again.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/files/process_model_file.h"
#include "cli/messages.h"
#include "cli/options/option_values.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "forecast/time_domain_equations.h"
#include "report/json/envelope.h"
#include "symbolic/notation/expression_latex.h"
#include "symbolic/notation/expression_python.h"
#include "symbolic/notation/expression_text.h"

namespace parcast::cli {

namespace {

struct FormulaArguments {
    std::string file;
    std::vector<std::string> settings;    // "P=100"
    std::vector<std::string> parameters;  // equations that stay symbolic
    std::optional<std::string> of;        // a process or a numeric equation; absent: main
    bool all = false;                     // every process without formal parameters
    bool unsimplified = false;
    bool phases = false;
    bool all_digits = false;
    bool latex = false;
    bool python = false;
    bool json = false;

    friend bool operator==(FormulaArguments const&, FormulaArguments const&) = default;
};

constexpr char const* see_help = "How: parcast help formula.";

Result<std::vector<pamela::Setting>> settings_of(std::vector<std::string> const& assignments) {
    std::vector<pamela::Setting> settings;
    for (auto const& assignment : assignments) {
        auto const setting = setting_in(assignment);
        if (!setting)
            return fail(make_error(ErrorCode::unasked, "--set: " + setting.error().message + ".", see_help));
        settings.push_back(*setting);
    }
    return settings;
}

// The number of an equation: it becomes the value of a parameter. A parameter is one already.
std::optional<double> number_of(ProcessModel const& model, std::string const& name) {
    auto const found = std::ranges::find(model.numeric_equations, name, &NumericEquation::name);
    bool const is_number = found != model.numeric_equations.end() &&
                           model.expressions.kind(found->value) == symbolic::ExpressionKind::number;
    return is_number ? std::optional(model.expressions.value(found->value)) : std::nullopt;
}

bool is_parameter(ProcessModel const& model, std::string const& name) {
    return std::ranges::find(model.parameters, name, &ModelParameter::name) != model.parameters.end();
}

// Names that stay symbolic have their number in the text, or from --set.
Result<ProcessModel> read_model(FormulaArguments const& arguments) {
    auto settings = settings_of(arguments.settings);
    if (!settings)
        return pass_on(settings);
    auto model = read_process_model(arguments.file, *settings);
    if (!model || arguments.parameters.empty())
        return model;
    for (auto const& name : arguments.parameters) {
        if (is_parameter(*model, name))
            continue;
        auto const value = number_of(*model, name);
        if (!value)
            return fail(make_error(ErrorCode::unasked,
                                   "--parameter: " + arguments.file + " has no number '" + name + "'.",
                                   "A parameter is an equation like numeric " + name + " = 100."));
        std::erase_if(*settings, [&](pamela::Setting const& setting) { return setting.name == name; });
        settings->push_back({name, *value, true});
    }
    return read_process_model(arguments.file, *settings);
}

std::string parameter_text(ModelParameter const& parameter) {
    return parameter.name + (parameter.value
                                 ? " = " + symbolic::number_notation(*parameter.value, symbolic::Digits::all)
                                 : "");
}

std::string as_model(FormulaArguments const& arguments, ProcessModel const& model,
                     forecast::TimeDomainEquations const& found) {
    auto const digits = arguments.all_digits ? symbolic::Digits::all : symbolic::Digits::ten;
    std::string text = "% The time-domain model of " + arguments.file +
                       ": execution times by the formulas of its processes.\n";
    for (auto const& [process, resource] : found.left_out)
        text += "% omega of " + process + " leaves out " + resource.name + ": " + resource.reason + ".\n";
    text += "\n";
    for (auto const& parameter : model.parameters)
        text += "numeric parameter " + parameter_text(parameter) + "\n";
    text += model.parameters.empty() ? "" : "\n";
    for (auto const& equation : found.equations)
        text +=
            "numeric " + equation.name + " = " + text_of(model.expressions, equation.value, digits) + "\n";
    return text;
}

std::string as_latex(ProcessModel const& model, forecast::TimeDomainEquations const& found) {
    std::string text = "\\begin{align*}\n";
    for (std::size_t place = 0; place < found.equations.size(); ++place) {
        auto const& equation = found.equations[place];
        text += "  " + symbolic::latex_name(equation.name) +
                " &= " + latex_of(model.expressions, equation.value) +
                (place + 1 < found.equations.size() ? " \\\\\n" : "\n");
    }
    return text + "\\end{align*}\n";
}

std::string as_python(FormulaArguments const& arguments, ProcessModel const& model,
                      forecast::TimeDomainEquations const& found) {
    std::string formals;
    for (auto const& parameter : model.parameters)
        formals += (formals.empty() ? "" : ", ") + parameter.name;
    // A parameter without a value behind one with a value has none in Python either.
    bool const all_have_values = std::ranges::all_of(
        model.parameters, [](ModelParameter const& each) { return each.value.has_value(); });
    if (all_have_values) {
        formals.clear();
        for (auto const& parameter : model.parameters)
            formals += (formals.empty() ? "" : ", ") + parameter.name + "=" +
                       symbolic::number_notation(*parameter.value, symbolic::Digits::all);
    }
    std::string text = "\"\"\"The time-domain model of " + arguments.file +
                       ", by parcast formula.\"\"\"\n\n" + std::string(symbolic::python_definitions());
    for (auto const& equation : found.equations)
        text += "\n\ndef " + equation.name + "(" + formals + "):\n    return " +
                python_of(model.expressions, equation.value) + "\n";
    return text;
}

std::string as_json(FormulaArguments const& arguments, ProcessModel const& model,
                    forecast::TimeDomainEquations const& found) {
    auto answer = report::envelope("formula", version,
                                   {{"file", arguments.file},
                                    {"settings", arguments.settings},
                                    {"simplified", !arguments.unsimplified},
                                    {"phases", arguments.phases}});
    answer["parameters"] = nlohmann::ordered_json::array();
    for (auto const& parameter : model.parameters) {
        nlohmann::ordered_json each{{"name", parameter.name}};
        if (parameter.value)
            each["value"] = *parameter.value;
        answer["parameters"].push_back(std::move(each));
    }
    answer["equations"] = nlohmann::ordered_json::array();
    for (auto const& equation : found.equations) {
        auto const& pool = model.expressions;
        answer["equations"].push_back({{"name", equation.name},
                                       {"random", pool.is_random(equation.value)},
                                       {"vector", pool.is_vector(equation.value)},
                                       {"pamela", text_of(pool, equation.value, symbolic::Digits::all)},
                                       {"latex", latex_of(pool, equation.value)}});
    }
    answer["left_out"] = nlohmann::ordered_json::array();
    for (auto const& [process, resource] : found.left_out)
        answer["left_out"].push_back(
            {{"process", process}, {"resource", resource.name}, {"reason", resource.reason}});
    return report::to_text(answer);
}

// What could have stayed symbolic in a formula without parameters.
void say_what_is_fixed(FormulaArguments const& arguments, ProcessModel const& model) {
    if (!model.parameters.empty() || arguments.of)
        return;
    std::string names;
    for (auto const& equation : model.numeric_equations)
        if (model.expressions.kind(equation.value) == symbolic::ExpressionKind::number)
            names += (names.empty() ? "" : ",") + equation.name;
    if (!names.empty())
        print_note("all numbers are in the formula; to keep some as names: --parameter " + names);
}

int formula(FormulaArguments const& arguments, GivenOptions const& given) {
    if (auto const checked = given.check_file(arguments.file); !checked)
        return print_failure(checked.error());
    auto model = read_model(arguments);
    if (!model)
        return print_failure(model.error());
    forecast::EquationChoice choice{{}, arguments.phases, arguments.unsimplified};
    if (!arguments.all)
        choice.names = {arguments.of.value_or("main")};
    auto const found = forecast::time_domain_equations(*model, choice);
    if (!found)
        return print_failure(make_error(arguments.of ? ErrorCode::unasked : ErrorCode::inconsistent,
                                        arguments.file + " " + found.error().message + ".",
                                        "Another one: --of NAME, or --all."));
    say_what_is_fixed(arguments, *model);
    return print_result(arguments.latex    ? as_latex(*model, *found)
                        : arguments.python ? as_python(arguments, *model, *found)
                        : arguments.json   ? as_json(arguments, *model, *found)
                                           : as_model(arguments, *model, *found));
}

void describe_options(OptionTable& options, FormulaArguments& arguments) {
    options.input("MODEL", {Form::model}, arguments.file);
    options.list("--set NAME=NUMBER", arguments.settings, any_text,
                 "the value of a parameter, or of an equation without formal parameters");
    options.list("--parameter NAME,...", arguments.parameters, any_text,
                 "equations with a number that stay symbolic, as numeric parameters do", ',');
    options.option("--of NAME", arguments.of, any_text,
                   "another process, or a numeric equation; default: main");
    options.flag("--all", arguments.all, "every process").excludes("--of");
    options.flag("--phases", arguments.phases,
                 "the formulas of each part of the top-level sequence, and their sum: a higher bound");
    options.flag("--unsimplified", arguments.unsimplified, "as composed, before any rule is applied");
    options.flag("--all-digits", arguments.all_digits, "as many digits as a number has; default: ten");
    options.flag("--latex", arguments.latex, "print the formulas for a text");
    options.flag("--python", arguments.python,
                 "print Python functions that need nothing else; they raise NotImplementedError for the "
                 "maximum of random times");
    options.flag("--json", arguments.json, "print JSON: docs/formats/formula.schema.json");
    options.check([&arguments]() -> Result<void> {
        if (arguments.latex + arguments.python + arguments.json > 1)
            return fail(ErrorCode::unasked,
                        "--latex, --python and --json are three forms of one answer: give one of them");
        return {};
    });
}

}  // namespace

Verb const formula_verb{
    .name = "formula",
    .example = "formula model.pam",
    .summary = "the execution time of a PAMELA model, as a formula",
    .examples = R"(
  parcast formula mrm.pam --parameter P,N
  parcast formula psrs.pam --set t_m=0 --phases
  parcast formula psrs.pam --set N=81920 --python > psrs.py
)",
    .description = R"(
Prints the formulas of a PAMELA model's execution time, as a model again. For the process main:

  phi_main             its critical path, without waiting for resources
  delta_main           the work that each resource gets, a vector
  omega_main           the longest time that a contended resource is busy
  T_main               the greater of phi and omega, a lower bound

Parameters stay symbolic. n * X is the sum of n independent X; scale(c, X) and X / c scale one.
)",
    .exit_status = "3 the model is missing or has errors; 5 the result could not be written",
    .see_also = "predict",
    .prepare = prepared<FormulaArguments, describe_options, formula>,
};

}  // namespace parcast::cli
