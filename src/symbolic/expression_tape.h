// An expression compiled to a flat tape, to be evaluated many times: once per point of a sweep, once per turn of a
// simulated loop. Parameters and open indices are given by position; what does not depend on them is computed once.
//
// Written once over a time algebra (time_algebra.h): with real numbers where nothing is random, else with moments.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/moments.h"
#include "core/result.h"
#include "symbolic/expression.h"

namespace parcast::symbolic {

class ExpressionTape {
public:
    // `parameters` by name, then `indices` that the caller binds. Errors: not_found (a parameter that is not among
    // them), inconsistent (an index of no enclosing loop).
    static Result<ExpressionTape> compile(ExpressionPool const& pool, Expression expression, std::span<std::string const> parameters, std::span<IndexId const> indices = {});

    bool is_random() const;

    // Values of the parameters, then of the indices. Errors: out_of_range (a value that is not finite, a negative
    // count of components, a loop longer than `most_turns`), with the expression that it comes from.
    Result<double> number(std::span<double const> values) const;    // REQUIRES: !is_random()
    Result<Moments> moments(std::span<double const> values) const;  // a number: deterministic
};

}  // namespace parcast::symbolic
