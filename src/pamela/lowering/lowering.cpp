#include "pamela/lowering/lowering.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "pamela/lowering/term_lowering.h"
#include "pamela/lowering/value.h"
#include "pamela/model_builder.h"

namespace parcast::pamela {

using symbolic::Expression;
using symbolic::ExpressionKind;

namespace {

constexpr std::uint32_t deepest_result = 1000;  // operators in each other: who reads the result is recursive
constexpr std::uint64_t largest_result = 1'000'000;

class Lowering {
public:
    Lowering(Syntax const& syntax, Names const& names, std::span<Setting const> settings,
             ReadFile const& read_file, DiagnosticList& diagnostics)
        : syntax_(syntax),
          names_(names),
          settings_(settings),
          diagnostics_(diagnostics),
          terms_(
              syntax, names, read_file,
              [this](std::size_t equation, std::vector<Value> arguments, TextRange called_at) {
                  return equation_value(equation, std::move(arguments), called_at);
              },
              builder_, diagnostics) {}

    ProcessModel model() {
        for (auto const equation : names_.order)
            if (is_first_of_its_name(equation) && syntax_.equations[equation].formals.empty())
                equation_value(equation, {}, syntax_.equations[equation].place);
        for (auto const equation : names_.order)
            check_uncalled(equation);
        for (std::size_t i = 0; i < syntax_.equations.size(); ++i)
            publish(i);
        builder_.resources.warn_of_shared_indices(diagnostics_);
        return std::move(builder_.model);
    }

private:
    bool is_first_of_its_name(std::size_t equation) const {
        return names_.equations.at(syntax_.equations[equation].name) == equation;
    }

    Setting const* setting_of(std::string_view name) const {
        Setting const* found = nullptr;
        for (auto const& setting : settings_)
            if (setting.name == name)
                found = &setting;
        return found;
    }

    Value equation_value(std::size_t index, std::vector<Value> arguments, TextRange called_at) {
        if (names_.is_recursive[index])
            return Failed{};
        std::vector<std::uint64_t> key{index};
        for (auto const& argument : arguments)
            key.push_back(key_of(argument));
        if (auto const known = values_.find(key); known != values_.end())
            return known->second;
        auto const value = substituted(index, std::move(arguments), called_at);
        values_.emplace(std::move(key), value);
        return value;
    }

    Value substituted(std::size_t index, std::vector<Value> arguments, TextRange called_at) {
        auto const& equation = syntax_.equations[index];
        was_called_.resize(syntax_.equations.size());
        was_called_[index] = true;
        bool const is_plain_number = equation.kind == EquationKind::numeric && equation.formals.empty();
        if (is_plain_number) {
            if (auto const* setting = setting_of(equation.name))
                return setting->stays_symbolic ? builder_.expressions.parameter(equation.name, setting->value)
                                               : builder_.expressions.number(setting->value);
        }
        if (equation.is_parameter)
            return parameter(index);
        if (!equation.body)
            return Failed{};
        return limited(typed(equation, right_side(equation, std::move(arguments), called_at)), called_at);
    }

    Value right_side(Equation const& equation, std::vector<Value> arguments, TextRange called_at) {
        std::vector<TermLowering::Binding> formals;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            formals.push_back({equation.formals[i].name, arguments[i]});
        bool const is_of_a_call = !equation.formals.empty() && called_at.begin != equation.place.begin;
        auto const outer = diagnostics_.set_call(is_of_a_call ? std::optional(diagnostics_.line_of(called_at))
                                                              : std::nullopt);
        auto const value = terms_.right_side(*equation.body, std::move(formals));
        diagnostics_.set_call(outer);
        return value;
    }

    Value typed(Equation const& equation, Value const& value) {
        if (has_failed(value))
            return value;
        if (!has_type(value, equation.kind)) {
            diagnostics_.error(syntax_[*equation.body].extent, "'" + equation.name + "' is declared a " +
                                                                   name_of(equation.kind) + ", but this is " +
                                                                   type_name(value));
            return Failed{};
        }
        if (auto const* resource = std::get_if<ResourceId>(&value))
            return builder_.resources.named(*resource, equation.name, equation.place);
        return value;
    }

    // Notices what grows exponentially: a = b + b, b = c + c, ...
    Value limited(Value const& value, TextRange place) {
        std::uint64_t size = 0;
        std::uint32_t depth = 0;
        if (auto const* expression = std::get_if<Expression>(&value)) {
            size = builder_.expressions.size(*expression);
            depth = builder_.expressions.depth(*expression);
        } else if (auto const* process = std::get_if<ProcessId>(&value)) {
            size = builder_.processes.size(*process);
            depth = builder_.processes.depth(*process);
        }
        if (size > largest_result) {
            diagnostics_.error(place, "with every name replaced, this has more than a million parts",
                               "repeat with seq (i = 1, n), or make what is repeated a 'numeric parameter'");
        } else if (depth > deepest_result) {
            diagnostics_.error(place, "with every name replaced, this is nested too deeply");
        } else {
            return value;
        }
        return Failed{};
    }

    Value parameter(std::size_t index) {
        auto const& equation = syntax_.equations[index];
        if (!equation.body)
            return builder_.expressions.parameter(equation.name, std::nullopt);
        auto const value = right_side(equation, {}, equation.place);
        auto const* number = std::get_if<Expression>(&value);
        if (has_failed(value))
            return value;
        auto const known = number != nullptr ? builder_.expressions.constant(*number) : std::nullopt;
        if (!known) {
            diagnostics_.error(
                syntax_[*equation.body].extent, "the value of a parameter is a number",
                "without 'parameter', " + equation.name + " stands for its right side wherever it is used");
            return Failed{};
        }
        parameter_values_[index] = *known;
        return builder_.expressions.parameter(equation.name, known);
    }

    // Equations with formal parameters that nobody calls are looked at, too: whatever the arguments may be.
    void check_uncalled(std::size_t index) {
        auto const& equation = syntax_.equations[index];
        was_called_.resize(syntax_.equations.size());
        if (!was_called_[index] && is_first_of_its_name(index) && !equation.is_parameter)
            equation_value(index, std::vector<Value>(equation.formals.size(), Failed{}), equation.place);
        if (equation.is_parameter && !equation.formals.empty())
            diagnostics_.error(equation.place, "a parameter has no formal parameters of its own");
    }

    void publish(std::size_t index) {
        auto const& equation = syntax_.equations[index];
        if (!equation.formals.empty() || !is_first_of_its_name(index))
            return;
        auto const value = equation_value(index, {}, equation.place);
        if (auto const* process = std::get_if<ProcessId>(&value)) {
            builder_.model.process_equations.push_back({equation.name, *process});
        } else if (auto const* number = std::get_if<Expression>(&value)) {
            if (builder_.expressions.pool().kind(*number) == ExpressionKind::parameter &&
                builder_.expressions.pool().name(*number) == equation.name)
                builder_.model.parameters.push_back({equation.name, value_of_parameter(index)});
            else
                builder_.model.numeric_equations.push_back({equation.name, *number});
        }
    }

    std::optional<double> value_of_parameter(std::size_t index) const {
        if (auto const* setting = setting_of(syntax_.equations[index].name))
            return setting->value;
        auto const found = parameter_values_.find(index);
        return found == parameter_values_.end() ? std::nullopt : std::optional(found->second);
    }

    Syntax const& syntax_;
    Names const& names_;
    std::span<Setting const> settings_;
    DiagnosticList& diagnostics_;
    ModelBuilder builder_;
    TermLowering terms_;
    std::map<std::vector<std::uint64_t>, Value> values_;  // of equations, by their arguments
    std::map<std::size_t, double> parameter_values_;
    std::vector<bool> was_called_;
};

}  // namespace

ProcessModel lower(Syntax const& syntax, Names const& names, std::span<Setting const> settings,
                   ReadFile const& read_file, DiagnosticList& diagnostics) {
    return Lowering(syntax, names, settings, read_file, diagnostics).model();
}

}  // namespace parcast::pamela
