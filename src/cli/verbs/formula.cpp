// parcast formula MODEL.pam: the time-domain model of a process, a model again.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/files/inputs.h"
#include "cli/options/option_values.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "forecast/forms.h"
#include "report/formula.h"

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
    auto settings = settings_in(arguments.settings);
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
                                   "--parameter: " + arguments.file + " has no number '" + name + "'",
                                   "A parameter is an equation like numeric " + name + " = 100."));
        std::erase_if(*settings, [&](pamela::Setting const& setting) { return setting.name == name; });
        settings->push_back({name, *value, true});
    }
    return read_process_model(arguments.file, *settings);
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
    auto const found = forecast::formula_answer(*model, choice);
    if (!found)
        return print_failure(make_error(arguments.of ? ErrorCode::unasked : ErrorCode::inconsistent,
                                        arguments.file + " " + found.error().message,
                                        "Another one: --of NAME, or --all."));
    if (found->parameters.empty() && !found->fixed.empty() && !arguments.of)
        print_note("all numbers are in the formula; to keep some as names: --parameter " + found->fixed);
    auto const digits = arguments.all_digits ? report::FormulaDigits::all : report::FormulaDigits::ten;
    return print_result(arguments.latex    ? report::formula_latex(*found)
                        : arguments.python ? report::formula_python(*found, arguments.file)
                        : arguments.json   ? report::formula_json(*found,
                                                                  {{"file", arguments.file},
                                                                   {"settings", arguments.settings},
                                                                   {"simplified", !arguments.unsimplified},
                                                                   {"phases", arguments.phases}},
                                                                  version)
                                           : report::formula_pamela(*found, arguments.file, digits));
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
