#include "symbolic/polynomial.h"

#include <algorithm>
#include <utility>

namespace parcast::symbolic {

namespace {

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

int degree(Monomial const& monomial) {
    int sum = 0;
    for (auto const& factor : monomial)
        sum += factor.power;
    return sum;
}

}  // namespace

Monomial inverse(Monomial monomial) {
    for (auto& factor : monomial)
        factor.power = -factor.power;
    return monomial;
}

bool MonomialOrder::operator()(Monomial const& left, Monomial const& right) const {
    auto const of_left = degree(left);
    auto const of_right = degree(right);
    if (of_left != of_right)
        return of_left > of_right;
    // Among equal degrees the higher power of the first atom first.
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
    for (auto const& [monomial, factor] : left.terms_)
        for (auto const& [other, other_factor] : right.terms_)
            result.add(product(monomial, other), factor * other_factor);
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

double common_denominator(Polynomial const& polynomial) {
    double multiple = 1;
    for (auto const& [monomial, factor] : polynomial.terms()) {
        multiple *= factor.denominator / greatest_common_divisor(multiple, factor.denominator);
        if (multiple > 1e9)
            return 1;
    }
    return multiple;
}

}  // namespace parcast::symbolic
