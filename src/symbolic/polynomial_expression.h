// Expressions as polynomials, and back: the normal form of numbers that are not random.
//
// As an expression: one fraction over a common denominator, so that (N + P - 1) / P is still exact for whole
// numbers, times what all its terms have in common: N * (N - P) / (2 * P^2).

#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "symbolic/expression.h"
#include "symbolic/polynomial.h"

namespace parcast::symbolic {

// The normal form of a number that simplify() has made, and back. REQUIRES: not random, no vector.
Polynomial polynomial_of(ExpressionPool const& pool, Expression simplified);
Expression expression_of(ExpressionPool& pool, Polynomial const& polynomial);

// Products of sums are multiplied out up to this many terms; beyond, the sums are atoms.
constexpr std::size_t most_terms = 64;
Polynomial product_of(ExpressionPool& pool, std::span<Polynomial const> factors);

// None: division by zero.
std::optional<Polynomial> quotient_of(ExpressionPool& pool, Polynomial const& left, Polynomial const& right);

}  // namespace parcast::symbolic
