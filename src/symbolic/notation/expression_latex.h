// Expressions as LaTeX mathematics. n * X, the sum of n independent X, is n \ast X; \mathcal{M}(...) are
// moments.

#pragma once

#include <string>
#include <string_view>

#include "symbolic/expression.h"

namespace parcast::symbolic {

std::string latex_of(ExpressionPool const& pool, Expression expression);

// Of a name: its first letter, and the rest as an index: T_{\mathrm{main}}.
std::string latex_name(std::string_view name);

}  // namespace parcast::symbolic
