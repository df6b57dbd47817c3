// Expressions as Python: what they need is defined by python_definitions(), with the standard library only.
// Sums, random sums, scalings and conditions of random times are computed by their cumulants, exactly as in
// core/moments.h; a maximum of random times needs a fitted law and is refused, unless one of them is surely
// the greater.

#pragma once

#include <string>
#include <string_view>

#include "symbolic/expression.h"

namespace parcast::symbolic {

std::string_view python_definitions();
std::string python_of(ExpressionPool const& pool, Expression expression);

}  // namespace parcast::symbolic
