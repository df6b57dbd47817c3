// Another expression in place of a parameter or of an index, everywhere but in loops that bind the index
// anew. Cost: once per distinct node.

#pragma once

#include "symbolic/expression.h"

namespace parcast::symbolic {

// REQUIRES: `what` is a parameter or an index; no loop in `expression` binds an index that is free in
// `replacement`.
Expression substitute(ExpressionPool& pool, Expression expression, Expression what, Expression replacement);

}  // namespace parcast::symbolic
