#include "symbolic/simplify/simplify.h"

#include <algorithm>
#include <compare>
#include <utility>
#include <vector>

#include "symbolic/simplify/simplifier.h"
#include "symbolic/tape/expression_tape.h"

namespace parcast::symbolic {

namespace {

std::strong_ordering by_name(ExpressionPool const& pool, Expression left, Expression right) {
    auto const order = pool.name(left) <=> pool.name(right);
    return order != 0 ? order : left <=> right;
}

std::strong_ordering compared(ExpressionPool const& pool, Expression left, Expression right) {
    if (left == right)
        return std::strong_ordering::equal;
    if (pool.kind(left) != pool.kind(right))
        return pool.kind(left) <=> pool.kind(right);
    if (pool.kind(left) == ExpressionKind::number)
        return std::strong_order(pool.value(left), pool.value(right));
    if (pool.kind(left) == ExpressionKind::parameter || pool.kind(left) == ExpressionKind::index)
        return by_name(pool, left, right);
    auto const of_left = pool.operands(left);
    auto const of_right = pool.operands(right);
    for (std::size_t place = 0; place < std::min(of_left.size(), of_right.size()); ++place)
        if (auto const order = compared(pool, of_left[place], of_right[place]); order != 0)
            return order;
    auto const by_length = of_left.size() <=> of_right.size();
    return by_length != 0 ? by_length : left <=> right;
}

}  // namespace

bool is_before(ExpressionPool const& pool, Expression left, Expression right) {
    return compared(pool, left, right) < 0;
}

void Simplifier::sort(std::vector<Expression>& expressions) const {
    std::ranges::sort(expressions,
                      [&](Expression left, Expression right) { return is_before(pool_, left, right); });
}

Expression Simplifier::simple(Expression expression) {
    if (auto const known = done_.find(expression.id); known != done_.end())
        return known->second;
    auto const made = rebuilt(expression);
    done_.emplace(expression.id, made);
    return made;
}

Expression Simplifier::rebuilt(Expression expression) {
    auto const kind = pool_.kind(expression);
    auto const given = pool_.operands(expression);
    std::vector<Expression> operands(given.begin(), given.end());
    for (auto& operand : operands)
        operand = simple(operand);
    switch (kind) {
        case ExpressionKind::number:
        case ExpressionKind::parameter:
        case ExpressionKind::index: return expression;
        case ExpressionKind::sum_over:
            return sum_over(pool_.bound_index(expression), operands[0], operands[1], operands[2]);
        case ExpressionKind::maximum_over:
            return maximum_over(pool_.bound_index(expression), operands[0], operands[1], operands[2]);
        case ExpressionKind::element: return element(operands[0], operands[1]);
        case ExpressionKind::largest: return largest(operands[0]);
        default: break;
    }
    bool const makes_vector = kind == ExpressionKind::vector || kind == ExpressionKind::unit_vector;
    if (makes_vector || has_vector(operands))
        return vector_operation(kind, operands);
    switch (kind) {
        case ExpressionKind::moments: {
            auto const made = pool_.make(kind, operands);
            auto const moments = known_time(made);
            return moments ? constant_time(*moments) : made;
        }
        case ExpressionKind::add: return add(operands);
        case ExpressionKind::repeat: return repeat(operands[0], operands[1]);
        case ExpressionKind::scale: return scale(operands[0], operands[1]);
        case ExpressionKind::maximum: return maximum(operands);
        case ExpressionKind::choose: return choose(operands[0], operands[1], operands[2]);
        case ExpressionKind::branch: return branch(operands[0], operands[1], operands[2]);
        default: return operation(kind, operands);
    }
}

namespace {

// The value of an expression without parameters, if it has one.
std::optional<Moments> value_of(ExpressionPool const& pool, Expression expression) {
    bool const is_open = pool.has_parameters(expression) || !pool.free_indices(expression).empty();
    if (is_open || pool.is_vector(expression))
        return std::nullopt;
    auto const tape = ExpressionTape::compile(pool, expression, {});
    if (!tape)
        return std::nullopt;
    auto const value = tape->moments({});
    return value ? std::optional(*value) : std::nullopt;
}

}  // namespace

Expression simplify(ExpressionPool& pool, Expression expression) {
    auto const kept = Simplifier(pool, Simplifier::Maxima::kept).simple(expression);
    auto const computed = Simplifier(pool, Simplifier::Maxima::computed).simple(kept);
    bool const is_constant =
        pool.kind(computed) == ExpressionKind::number || pool.kind(computed) == ExpressionKind::moments;
    auto const value = is_constant ? std::nullopt : value_of(pool, computed);
    return value ? constant_time(pool, *value) : computed;
}

std::optional<double> known_difference(ExpressionPool& pool, Expression left, Expression right) {
    Simplifier simplifier(pool, Simplifier::Maxima::kept);
    return simplifier.known_difference(simplifier.simple(left), simplifier.simple(right));
}

}  // namespace parcast::symbolic
