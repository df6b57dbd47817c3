// Expressions as text of the PAMELA language (docs/formats/pamela.md), with no more parentheses than needed:
// what is printed can be read again. An index whose name is taken by a parameter or by a loop around it gets
// a number: p_2.

#pragma once

#include <string>

#include "symbolic/expression.h"
#include "symbolic/notation/number_notation.h"

namespace parcast::symbolic {

std::string text_of(ExpressionPool const& pool, Expression expression, Digits digits = Digits::ten);

}  // namespace parcast::symbolic
