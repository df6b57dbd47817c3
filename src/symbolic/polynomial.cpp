#include "symbolic/polynomial.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "core/ensure.h"

namespace parcast::symbolic {

namespace {

constexpr double greatest_whole = 0x1p53;

bool is_whole(double value) {
    return std::abs(value) < greatest_whole && value == std::floor(value);
}

double greatest_common_divisor(double left, double right) {
    return static_cast<double>(
        std::gcd(static_cast<std::int64_t>(std::abs(left)), static_cast<std::int64_t>(std::abs(right))));
}

Fraction reduced(Fraction fraction) {
    if (fraction.numerator == 0 || !std::isfinite(fraction.numerator) || !std::isfinite(fraction.denominator))
        return {fraction.numerator == 0 ? 0 : fraction.value(), 1};
    if (!is_whole(fraction.denominator))
        return {fraction.value(), 1};
    if (fraction.denominator < 0)
        fraction = {-fraction.numerator, -fraction.denominator};
    if (is_whole(fraction.numerator)) {
        auto const common = greatest_common_divisor(fraction.numerator, fraction.denominator);
        fraction = {fraction.numerator / common, fraction.denominator / common};
    }
    return fraction;
}

Monomial product(Monomial const& left, Monomial const& right) {
    Monomial result;
    auto at_left = left.begin();
    auto at_right = right.begin();
    while (at_left != left.end() || at_right != right.end()) {
        if (at_right == right.end() || (at_left != left.end() && at_left->atom < at_right->atom)) {
            result.push_back(*at_left++);
        } else if (at_left == left.end() || at_right->atom < at_left->atom) {
            result.push_back(*at_right++);
        } else {
            auto const power = at_left->power + at_right->power;
            if (power != 0)
                result.push_back({at_left->atom, power});
            ++at_left;
            ++at_right;
        }
    }
    return result;
}

Monomial inverse(Monomial monomial) {
    for (auto& factor : monomial)
        factor.power = -factor.power;
    return monomial;
}

int degree(Monomial const& monomial) {
    int sum = 0;
    for (auto const& factor : monomial)
        sum += factor.power;
    return sum;
}

// What all terms have in common: of each atom the least power, 0 where a term lacks it.
Monomial common_monomial(Polynomial::Terms const& terms) {
    std::map<Expression, std::pair<int, std::size_t>> least;  // power, and in how many terms
    for (auto const& [monomial, factor] : terms) {
        for (auto const& [atom, power] : monomial) {
            auto& [known, count] = least.try_emplace(atom, power, 0).first->second;
            known = std::min(known, power);
            ++count;
        }
    }
    Monomial common;
    for (auto const& [atom, known] : least) {
        auto const power = known.second < terms.size() ? std::min(known.first, 0) : known.first;
        if (power != 0)
            common.push_back({atom, power});
    }
    return common;
}

// Of coefficients that are all whole numbers over whole numbers; else 1.
double common_denominator(Polynomial const& polynomial) {
    double multiple = 1;
    for (auto const& [monomial, factor] : polynomial.terms()) {
        multiple *= factor.denominator / greatest_common_divisor(multiple, factor.denominator);
        if (multiple > 1e9)
            return 1;
    }
    return multiple;
}

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

}  // namespace

Fraction operator+(Fraction left, Fraction right) {
    if (left.denominator == right.denominator)
        return reduced({left.numerator + right.numerator, left.denominator});
    auto const numerator = left.numerator * right.denominator + right.numerator * left.denominator;
    auto const denominator = left.denominator * right.denominator;
    if (!is_whole(denominator) || !is_whole(numerator))
        return {left.value() + right.value(), 1};
    return reduced({numerator, denominator});
}

Fraction operator*(Fraction left, Fraction right) {
    return reduced({left.numerator * right.numerator, left.denominator * right.denominator});
}

Fraction inverse(Fraction fraction) {
    if (is_whole(fraction.numerator) && fraction.numerator != 0)
        return reduced({fraction.denominator, fraction.numerator});
    return {1 / fraction.value(), 1};
}

bool MonomialOrder::operator()(Monomial const& left, Monomial const& right) const {
    auto const of_left = degree(left);
    auto const of_right = degree(right);
    if (of_left != of_right)
        return of_left > of_right;
    // Of one degree: the higher power of the first atom first.
    return std::ranges::lexicographical_compare(left, right, [](Factor const& one, Factor const& other) {
        return one.atom != other.atom ? one.atom < other.atom : one.power > other.power;
    });
}

Polynomial::Polynomial(double number) {
    add({}, {number, 1});
}

Polynomial Polynomial::of_atom(Expression atom, int power) {
    return of_term({{atom, power}}, {1, 1});
}

Polynomial Polynomial::of_term(Monomial monomial, Fraction factor) {
    Polynomial result;
    result.add(monomial, factor);
    return result;
}

std::optional<double> Polynomial::constant() const {
    if (terms_.empty())
        return 0;
    bool const is_number = terms_.size() == 1 && terms_.begin()->first.empty();
    return is_number ? std::optional(terms_.begin()->second.value()) : std::nullopt;
}

Fraction Polynomial::coefficient(Monomial const& monomial) const {
    auto const found = terms_.find(monomial);
    return found == terms_.end() ? Fraction{} : found->second;
}

void Polynomial::add(Monomial const& monomial, Fraction factor) {
    auto const [known, is_new] = terms_.try_emplace(monomial, factor);
    if (!is_new)
        known->second = known->second + factor;
    if (known->second.numerator == 0)
        terms_.erase(known);
}

Polynomial& Polynomial::operator+=(Polynomial const& other) {
    for (auto const& [monomial, factor] : other.terms_)
        add(monomial, factor);
    return *this;
}

Polynomial operator*(Polynomial const& left, Polynomial const& right) {
    Polynomial result;
    for (auto const& [monomial, factor] : left.terms_) {
        for (auto const& [other, other_factor] : right.terms_)
            result.add(product(monomial, other), factor * other_factor);
    }
    return result;
}

Polynomial Polynomial::times(Fraction factor) const {
    return *this * of_term({}, factor);
}

Polynomial Polynomial::times(Monomial const& monomial) const {
    return *this * of_term(monomial, {1, 1});
}

Polynomial Polynomial::to_power(unsigned exponent) const {
    Polynomial result(1);
    for (unsigned done = 0; done < exponent; ++done)
        result = result * *this;
    return result;
}

std::optional<std::vector<Polynomial>> Polynomial::by_powers_of(Expression atom) const {
    std::vector<Polynomial> result(1);
    for (auto const& [monomial, factor] : terms_) {
        auto const found = std::ranges::find(monomial, atom, &Factor::atom);
        auto const power = found == monomial.end() ? 0 : found->power;
        if (power < 0)
            return std::nullopt;
        auto rest = monomial;
        std::erase_if(rest, [&](Factor const& each) { return each.atom == atom; });
        if (result.size() <= static_cast<std::size_t>(power))
            result.resize(static_cast<std::size_t>(power) + 1);
        result[static_cast<std::size_t>(power)].add(rest, factor);
    }
    return result;
}

// --- from expressions

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

// --- to expressions

namespace {

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
        for (auto const& [atom, power] : sums) {
            for (int done = 0; done < -power; ++done)
                value = pool_.make(ExpressionKind::divide, {value, atom});
        }
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

Expression expression_of(ExpressionPool& pool, Polynomial const& polynomial) {
    return Writer(pool).written(polynomial);
}

}  // namespace parcast::symbolic
