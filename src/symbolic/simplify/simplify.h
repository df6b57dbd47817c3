// An expression by the rules of composition: as short as they allow, parameters symbolic.
//
//   numbers     a normal form (polynomial.h): P - 1 + 1 is P; comparisons, minima and maxima whose difference
//   is known sums        repeat n (repeat m X) = repeat (n m) X; repeat n X + repeat m X = repeat (n + m) X;
//               repeat n X + repeat n Y = repeat n (X + Y); constant moments are added up; sum (i = a, b) X =
//               repeat (b - a + 1) X if X is free of i; sum of repeat(c(i), X) = repeat(sum of c(i), X), in
//               closed form where c is a polynomial of i
//   maxima      nested ones are one; max over n of max over m of the same X is one over n m; max(X, X) is two
//   of X,
//               while max(a, a) = a of numbers
//   vectors     per index: sum (p = 0, P - 1) X * unitvec(p) has P components X, and X is its largest of P
//   conditions  whose outcome is known, or whose sides are equal; 0 and empty loops vanish
//   constants   what has no parameter becomes a number or moments(...), maxima last, after all others
//
// Assumptions: 1. A loop with symbolic bounds is not more than empty: the last is at least the first less 1;
// a maximum over it has one turn or more. 2. Counts are real numbers: a loop of N / P turns counts the
// fraction. 3. What is divided by is not 0.
//
// Source: Gautama and van Gemund, sections 5.2 and 5.3. Terminates; the result simplifies to itself. Cost:
// about linear in the distinct nodes.

#pragma once

#include <optional>

#include "symbolic/expression.h"

namespace parcast::symbolic {

// REQUIRES: indices without a loop around are the caller's and stay.
Expression simplify(ExpressionPool& pool, Expression expression);

// left - right, if it is the same whatever the parameters are, as far as can be told.
std::optional<double> known_difference(ExpressionPool& pool, Expression left, Expression right);

}  // namespace parcast::symbolic
