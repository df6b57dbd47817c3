#include "symbolic/polynomial_expression.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace parcast::symbolic {

namespace {

// Multiples of one sum are the same one, times a number: whole coefficients without a common divisor, the
// first positive. REQUIRES: not 0.
std::pair<Polynomial, Fraction> primitive(Polynomial const& polynomial) {
    auto const denominator = common_denominator(polynomial);
    auto const whole = polynomial.times({denominator, 1});
    double divisor = 0;
    for (auto const& [monomial, factor] : whole.terms()) {
        bool const is_whole_number = factor.denominator == 1 && is_whole(factor.numerator);
        divisor = is_whole_number && divisor >= 0 ? greatest_common_divisor(divisor, factor.numerator) : -1;
    }
    auto const size = divisor > 0 ? divisor : std::abs(whole.terms().begin()->second.value());
    auto const content = whole.terms().begin()->second.numerator < 0 ? Fraction{-size, 1} : Fraction{size, 1};
    return {whole.times(inverse(content)), content * Fraction{1, denominator}};
}

class Writer {
public:
    explicit Writer(ExpressionPool& pool) : pool_(pool) {}

    // Terms over the same sums are one fraction.
    Expression written(Polynomial const& polynomial) {
        if (auto const number = polynomial.constant())
            return pool_.number(*number);
        std::map<Monomial, Polynomial, MonomialOrder> fractions;
        for (auto const& [monomial, factor] : polynomial.terms()) {
            Monomial sums;
            Monomial rest;
            for (auto const& each : monomial) {
                bool const is_sum = each.power < 0 && pool_.kind(each.atom) == ExpressionKind::add;
                (is_sum ? sums : rest).push_back(each);
            }
            fractions[sums] += Polynomial::of_term(rest, factor);
        }
        std::vector<Expression> parts;
        for (auto const& [sums, rest] : fractions)
            parts.push_back(divided_by_sums(fraction(rest), sums));
        return sum(parts);
    }

private:
    Expression divided_by_sums(Expression value, Monomial const& sums) {
        for (auto const& [atom, power] : sums)
            for (int done = 0; done < -power; ++done)
                value = pool_.make(ExpressionKind::divide, {value, atom});
        return value;
    }

    Expression sum(std::vector<Expression> const& parts) {
        return parts.size() == 1 ? parts.front() : pool_.make(ExpressionKind::add, parts);
    }

    Expression fraction(Polynomial const& polynomial) {
        auto const common = common_monomial(polynomial.terms());
        auto const denominator = common_denominator(polynomial);
        auto const rest = polynomial.times(inverse(common)).times({denominator, 1});

        std::vector<Expression> above;
        std::vector<Expression> below;
        if (denominator != 1)
            below.push_back(pool_.number(denominator));
        for (auto const& [atom, power] : common)
            (power > 0 ? above : below).push_back(to_power(atom, std::abs(power)));
        if (rest.terms().size() == 1) {
            auto const factor = rest.terms().begin()->second.value();
            if (factor != 1 || above.empty())
                above.insert(above.begin(), pool_.number(factor));
        } else {
            std::vector<Expression> terms;
            for (auto const& [monomial, factor] : rest.terms())
                terms.push_back(term(monomial, factor.value()));
            put_a_positive_term_first(terms, rest);
            above.push_back(pool_.make(ExpressionKind::add, terms));
        }
        auto const numerator = product(above);
        return below.empty() ? numerator : pool_.make(ExpressionKind::divide, {numerator, product(below)});
    }

    // N - P, not -P + N.
    static void put_a_positive_term_first(std::vector<Expression>& terms, Polynomial const& polynomial) {
        std::size_t place = 0;
        for (auto const& [monomial, factor] : polynomial.terms()) {
            if (factor.value() > 0)
                break;
            ++place;
        }
        if (place > 0 && place < terms.size()) {
            auto const first = terms.begin() + static_cast<std::ptrdiff_t>(place);
            std::rotate(terms.begin(), first, first + 1);
        }
    }

    Expression term(Monomial const& monomial, double factor) {
        std::vector<Expression> factors;
        if (factor != 1 || monomial.empty())
            factors.push_back(pool_.number(factor));
        for (auto const& [atom, power] : monomial)
            factors.push_back(to_power(atom, power));
        return product(factors);
    }

    Expression product(std::vector<Expression> const& factors) {
        return factors.size() == 1 ? factors.front() : pool_.make(ExpressionKind::multiply, factors);
    }

    Expression to_power(Expression atom, int power) {
        return power == 1 ? atom : pool_.make(ExpressionKind::power, {atom, pool_.number(power)});
    }

    ExpressionPool& pool_;
};

}  // namespace

Polynomial polynomial_of(ExpressionPool const& pool, Expression simplified) {
    auto const operands = pool.operands(simplified);
    switch (pool.kind(simplified)) {
        case ExpressionKind::number: return Polynomial(pool.value(simplified));
        case ExpressionKind::add: {
            Polynomial sum;
            for (auto const operand : operands)
                sum += polynomial_of(pool, operand);
            return sum;
        }
        case ExpressionKind::negate: return polynomial_of(pool, operands[0]).times({-1, 1});
        case ExpressionKind::multiply: {
            Polynomial product(1);
            std::size_t sums = 0;
            for (auto const operand : operands) {
                auto const factor = polynomial_of(pool, operand);
                // A second sum was too long to be multiplied out when this was made.
                bool const is_atom = factor.terms().size() > 1 && ++sums > 1;
                product = product * (is_atom ? Polynomial::of_atom(operand) : factor);
            }
            return product;
        }
        case ExpressionKind::divide: {
            auto const numerator = polynomial_of(pool, operands[0]);
            auto const denominator = polynomial_of(pool, operands[1]);
            if (denominator.terms().size() == 1) {
                auto const& [monomial, factor] = *denominator.terms().begin();
                return numerator * Polynomial::of_term(inverse(monomial), inverse(factor));
            }
            return denominator.is_zero() ? Polynomial::of_atom(simplified)
                                         : numerator * Polynomial::of_atom(operands[1], -1);
        }
        case ExpressionKind::power:
            if (pool.kind(operands[1]) == ExpressionKind::number) {
                auto const exponent = pool.value(operands[1]);
                if (exponent == std::floor(exponent) && exponent != 0 && std::abs(exponent) <= 1000)
                    return Polynomial::of_atom(operands[0], static_cast<int>(exponent));
            }
            return Polynomial::of_atom(simplified);
        default: return Polynomial::of_atom(simplified);
    }
}

Expression expression_of(ExpressionPool& pool, Polynomial const& polynomial) {
    return Writer(pool).written(polynomial);
}

Polynomial product_of(ExpressionPool& pool, std::span<Polynomial const> factors) {
    std::size_t terms = 1;
    std::size_t sums = 0;
    for (auto const& factor : factors) {
        terms *= std::max<std::size_t>(factor.terms().size(), 1);
        sums += factor.terms().size() > 1;
        if (terms > 4 * most_terms)
            break;
    }
    bool const is_too_long = sums > 1 && terms > most_terms;
    Polynomial product(1);
    for (auto const& factor : factors) {
        bool const is_atom = is_too_long && factor.terms().size() > 1;
        product = product * (is_atom ? Polynomial::of_atom(expression_of(pool, factor)) : factor);
    }
    return product;
}

std::optional<Polynomial> quotient_of(ExpressionPool& pool, Polynomial const& left, Polynomial const& right) {
    if (right.is_zero())
        return std::nullopt;
    auto const common = common_monomial(right.terms());
    auto const rest = right.times(inverse(common));
    auto const quotient = left.times(inverse(common));
    if (rest.terms().size() == 1)
        return quotient.times(inverse(rest.terms().begin()->second));
    auto const [divisor, content] = primitive(rest);
    if (quotient.terms().size() == rest.terms().size()) {
        auto const of_left = common_monomial(quotient.terms());
        auto const [left_rest, left_content] = primitive(quotient.times(inverse(of_left)));
        if (left_rest == divisor)
            return Polynomial::of_term(of_left, left_content * inverse(content));
    }
    return quotient.times(inverse(content)) * Polynomial::of_atom(expression_of(pool, divisor), -1);
}

}  // namespace parcast::symbolic
