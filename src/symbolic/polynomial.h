// Numbers that are not random in a normal form: sums of products of atoms, with powers that may be negative
// and coefficients that are fractions. An atom is what is no sum, product, quotient or whole power: a
// parameter, an index, ceil(...), or a sum that is divided by. Equal forms are equal numbers wherever both
// have a value: P / P is 1.
//
// As an expression: one fraction over a common denominator, so that (N + P - 1) / P is still exact for whole
// numbers, times what all its terms have in common: N * (N - P) / (2 * P^2).

#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "symbolic/expression.h"

namespace parcast::symbolic {

// numerator / denominator: both whole where the numbers of the expression are; else the denominator is 1 or
// what the expression divides by.
struct Fraction {
    double numerator = 0;
    double denominator = 1;
    double value() const { return numerator / denominator; }
    friend bool operator==(Fraction const&, Fraction const&) = default;
};
Fraction operator+(Fraction left, Fraction right);
Fraction operator*(Fraction left, Fraction right);
Fraction inverse(Fraction fraction);

struct Factor {
    Expression atom;
    int power = 1;
    friend auto operator<=>(Factor const&, Factor const&) = default;
};
using Monomial = std::vector<Factor>;  // by atom; no power is 0

// Higher degrees first, the constant last.
struct MonomialOrder {
    bool operator()(Monomial const& left, Monomial const& right) const;
};

class Polynomial {
public:
    using Terms = std::map<Monomial, Fraction, MonomialOrder>;

    Polynomial() = default;  // 0
    explicit Polynomial(double number);
    static Polynomial of_atom(Expression atom, int power = 1);
    static Polynomial of_term(Monomial monomial, Fraction factor);

    Terms const& terms() const { return terms_; }
    bool is_zero() const { return terms_.empty(); }
    std::optional<double> constant() const;  // the number that it is
    Fraction coefficient(Monomial const& monomial) const;

    Polynomial& operator+=(Polynomial const& other);
    friend Polynomial operator+(Polynomial left, Polynomial const& right) { return left += right; }
    friend Polynomial operator-(Polynomial left, Polynomial const& right) {
        return left += right.times({-1, 1});
    }
    friend Polynomial operator*(Polynomial const& left, Polynomial const& right);
    friend bool operator==(Polynomial const&, Polynomial const&) = default;
    Polynomial times(Fraction factor) const;
    Polynomial times(Monomial const& monomial) const;
    Polynomial to_power(unsigned exponent) const;

    // All powers of an atom apart: [0] is what does not have it. None: it has a negative power somewhere.
    std::optional<std::vector<Polynomial>> by_powers_of(Expression atom) const;

private:
    void add(Monomial const& monomial, Fraction factor);

    Terms terms_;
};

// The normal form of a number that simplify() has made, and back. REQUIRES: not random, no vector.
Polynomial polynomial_of(ExpressionPool const& pool, Expression simplified);
Expression expression_of(ExpressionPool& pool, Polynomial const& polynomial);

// Products of sums are multiplied out up to this many terms; beyond, the sums are atoms.
constexpr std::size_t most_terms = 64;
Polynomial product_of(ExpressionPool& pool, std::span<Polynomial const> factors);

// None: division by zero.
std::optional<Polynomial> quotient_of(ExpressionPool& pool, Polynomial const& left, Polynomial const& right);

}  // namespace parcast::symbolic
