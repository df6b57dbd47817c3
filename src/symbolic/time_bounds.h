// Between which values a random time lies, and, where it is the greatest of n alike ones of a named law, its
// quantiles: what moments alone do not say. Bounds follow the expression as it was written: simplified, a sum
// of two uniform times is one time of another law.
//
//     ;, seq   the sums of the bounds           if      the hull of both sides
//     ||, par  the greatest of both bounds      moments those of the law that they name (support.h)
//
// No bounds where a time depends on the index of a loop, and for what is none of these.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stochastic/support.h"
#include "symbolic/expression.h"
#include "symbolic/tape/expression_tape.h"

namespace parcast::symbolic {

class TimeBounds {
public:
    static TimeBounds of(ExpressionPool& pool, Expression expression,
                         std::span<std::string const> parameters);

    stochastic::Support at(std::span<double const> values) const { return support(root_, values); }

    // The greatest of `count` independent times with these moments, sums of named laws each.
    struct Greatest {
        double count = 1;
        Moments each;
    };
    std::optional<Greatest> greatest_at(std::span<double const> values) const;

private:
    enum class Form : unsigned char {
        unbounded,
        number,
        law,
        sum,
        repeat,
        scale,
        maximum,
        hull,
        loop_sum,
        loop_maximum
    };
    struct Node {
        Form form = Form::unbounded;
        std::optional<ExpressionTape> value = std::nullopt;  // the number, the law, the count, the factor
        std::optional<ExpressionTape> last = std::nullopt;   // of a loop, whose first value is `value`
        std::vector<Node> parts = {};
    };
    class Builder;

    static stochastic::Support support(Node const& node, std::span<double const> values);

    Node root_;
    // One time, or a loop or a list of alike ones.
    std::optional<ExpressionTape> each_;
    std::optional<ExpressionTape> first_;
    std::optional<ExpressionTape> last_;
    double count_ = 1;
};

}  // namespace parcast::symbolic
