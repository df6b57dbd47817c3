// Expressions and numbers as text: for people, LaTeX, MathML, Python.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "symbolic/expression.h"

namespace parcast::symbolic {

// Numbers in formulas: whole numbers exactly, others with ten significant digits, or with as many as give the
// same number again.
enum class Digits : std::uint8_t { ten, all };

std::string number_notation(double value, Digits digits);

// Expressions as text of the PAMELA language (docs/formats/pamela.md), with no more parentheses than needed:
// what is printed can be read again. An index whose name is taken by a parameter or by a loop around it gets
// a number: p_2.
std::string text_of(ExpressionPool const& pool, Expression expression, Digits digits = Digits::ten);

// Expressions as LaTeX mathematics. n * X, the sum of n independent X, is n \ast X; \mathcal{M}(...) are
// moments.
std::string latex_of(ExpressionPool const& pool, Expression expression);

// A name with its first letter, and the rest as an index: T_{\mathrm{main}}.
std::string latex_name(std::string_view name);

// Expressions as the content of a <math> element, in the signs of LaTeX above (MathML Core, W3C). Nothing in
// it is run or fetched, and names are escaped.
std::string mathml_of(ExpressionPool const& pool, Expression expression);

// As latex_name(): phi_main is a φ with an index.
std::string mathml_name(std::string_view name);

// The whole element <math>, a line of its own: name = value.
std::string mathml_equation(ExpressionPool const& pool, std::string_view name, Expression value);

// Expressions as Python: what they need is defined by python_definitions(), with the standard library only.
// Sums, random sums, scalings and conditions of random times are computed by their cumulants, exactly as in
// core/moments.h; a maximum of random times needs a fitted law and is refused, unless one of them is surely
// the greater.
std::string_view python_definitions();
std::string python_of(ExpressionPool const& pool, Expression expression);

}  // namespace parcast::symbolic
