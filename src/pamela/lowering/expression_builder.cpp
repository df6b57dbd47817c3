#include "pamela/lowering/expression_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "symbolic/operation.h"

namespace parcast::pamela {

using symbolic::Expression;
using symbolic::ExpressionKind;
using symbolic::Operation;

namespace {

std::optional<Operation> operation_of(ExpressionKind kind) {
    switch (kind) {
        case ExpressionKind::add: return Operation::add;
        case ExpressionKind::multiply: return Operation::multiply;
        case ExpressionKind::negate: return Operation::negate;
        case ExpressionKind::divide: return Operation::divide;
        case ExpressionKind::remainder: return Operation::remainder;
        case ExpressionKind::power: return Operation::power;
        case ExpressionKind::less: return Operation::less;
        case ExpressionKind::less_or_equal: return Operation::less_or_equal;
        case ExpressionKind::greater: return Operation::greater;
        case ExpressionKind::greater_or_equal: return Operation::greater_or_equal;
        case ExpressionKind::equal: return Operation::equal;
        case ExpressionKind::not_equal: return Operation::not_equal;
        case ExpressionKind::maximum: return Operation::maximum;
        case ExpressionKind::minimum: return Operation::minimum;
        case ExpressionKind::ceiling: return Operation::ceiling;
        case ExpressionKind::floor: return Operation::floor;
        case ExpressionKind::round: return Operation::round;
        case ExpressionKind::absolute: return Operation::absolute;
        case ExpressionKind::logarithm_2: return Operation::logarithm_2;
        case ExpressionKind::logarithm: return Operation::logarithm;
        case ExpressionKind::exponential: return Operation::exponential;
        case ExpressionKind::square_root: return Operation::square_root;
        case ExpressionKind::choose: return Operation::choose;
        default: return std::nullopt;
    }
}

std::optional<double> finite(double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// For operations that give a number for numbers; nothing if one of the values is not known.
std::optional<double> applied(ExpressionKind kind, std::span<std::optional<double> const> values) {
    if (!std::ranges::all_of(values, [](auto const& value) { return value.has_value(); }))
        return std::nullopt;
    auto const at = [&](std::size_t i) { return i < values.size() ? *values[i] : 0.0; };
    switch (kind) {
        case ExpressionKind::quotient: return finite(std::floor(at(0) / at(1)));
        case ExpressionKind::conjunction: return at(0) != 0 && at(1) != 0 ? 1 : 0;
        case ExpressionKind::disjunction: return at(0) != 0 || at(1) != 0 ? 1 : 0;
        case ExpressionKind::complement: return at(0) == 0 ? 1 : 0;
        default: break;
    }
    auto const operation = operation_of(kind);
    if (!operation)
        return std::nullopt;
    double result = symbolic::apply(*operation, at(0), at(1), at(2));
    bool const takes_any_number =
        kind == ExpressionKind::add || kind == ExpressionKind::maximum || kind == ExpressionKind::minimum;
    for (std::size_t i = 2; takes_any_number && i < values.size(); ++i)
        result = symbolic::apply(*operation, result, at(i), 0);
    return finite(result);
}

}  // namespace

std::uint64_t saturating_sum(std::uint64_t left, std::uint64_t right) {
    return left > std::numeric_limits<std::uint64_t>::max() - right
               ? std::numeric_limits<std::uint64_t>::max()
               : left + right;
}

Expression ExpressionBuilder::number(double value) {
    return noted(pool_.number(value), value, {});
}

Expression ExpressionBuilder::parameter(std::string_view name, std::optional<double> value) {
    return noted(pool_.parameter(name), value, {});
}

Expression ExpressionBuilder::index(symbolic::IndexId index) {
    return noted(pool_.index(index), std::nullopt, {});
}

Expression ExpressionBuilder::make(Kind kind, std::initializer_list<Expression> operands) {
    return make(kind, std::span(operands.begin(), operands.size()));
}

Expression ExpressionBuilder::make(Kind kind, std::span<Expression const> operands) {
    std::vector<std::optional<double>> constants;
    std::vector<std::optional<double>> values;
    for (auto const operand : operands) {
        constants.push_back(constant(operand));
        values.push_back(value_in_text(operand));
    }
    bool const is_single =
        operands.size() == 1 && (kind == Kind::add || kind == Kind::maximum || kind == Kind::minimum);
    if (is_single && !is_vector(operands[0]))
        return operands[0];
    if (auto const known = applied(kind, constants))
        return number(*known);
    return noted(pool_.make(kind, operands), applied(kind, values), operands);
}

Expression ExpressionBuilder::loop(Kind kind, symbolic::IndexId index, Expression first, Expression last,
                                   Expression body) {
    Expression const parts[] = {first, last, body};
    return noted(pool_.loop(kind, index, first, last, body), std::nullopt, parts);
}

std::optional<double> ExpressionBuilder::constant(Expression expression) const {
    return pool_.kind(expression) == Kind::number ? std::optional(pool_.value(expression)) : std::nullopt;
}

Expression ExpressionBuilder::noted(Expression expression, std::optional<double> value,
                                    std::span<Expression const> parts) {
    Facts facts{value, 1, 1};
    for (auto const part : parts) {
        facts.size = saturating_sum(facts.size, size(part));
        facts.depth = std::max(facts.depth, depth(part) + 1);
    }
    if (facts_.size() <= expression.id)
        facts_.resize(expression.id + std::size_t{1});
    facts_[expression.id] = facts;
    return expression;
}

}  // namespace parcast::pamela
