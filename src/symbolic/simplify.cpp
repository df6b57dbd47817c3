#include "symbolic/simplify.h"

#include <utility>
#include <vector>

#include "symbolic/simplifier.h"

namespace parcast::symbolic {

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

Expression simplify(ExpressionPool& pool, Expression expression) {
    auto const kept = Simplifier(pool, Simplifier::Maxima::kept).simple(expression);
    return Simplifier(pool, Simplifier::Maxima::computed).simple(kept);
}

std::optional<double> known_difference(ExpressionPool& pool, Expression left, Expression right) {
    Simplifier simplifier(pool, Simplifier::Maxima::kept);
    return simplifier.known_difference(simplifier.simple(left), simplifier.simple(right));
}

}  // namespace parcast::symbolic
