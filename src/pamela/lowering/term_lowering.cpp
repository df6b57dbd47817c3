#include "pamela/lowering/term_lowering.h"

#include <algorithm>
#include <utility>

#include "pamela/sampled_law.h"

namespace parcast::pamela {

using symbolic::Expression;

namespace {

constexpr std::uint32_t deepest = 500;  // constructs in each other when names are replaced

template <class Kind>
std::optional<Kind> as(std::optional<Value> const& value) {
    return value ? std::optional(std::get<Kind>(*value)) : std::nullopt;
}

}  // namespace

TermLowering::TermLowering(Syntax const& syntax, Names const& names, ReadFile const& read_file, Call call,
                           ModelBuilder& builder, DiagnosticList& diagnostics)
    : syntax_(syntax),
      names_(names),
      read_file_(read_file),
      call_(std::move(call)),
      builder_(builder),
      diagnostics_(diagnostics),
      numbers_(builder.expressions, diagnostics),
      processes_(builder, numbers_, diagnostics),
      loops_(builder, numbers_, diagnostics) {}

Value TermLowering::right_side(SyntaxId body, std::vector<Binding> formals) {
    std::swap(formals, scope_);
    auto const result = value(body);
    std::swap(formals, scope_);
    return result;
}

Value TermLowering::value(SyntaxId id) {
    if (depth_ >= deepest) {
        diagnostics_.error(syntax_[id].place, "with every name replaced, this is nested too deeply");
        return Failed{};
    }
    ++depth_;
    auto const result = value_of_kind(id);
    --depth_;
    return result;
}

Value TermLowering::value_of_kind(SyntaxId id) {
    auto const& node = syntax_[id];
    switch (node.kind) {
        case SyntaxKind::unreadable: return Failed{};
        case SyntaxKind::number: return builder_.expressions.number(node.number);
        case SyntaxKind::text:
            diagnostics_.error(node.extent, "a text is only the argument of empirical(\"file\")");
            return Failed{};
        case SyntaxKind::name:
        case SyntaxKind::call: return name_or_call(id);
        case SyntaxKind::sequence:
        case SyntaxKind::parallel: return value_of(composition(node));
        case SyntaxKind::sequential_loop:
        case SyntaxKind::parallel_loop:
        case SyntaxKind::sum_loop:
        case SyntaxKind::maximum_loop: return loop(node);
        case SyntaxKind::choice: return choice(node);
        default: return value_of(numeric_operator(node));
    }
}

// ---- values of one type

std::optional<Operand> TermLowering::numeric(SyntaxId id) {
    auto const result = value(id);
    if (auto const* expression = std::get_if<Expression>(&result))
        return Operand{*expression, &syntax_[id]};
    complain_of_type(id, result, "a numeric expression");
    return std::nullopt;
}

std::optional<std::vector<Operand>> TermLowering::numerics(std::span<SyntaxId const> ids) {
    std::vector<Operand> result;
    for (auto const id : ids)
        if (auto const operand = numeric(id))
            result.push_back(*operand);
    return result.size() == ids.size() ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<ProcessId> TermLowering::process(SyntaxId id) {
    auto const result = value(id);
    if (auto const* process = std::get_if<ProcessId>(&result))
        return *process;
    complain_of_type(id, result, "a process");
    return std::nullopt;
}

void TermLowering::complain_of_type(SyntaxId id, Value const& value, std::string const& wanted) {
    if (has_failed(value))
        return;
    auto const& node = syntax_[id];
    bool const is_time = wanted == "a process" && std::holds_alternative<Expression>(value);
    bool const is_resource = wanted == "a process" && std::holds_alternative<ResourceId>(value);
    std::string hint;
    if (is_time)
        hint = "delay(t) takes the time t";
    else if (is_resource)
        hint = "use(" + (node.word.empty() ? std::string("r") : node.word) + ", t) uses it for the time t";
    else if (wanted == "a resource")
        hint = "a resource is fcfs(index, multiplicity), or rho";
    else if (std::holds_alternative<ProcessId>(value))
        hint = "the time of a process has no name in the model: 'parcast formula' finds it";
    diagnostics_.error(node.extent, "expected " + wanted + "; this is " + type_name(value), hint);
}

// ---- names and calls

Value TermLowering::name_or_call(SyntaxId id) {
    auto const& node = syntax_[id];
    auto const bound = std::find_if(scope_.rbegin(), scope_.rend(),
                                    [&](Binding const& each) { return each.name == node.word; });
    if (bound != scope_.rend()) {
        bound->is_used = true;
        return bound->value;
    }
    if (auto const stray = names_.stray_indices.find(id.value); stray != names_.stray_indices.end())
        return builder_.expressions.number(stray->second);
    if (auto const equation = names_.equations.find(node.word); equation != names_.equations.end())
        return equation_call(node, equation->second);
    auto const builtin = builtin_named(node.word);
    if (!builtin || node.children.size() < builtin->least || node.children.size() > builtin->most)
        return Failed{};
    return builtin_call(node, builtin->builtin);
}

Value TermLowering::equation_call(SyntaxNode const& node, std::size_t equation) {
    std::vector<Value> arguments;
    for (auto const child : node.children)
        arguments.push_back(value(child));
    if (arguments.size() != syntax_.equations[equation].formals.size())
        return Failed{};
    return call_(equation, std::move(arguments), node.place);
}

Value TermLowering::builtin_call(SyntaxNode const& node, Builtin builtin) {
    switch (builtin) {
        case Builtin::rho: return ResourceList::infinite_server;
        case Builtin::fcfs: return value_of(fcfs(node));
        case Builtin::delay: return value_of(delay(node));
        case Builtin::use: return value_of(use(node));
        case Builtin::empirical:
            return value_of(
                sampled_law(node, syntax_[node.children[0]], read_file_, builder_.expressions, diagnostics_));
        default: break;
    }
    auto const operands = numerics(node.children);
    if (!operands)
        return Failed{};
    return value_of(numbers_.finite(node, *operands, numbers_.helper(node, builtin, *operands)));
}

std::optional<ResourceId> TermLowering::fcfs(SyntaxNode const& node) {
    auto const operands = numerics(node.children);
    return operands ? processes_.fcfs((*operands)[0], (*operands)[1]) : std::nullopt;
}

std::optional<ProcessId> TermLowering::delay(SyntaxNode const& node) {
    auto const duration = time(node.children[0]);
    return duration ? std::optional(processes_.delay(*duration)) : std::nullopt;
}

std::optional<ProcessId> TermLowering::use(SyntaxNode const& node) {
    auto const resource = value(node.children[0]);
    auto const duration = time(node.children[1]);
    auto const* id = std::get_if<ResourceId>(&resource);
    if (id == nullptr)
        complain_of_type(node.children[0], resource, "a resource");
    return id != nullptr && duration ? std::optional(processes_.use(*id, *duration)) : std::nullopt;
}

std::optional<Expression> TermLowering::time(SyntaxId id) {
    auto const operand = numeric(id);
    return operand ? processes_.time(*operand) : std::nullopt;
}

// ---- operators

std::optional<Expression> TermLowering::numeric_operator(SyntaxNode const& node) {
    if (node.kind == SyntaxKind::sum)
        return sum(node);
    auto const operands = numerics(node.children);
    if (!operands)
        return std::nullopt;
    switch (node.kind) {
        case SyntaxKind::vector: return numbers_.vector(*operands);
        case SyntaxKind::element: return numbers_.element((*operands)[0], (*operands)[1]);
        case SyntaxKind::negate: return numbers_.negative((*operands)[0]);
        case SyntaxKind::complement: return numbers_.complement((*operands)[0]);
        default:
            return numbers_.finite(node, *operands, numbers_.binary(node, (*operands)[0], (*operands)[1]));
    }
}

std::optional<Expression> TermLowering::sum(SyntaxNode const& node) {
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
    return numbers_.finite(node, operands, numbers_.sum(terms));
}

std::optional<ProcessId> TermLowering::composition(SyntaxNode const& node) {
    std::vector<ProcessId> parts;
    for (auto const child : node.children)
        if (auto const part = process(child))
            parts.push_back(*part);
    if (parts.size() != node.children.size())
        return std::nullopt;
    return processes_.composition(node.kind, parts);
}

Value TermLowering::loop(SyntaxNode const& node) {
    auto const first = numeric(node.children[0]);
    auto const last = numeric(node.children[1]);
    bool const has_bounds = first && last && loops_.are_bounds(node, *first, *last);
    auto const index = builder_.expressions.new_index(node.word);
    scope_.push_back({node.word, builder_.expressions.index(index)});
    Value body = Failed{};
    if (node.kind == SyntaxKind::sequential_loop || node.kind == SyntaxKind::parallel_loop)
        body = value_of(process(node.children[2]));
    else if (auto const each = numeric(node.children[2]))
        body = each->value;
    bool const index_is_used = scope_.back().is_used;
    scope_.pop_back();
    if (!has_bounds || !loops_.is_turns(node, *first, *last) || has_failed(body))
        return Failed{};
    return loops_.loop(node, {index, first->value, last->value, index_is_used}, body);
}

Value TermLowering::choice(SyntaxNode const& node) {
    auto const operand = numeric(node.children[0]);
    auto const then = value(node.children[1]);
    auto const otherwise = node.children.size() == 3 ? std::optional(value(node.children[2])) : std::nullopt;
    auto const condition = operand ? numbers_.condition(*operand) : std::nullopt;
    if (!condition || has_failed(then) || (otherwise && has_failed(*otherwise)))
        return Failed{};
    if (!otherwise || then.index() == otherwise->index())
        return choice(node, *condition, then, otherwise);
    diagnostics_.error(syntax_[node.children[2]].extent, std::string("this is ") + type_name(*otherwise) +
                                                             ", what stands before 'else' is " +
                                                             type_name(then));
    return Failed{};
}

// REQUIRES: both of one type.
Value TermLowering::choice(SyntaxNode const& node, Condition const& condition, Value const& then,
                           std::optional<Value> const& otherwise) {
    if (auto const* process = std::get_if<ProcessId>(&then))
        return processes_.choice(condition, *process, as<ProcessId>(otherwise));
    if (auto const* resource = std::get_if<ResourceId>(&then))
        return value_of(processes_.choice(node, condition, *resource, as<ResourceId>(otherwise)));
    std::optional<Operand> alternative;
    if (otherwise)
        alternative = Operand{std::get<Expression>(*otherwise), &syntax_[node.children[2]]};
    Operand const number{std::get<Expression>(then), &syntax_[node.children[1]]};
    return value_of(numbers_.choice(condition, number, alternative));
}

}  // namespace parcast::pamela
