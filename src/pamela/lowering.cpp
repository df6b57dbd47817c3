#include "pamela/lowering.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "pamela/builtin.h"
#include "pamela/expression_builder.h"
#include "pamela/number_text.h"
#include "pamela/numeric_rules.h"
#include "pamela/process_store.h"
#include "pamela/resource_list.h"
#include "pamela/sampled_law.h"

namespace parcast::pamela {

using symbolic::Expression;
using symbolic::ExpressionKind;

namespace {

struct Failed {};  // an error was said
using Value = std::variant<Failed, Expression, ProcessId, ResourceId>;

constexpr std::uint32_t deepest = 500;          // constructs in each other when names are replaced
constexpr std::uint32_t deepest_result = 1000;  // operators in each other: who reads the result is recursive
constexpr std::uint64_t largest_result = 1'000'000;

char const* type_name(Value const& value) {
    if (std::holds_alternative<Expression>(value))
        return "a numeric expression";
    return std::holds_alternative<ProcessId>(value) ? "a process" : "a resource";
}

bool has_type(Value const& value, EquationKind kind) {
    switch (kind) {
        case EquationKind::numeric: return std::holds_alternative<Expression>(value);
        case EquationKind::process: return std::holds_alternative<ProcessId>(value);
        case EquationKind::resource: return std::holds_alternative<ResourceId>(value);
    }
    return false;
}

std::uint64_t key_of(Value const& value) {
    if (auto const* expression = std::get_if<Expression>(&value))
        return (std::uint64_t{1} << 32U) | expression->id;
    if (auto const* process = std::get_if<ProcessId>(&value))
        return (std::uint64_t{2} << 32U) | process->value;
    if (auto const* resource = std::get_if<ResourceId>(&value))
        return (std::uint64_t{3} << 32U) | resource->value;
    return 0;
}

class Lowering {
public:
    Lowering(Syntax const& syntax, Names const& names, std::span<Setting const> settings,
             ReadFile const& read_file, DiagnosticList& diagnostics)
        : syntax_(syntax),
          names_(names),
          settings_(settings),
          read_file_(read_file),
          diagnostics_(diagnostics),
          builder_(model_.expressions),
          rules_(builder_, diagnostics),
          processes_(model_.processes),
          resources_(builder_) {}

    ProcessModel model() {
        for (auto const equation : names_.order) {
            if (is_first_of_its_name(equation) && syntax_.equations[equation].formals.empty())
                equation_value(equation, {}, syntax_.equations[equation].place);
        }
        for (auto const equation : names_.order)
            check_uncalled(equation);
        for (std::size_t i = 0; i < syntax_.equations.size(); ++i)
            publish(i);
        resources_.warn_of_shared_indices(diagnostics_);
        return std::move(model_);
    }

private:
    // A formal parameter or an index, while its body is lowered.
    struct Binding {
        std::string_view name;
        Value value;
        bool is_used = false;
    };

    bool is_first_of_its_name(std::size_t equation) const {
        return names_.equations.at(syntax_.equations[equation].name) == equation;
    }

    Setting const* setting_of(std::string_view name) const {
        Setting const* found = nullptr;
        for (auto const& setting : settings_) {
            if (setting.name == name)
                found = &setting;
        }
        return found;
    }

    // ---- equations

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
                return setting->stays_symbolic ? builder_.parameter(equation.name, setting->value)
                                               : builder_.number(setting->value);
        }
        if (equation.is_parameter)
            return parameter(index);
        if (!equation.body)
            return Failed{};
        return limited(typed(equation, right_side(equation, std::move(arguments), called_at)), called_at);
    }

    Value right_side(Equation const& equation, std::vector<Value> arguments, TextRange called_at) {
        std::vector<Binding> scope;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            scope.push_back({equation.formals[i].name, arguments[i]});
        std::swap(scope, scope_);
        bool const is_of_a_call = !equation.formals.empty() && called_at.begin != equation.place.begin;
        auto const outer = diagnostics_.set_call(is_of_a_call ? std::optional(diagnostics_.line_of(called_at))
                                                              : std::nullopt);
        auto const value = lower(*equation.body);
        diagnostics_.set_call(outer);
        std::swap(scope, scope_);
        return value;
    }

    Value typed(Equation const& equation, Value const& value) {
        if (std::holds_alternative<Failed>(value))
            return value;
        if (!has_type(value, equation.kind)) {
            diagnostics_.error(syntax_[*equation.body].extent, "'" + equation.name + "' is declared a " +
                                                                   name_of(equation.kind) + ", but this is " +
                                                                   type_name(value));
            return Failed{};
        }
        if (auto const* resource = std::get_if<ResourceId>(&value))
            return resources_.named(*resource, equation.name, equation.place);
        return value;
    }

    // Notices what grows exponentially: a = b + b, b = c + c, ...
    Value limited(Value const& value, TextRange place) {
        std::uint64_t size = 0;
        std::uint32_t depth = 0;
        if (auto const* expression = std::get_if<Expression>(&value)) {
            size = builder_.size(*expression);
            depth = builder_.depth(*expression);
        } else if (auto const* process = std::get_if<ProcessId>(&value)) {
            size = processes_.size(*process);
            depth = processes_.depth(*process);
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
            return builder_.parameter(equation.name, std::nullopt);
        auto const value = right_side(equation, {}, equation.place);
        auto const* number = std::get_if<Expression>(&value);
        if (std::holds_alternative<Failed>(value))
            return value;
        auto const known = number != nullptr ? builder_.constant(*number) : std::nullopt;
        if (!known) {
            diagnostics_.error(
                syntax_[*equation.body].extent, "the value of a parameter is a number",
                "without 'parameter', " + equation.name + " stands for its right side wherever it is used");
            return Failed{};
        }
        parameter_values_[index] = *known;
        return builder_.parameter(equation.name, known);
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
            model_.process_equations.push_back({equation.name, *process});
        } else if (auto const* number = std::get_if<Expression>(&value)) {
            if (builder_.pool().kind(*number) == ExpressionKind::parameter &&
                builder_.pool().name(*number) == equation.name)
                model_.parameters.push_back({equation.name, value_of_parameter(index)});
            else
                model_.numeric_equations.push_back({equation.name, *number});
        }
    }

    std::optional<double> value_of_parameter(std::size_t index) const {
        if (auto const* setting = setting_of(syntax_.equations[index].name))
            return setting->value;
        auto const found = parameter_values_.find(index);
        return found == parameter_values_.end() ? std::nullopt : std::optional(found->second);
    }

    // ---- everything that is written

    Value lower(SyntaxId id) {
        if (depth_ >= deepest) {
            diagnostics_.error(syntax_[id].place, "with every name replaced, this is nested too deeply");
            return Failed{};
        }
        ++depth_;
        auto const value = lower_kind(id);
        --depth_;
        return value;
    }

    Value lower_kind(SyntaxId id) {
        auto const& node = syntax_[id];
        switch (node.kind) {
            case SyntaxKind::unreadable: return Failed{};
            case SyntaxKind::number: return builder_.number(node.number);
            case SyntaxKind::text:
                diagnostics_.error(node.extent, "a text is only the argument of empirical(\"file\")");
                return Failed{};
            case SyntaxKind::name:
            case SyntaxKind::call: return name_or_call(id);
            case SyntaxKind::sequence:
            case SyntaxKind::parallel: return composition(node);
            case SyntaxKind::sequential_loop:
            case SyntaxKind::parallel_loop:
            case SyntaxKind::sum_loop:
            case SyntaxKind::maximum_loop: return loop(node);
            case SyntaxKind::choice: return choice(node);
            default: return from(numeric_operator(node));
        }
    }

    static Value from(std::optional<Expression> const& expression) {
        return expression ? Value(*expression) : Value(Failed{});
    }

    std::optional<Operand> numeric(SyntaxId id) {
        auto const value = lower(id);
        if (auto const* expression = std::get_if<Expression>(&value))
            return Operand{*expression, &syntax_[id]};
        complain_of_type(id, value, "a numeric expression");
        return std::nullopt;
    }

    std::optional<ProcessId> process(SyntaxId id) {
        auto const value = lower(id);
        if (auto const* result = std::get_if<ProcessId>(&value))
            return *result;
        complain_of_type(id, value, "a process");
        return std::nullopt;
    }

    void complain_of_type(SyntaxId id, Value const& value, std::string const& wanted) {
        if (std::holds_alternative<Failed>(value))
            return;
        auto const& node = syntax_[id];
        bool const is_time = wanted == "a process" && std::holds_alternative<Expression>(value);
        bool const is_resource = wanted == "a process" && std::holds_alternative<ResourceId>(value);
        std::string hint;
        if (is_time)
            hint = "delay(t) takes the time t";
        else if (is_resource)
            hint =
                "use(" + (node.word.empty() ? std::string("r") : node.word) + ", t) uses it for the time t";
        else if (wanted == "a resource")
            hint = "a resource is fcfs(index, multiplicity), or rho";
        else if (std::holds_alternative<ProcessId>(value))
            hint = "the time of a process has no name in the model: 'parcast formula' finds it";
        diagnostics_.error(node.extent, "expected " + wanted + "; this is " + type_name(value), hint);
    }

    std::optional<std::vector<Operand>> numerics(std::span<SyntaxId const> ids) {
        std::vector<Operand> result;
        for (auto const id : ids) {
            if (auto const operand = numeric(id))
                result.push_back(*operand);
        }
        return result.size() == ids.size() ? std::optional(std::move(result)) : std::nullopt;
    }

    // ---- numeric expressions

    std::optional<Expression> numeric_operator(SyntaxNode const& node) {
        if (node.kind == SyntaxKind::sum)
            return sum(node);
        auto const operands = numerics(node.children);
        if (!operands)
            return std::nullopt;
        switch (node.kind) {
            case SyntaxKind::vector: return rules_.vector(*operands);
            case SyntaxKind::element: return rules_.element((*operands)[0], (*operands)[1]);
            case SyntaxKind::negate: return rules_.negative((*operands)[0]);
            case SyntaxKind::complement: return rules_.complement((*operands)[0]);
            default:
                return rules_.finite(node, *operands, rules_.binary(node, (*operands)[0], (*operands)[1]));
        }
    }

    std::optional<Expression> sum(SyntaxNode const& node) {
        std::vector<NumericRules::Term> terms;
        for (auto const child : node.children) {
            bool const is_subtracted = syntax_[child].kind == SyntaxKind::subtracted;
            if (auto const operand = numeric(is_subtracted ? syntax_[child].children[0] : child))
                terms.push_back({*operand, is_subtracted});
        }
        if (terms.size() != node.children.size())
            return std::nullopt;
        std::vector<Operand> operands;
        for (auto const& term : terms)
            operands.push_back(term.operand);
        return rules_.finite(node, operands, rules_.sum(terms));
    }

    // ---- names and calls

    Value name_or_call(SyntaxId id) {
        auto const& node = syntax_[id];
        auto const bound = std::find_if(scope_.rbegin(), scope_.rend(),
                                        [&](Binding const& each) { return each.name == node.word; });
        if (bound != scope_.rend()) {
            bound->is_used = true;
            return bound->value;
        }
        if (auto const stray = names_.stray_indices.find(id.value); stray != names_.stray_indices.end())
            return builder_.number(stray->second);
        if (auto const equation = names_.equations.find(node.word); equation != names_.equations.end())
            return call(node, equation->second);
        auto const builtin = builtin_named(node.word);
        if (!builtin || node.children.size() < builtin->least || node.children.size() > builtin->most)
            return Failed{};
        return builtin_call(node, builtin->builtin);
    }

    Value call(SyntaxNode const& node, std::size_t equation) {
        std::vector<Value> arguments;
        for (auto const child : node.children)
            arguments.push_back(lower(child));
        if (arguments.size() != syntax_.equations[equation].formals.size())
            return Failed{};
        return equation_value(equation, std::move(arguments), node.place);
    }

    Value builtin_call(SyntaxNode const& node, Builtin builtin) {
        switch (builtin) {
            case Builtin::rho: return ResourceList::infinite_server;
            case Builtin::fcfs: return fcfs(node);
            case Builtin::delay: return delay(node);
            case Builtin::use: return use(node);
            case Builtin::empirical:
                return from(sampled_law(node, syntax_[node.children[0]], read_file_, builder_, diagnostics_));
            default: break;
        }
        auto const operands = numerics(node.children);
        return from(operands ? rules_.finite(node, *operands, rules_.helper(node, builtin, *operands))
                             : std::nullopt);
    }

    Value fcfs(SyntaxNode const& node) {
        auto const operands = numerics(node.children);
        if (!operands)
            return Failed{};
        bool const has_index = rules_.is_index((*operands)[0], "the index of a resource");
        if (!rules_.is_number((*operands)[1], "the multiplicity of a resource") || !has_index)
            return Failed{};
        auto const places = builder_.constant((*operands)[1].value);
        if (places && *places <= 0) {
            diagnostics_.error((*operands)[1].node->extent,
                               "a resource has a multiplicity of 1 or more, not " + number_text(*places));
            return Failed{};
        }
        return resources_.add((*operands)[0].value, (*operands)[1].value);
    }

    std::optional<Expression> time(SyntaxId id) {
        auto const operand = numeric(id);
        if (!operand || !rules_.is_scalar(*operand, "a time"))
            return std::nullopt;
        auto const known = builder_.constant(operand->value);
        if (known && *known < 0) {
            diagnostics_.error(operand->node->extent, "the time " + number_text(*known) + " is negative");
            return std::nullopt;
        }
        return operand->value;
    }

    Value delay(SyntaxNode const& node) {
        auto const duration = time(node.children[0]);
        if (!duration)
            return Failed{};
        return processes_.add(Delay{*duration}, {}, builder_.size(*duration));
    }

    Value use(SyntaxNode const& node) {
        auto const resource = lower(node.children[0]);
        auto const duration = time(node.children[1]);
        auto const* id = std::get_if<ResourceId>(&resource);
        if (id == nullptr)
            complain_of_type(node.children[0], resource, "a resource");
        if (id == nullptr || !duration)
            return Failed{};
        if (*id == ResourceList::infinite_server)
            return processes_.add(Delay{*duration}, {}, builder_.size(*duration));
        return processes_.add(Use{resources_[*id], *duration}, {}, builder_.size(*duration));
    }

    // ---- processes

    Value composition(SyntaxNode const& node) {
        std::vector<ProcessId> parts;
        for (auto const child : node.children) {
            if (auto const part = process(child))
                parts.push_back(*part);
        }
        if (parts.size() != node.children.size())
            return Failed{};
        if (node.kind == SyntaxKind::sequence)
            return processes_.add(Sequence{parts}, parts, 0);
        return processes_.add(Parallel{parts}, parts, 0);
    }

    struct Bounds {
        Expression first;
        Expression last;
    };

    Value loop(SyntaxNode const& node) {
        auto const first = numeric(node.children[0]);
        auto const last = numeric(node.children[1]);
        std::optional<Bounds> bounds;
        if (first && last && are_bounds(node, *first, *last))
            bounds = Bounds{first->value, last->value};
        auto const index = builder_.new_index(node.word);
        scope_.push_back({node.word, builder_.index(index)});
        bool const is_process =
            node.kind == SyntaxKind::sequential_loop || node.kind == SyntaxKind::parallel_loop;
        Value body = Failed{};
        if (is_process) {
            if (auto const each = process(node.children[2]))
                body = *each;
        } else if (auto const each = numeric(node.children[2])) {
            body = each->value;
        }
        bool const uses_index = scope_.back().is_used;
        scope_.pop_back();
        if (!bounds || !is_turns(node, *first, *last) || std::holds_alternative<Failed>(body))
            return Failed{};
        if (is_process && is_known_empty(*bounds))
            return processes_.nothing();
        if (builder_.is_random(bounds->last) && uses_index) {
            diagnostics_.error(
                node.place, "'" + node.word + "' has no value in the body of a loop whose length is random",
                "such a loop repeats the same body; write seq (" + node.word + " = 1, n) with a number n");
            return Failed{};
        }
        if (auto const* each = std::get_if<Expression>(&body))
            return numeric_loop(node, index, *bounds, *each);
        auto const size = saturating_sum(builder_.size(bounds->first), builder_.size(bounds->last));
        return processes_.add(ProcessLoop{node.kind == SyntaxKind::parallel_loop, index, bounds->first,
                                          bounds->last, std::get<ProcessId>(body)},
                              {std::get<ProcessId>(body)}, size);
    }

    Value numeric_loop(SyntaxNode const& node, symbolic::IndexId index, Bounds const& bounds,
                       Expression body) {
        if (builder_.is_random(bounds.last))  // its index is not used
            return builder_.make(ExpressionKind::repeat, {bounds.last, body});
        auto const kind =
            node.kind == SyntaxKind::sum_loop ? ExpressionKind::sum_over : ExpressionKind::maximum_over;
        return builder_.loop(kind, index, bounds.first, bounds.last, body);
    }

    bool is_known_empty(Bounds const& bounds) const {
        auto const first = builder_.constant(bounds.first);
        auto const last = builder_.constant(bounds.last);
        return first && last && *last <= *first - 1;
    }

    // Whether the loop can have as many turns; said of values of parameters in the text, too.
    bool is_turns(SyntaxNode const& node, Operand const& first, Operand const& last) {
        auto const from = builder_.value_in_text(first.value);
        auto const to = builder_.value_in_text(last.value);
        if (!from || !to)
            return true;
        double const turns = *to - *from + 1;
        if (turns <= -1)
            diagnostics_.warning(last.node->extent, "from " + number_text(*from) + " to " + number_text(*to) +
                                                        " this loop has no turns");
        bool const is_whole = std::abs(turns - std::round(turns)) <= 1e-9 * std::max(1.0, std::abs(turns));
        if (node.kind != SyntaxKind::parallel_loop || is_whole)
            return true;
        auto const message = "these are " + number_text(turns) + " parallel branches, no whole number";
        auto const hint = "floor(x) and ceil(x) are the whole numbers next to x";
        bool const is_settled = builder_.constant(first.value) && builder_.constant(last.value);
        if (is_settled)
            diagnostics_.error(last.node->extent, message, hint);
        else
            diagnostics_.warning(last.node->extent, message, hint);
        return !is_settled;
    }

    // A random last value is a random count, from 1.
    bool are_bounds(SyntaxNode const& node, Operand const& first, Operand const& last) {
        if (!builder_.is_random(last.value)) {
            bool const has_first = rules_.is_number(first, "the first value of an index");
            return rules_.is_number(last, "the last value of an index") && has_first;
        }
        if (!rules_.is_number(first, "the first value of an index") ||
            !rules_.is_scalar(last, "the last value of an index"))
            return false;
        bool const repeats = node.kind == SyntaxKind::sequential_loop || node.kind == SyntaxKind::sum_loop;
        if (!repeats) {
            diagnostics_.error(last.node->extent,
                               "the number of parallel branches is a number; this is random");
            return false;
        }
        if (builder_.constant(first.value) == 1.0)
            return true;
        diagnostics_.error(first.node->extent, "a loop whose last value is random begins with 1",
                           "its last value is then how often it is repeated");
        return false;
    }

    Value choice(SyntaxNode const& node) {
        auto const operand = numeric(node.children[0]);
        auto const then = lower(node.children[1]);
        auto const otherwise =
            node.children.size() == 3 ? std::optional(lower(node.children[2])) : std::nullopt;
        auto const condition = operand ? rules_.condition(*operand) : std::nullopt;
        bool const has_failed =
            std::holds_alternative<Failed>(then) || (otherwise && std::holds_alternative<Failed>(*otherwise));
        if (!condition || has_failed)
            return Failed{};
        if (otherwise && then.index() != otherwise->index()) {
            diagnostics_.error(syntax_[node.children[2]].extent,
                               std::string("this is ") + type_name(*otherwise) +
                                   ", what stands before 'else' is " + type_name(then));
            return Failed{};
        }
        if (std::holds_alternative<ProcessId>(then))
            return process_choice(*condition, then, otherwise);
        if (std::holds_alternative<ResourceId>(then))
            return resource_choice(node, *condition, then, otherwise);
        std::optional<Operand> alternative;
        if (otherwise)
            alternative = Operand{std::get<Expression>(*otherwise), &syntax_[node.children[2]]};
        return from(
            rules_.choice(*condition, {std::get<Expression>(then), &syntax_[node.children[1]]}, alternative));
    }

    Value process_choice(Condition const& condition, Value const& then,
                         std::optional<Value> const& otherwise) {
        auto const alternative = otherwise ? std::get<ProcessId>(*otherwise) : processes_.nothing();
        auto const known = condition.is_stochastic ? std::nullopt : builder_.constant(condition.value);
        if (known)
            return *known != 0 ? std::get<ProcessId>(then) : alternative;
        return processes_.add(
            ProcessChoice{condition.value, condition.is_stochastic, std::get<ProcessId>(then), alternative},
            {std::get<ProcessId>(then), alternative}, builder_.size(condition.value));
    }

    Value resource_choice(SyntaxNode const& node, Condition const& condition, Value const& then,
                          std::optional<Value> const& otherwise) {
        auto const known = condition.is_stochastic ? std::nullopt : builder_.constant(condition.value);
        if (known && otherwise)
            return *known != 0 ? then : *otherwise;
        diagnostics_.error(node.place,
                           "which resource it is must be known without the values of parameters and indices",
                           "choose between two processes: if (c) use(a, t) else use(b, t)");
        return Failed{};
    }

    Syntax const& syntax_;
    Names const& names_;
    std::span<Setting const> settings_;
    ReadFile const& read_file_;
    DiagnosticList& diagnostics_;
    ProcessModel model_;
    ExpressionBuilder builder_;
    NumericRules rules_;
    ProcessStore processes_;
    ResourceList resources_;
    std::vector<Binding> scope_;
    std::map<std::vector<std::uint64_t>, Value> values_;  // of equations, by their arguments
    std::map<std::size_t, double> parameter_values_;
    std::vector<bool> was_called_;
    std::uint32_t depth_ = 0;
};

}  // namespace

ProcessModel lower(Syntax const& syntax, Names const& names, std::span<Setting const> settings,
                   ReadFile const& read_file, DiagnosticList& diagnostics) {
    return Lowering(syntax, names, settings, read_file, diagnostics).model();
}

}  // namespace parcast::pamela
