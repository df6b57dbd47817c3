// Numbers that are not random in a normal form: sums of products of atoms, with powers that may be negative
// and coefficients that are fractions. An atom is what is no sum, product, quotient or whole power: a
// parameter, an index, ceil(...), or a sum that is divided by. Equal forms are equal numbers wherever both
// have a value: P / P is 1.

#pragma once

#include <map>
#include <optional>
#include <vector>

#include "symbolic/expression.h"
#include "symbolic/fraction.h"

namespace parcast::symbolic {

struct Factor {
    Expression atom;
    int power = 1;
    friend auto operator<=>(Factor const&, Factor const&) = default;
};
using Monomial = std::vector<Factor>;  // by atom; no power is 0
Monomial inverse(Monomial monomial);

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

// What all terms have in common: of each atom the least power, 0 where a term lacks it.
Monomial common_monomial(Polynomial::Terms const& terms);

// If all coefficients are whole numbers over whole numbers; else 1.
double common_denominator(Polynomial const& polynomial);

}  // namespace parcast::symbolic
