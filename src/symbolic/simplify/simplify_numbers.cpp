#include <algorithm>
#include <cmath>

#include "symbolic/simplify/simplifier.h"
#include "symbolic/tape/expression_tape_steps.h"

namespace parcast::symbolic {

std::optional<double> Simplifier::known_number(Expression expression) const {
    bool const is_number = pool_.kind(expression) == ExpressionKind::number;
    return is_number ? std::optional(pool_.value(expression)) : std::nullopt;
}

std::optional<double> Simplifier::known_difference(Expression left, Expression right) const {
    bool const are_numbers = !pool_.is_random(left) && !pool_.is_random(right) && !pool_.is_vector(left) &&
                             !pool_.is_vector(right);
    return are_numbers ? (polynomial(left) - polynomial(right)).constant() : std::nullopt;
}

Expression Simplifier::product(Expression left, Expression right) {
    return product_of_numbers(std::vector{left, right});
}

Expression Simplifier::count_between(Expression first, Expression last) {
    return expression(polynomial(last) - polynomial(first) + Polynomial(1));
}

Expression Simplifier::operation(ExpressionKind kind, std::vector<Expression> const& operands) {
    auto const is_random = [&](Expression operand) { return pool_.is_random(operand); };
    if (std::ranges::any_of(operands, is_random))
        return kind == ExpressionKind::negate ? scale(number(-1), operands[0]) : pool_.make(kind, operands);
    switch (kind) {
        case ExpressionKind::negate: return product(number(-1), operands[0]);
        case ExpressionKind::multiply: return product_of_numbers(operands);
        case ExpressionKind::divide: {
            auto const quotient = quotient_of(pool_, polynomial(operands[0]), polynomial(operands[1]));
            return quotient ? expression(*quotient) : pool_.make(kind, operands);
        }
        case ExpressionKind::power: return power(operands[0], operands[1]);
        case ExpressionKind::less:
        case ExpressionKind::less_or_equal:
        case ExpressionKind::greater:
        case ExpressionKind::greater_or_equal:
        case ExpressionKind::equal:
        case ExpressionKind::not_equal: return comparison(kind, operands[0], operands[1]);
        case ExpressionKind::conjunction:
        case ExpressionKind::disjunction: return logical(kind, operands);
        case ExpressionKind::minimum: return extreme(kind, operands);
        default: break;
    }
    auto const first = known_number(operands.front());
    auto const second = known_number(operands.back());
    if (first && second) {
        auto const value = applied(kind, *first, *second);
        if (std::isfinite(value))
            return number(value);
    }
    return pool_.make(kind, operands);
}

Expression Simplifier::sum_of_numbers(std::span<Expression const> operands) {
    Polynomial sum;
    for (auto const operand : operands)
        sum += polynomial(operand);
    return expression(sum);
}

Expression Simplifier::product_of_numbers(std::span<Expression const> operands) {
    std::vector<Polynomial> factors;
    for (auto const operand : operands)
        factors.push_back(polynomial(operand));
    return expression(product_of(pool_, factors));
}

// A sum is multiplied out if the result is short.
Expression Simplifier::power(Expression base, Expression exponent) {
    auto const known = known_number(exponent);
    if (auto const of = known_number(base); of && known && std::isfinite(std::pow(*of, *known)))
        return number(std::pow(*of, *known));
    auto const kept = [&] { return pool_.make(ExpressionKind::power, {base, exponent}); };
    if (!known || *known != std::floor(*known) || std::abs(*known) > 64)
        return kept();
    auto const size = static_cast<unsigned>(std::abs(*known));
    auto const of = polynomial(base);
    if (std::pow(static_cast<double>(of.terms().size()), size) > static_cast<double>(most_terms))
        return kept();
    if (*known >= 0)
        return expression(of.to_power(size));
    std::optional<Polynomial> quotient = Polynomial(1);
    for (unsigned done = 0; done < size && quotient; ++done)
        quotient = quotient_of(pool_, *quotient, of);
    return quotient ? expression(*quotient) : kept();
}

Expression Simplifier::comparison(ExpressionKind kind, Expression left, Expression right) {
    if (auto const difference = known_difference(left, right))
        return number(applied(kind, *difference, 0));
    return pool_.make(kind, {left, right});
}

Expression Simplifier::logical(ExpressionKind kind, std::vector<Expression> const& operands) {
    bool const is_and = kind == ExpressionKind::conjunction;
    std::vector<Expression> open;
    for (auto const operand : operands) {
        auto const known = known_number(operand);
        if (known && (*known != 0) != is_and)
            return number(is_and ? 0 : 1);
        if (!known && std::ranges::find(open, operand) == open.end())
            open.push_back(operand);
    }
    if (open.empty())
        return number(is_and ? 1 : 0);
    if (open.size() > 1)
        return pool_.make(kind, open);
    auto const inner = pool_.kind(open.front());
    bool const is_truth = inner >= ExpressionKind::less && inner <= ExpressionKind::complement;
    return is_truth ? open.front() : pool_.make(ExpressionKind::not_equal, {open.front(), number(0)});
}

// The least or the greatest number: of two with a known difference, one.
Expression Simplifier::extreme(ExpressionKind kind, std::vector<Expression> operands) {
    std::vector<Expression> flat;
    for (auto const operand : operands) {
        if (pool_.kind(operand) == kind) {
            auto const inner = pool_.operands(operand);
            flat.insert(flat.end(), inner.begin(), inner.end());
        } else {
            flat.push_back(operand);
        }
    }
    std::vector<Expression> kept;
    for (auto const each : flat) {
        bool is_beaten = false;
        for (auto& other : kept) {
            auto const difference = known_difference(each, other);
            if (!difference)
                continue;
            is_beaten = true;
            if (kind == ExpressionKind::maximum ? *difference > 0 : *difference < 0)
                other = each;
        }
        if (!is_beaten)
            kept.push_back(each);
    }
    sort(kept);
    return kept.size() == 1 ? kept.front() : pool_.make(kind, kept);
}

}  // namespace parcast::symbolic
