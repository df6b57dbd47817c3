// What the operators and helpers of the language mean for numbers, random quantities and vectors, and what
// they refuse. The table of docs/formats/pamela.md, section "Numeric operators".

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pamela/lowering/builtin.h"
#include "pamela/lowering/expression_builder.h"
#include "pamela/syntax/diagnostic_list.h"
#include "pamela/syntax/syntax.h"

namespace parcast::pamela {

// A value and where it is written, for messages.
struct Operand {
    symbolic::Expression value;
    SyntaxNode const* node;
};

// What `if` takes: a number that is 0 or not, or stochastic: a random quantity, or a probability.
struct Condition {
    symbolic::Expression value;
    bool is_stochastic = false;
};

// Every rule gives nothing after an error, which it has said.
class NumericRules {
public:
    using Expression = symbolic::Expression;

    // Loans until the rules go.
    NumericRules(ExpressionBuilder& builder, DiagnosticList& diagnostics)
        : builder_(builder), diagnostics_(diagnostics) {}

    struct Term {
        Operand operand;
        bool is_subtracted = false;
    };
    std::optional<Expression> sum(std::span<Term const> terms);
    std::optional<Expression> negative(Operand const& operand);
    std::optional<Expression> binary(SyntaxNode const& node, Operand const& left, Operand const& right);
    std::optional<Expression> complement(Operand const& operand);
    std::optional<Expression> vector(std::span<Operand const> elements);
    std::optional<Expression> element(Operand const& vector, Operand const& index);
    std::optional<Expression> helper(SyntaxNode const& call, Builtin builtin,
                                     std::span<Operand const> operands);
    std::optional<Expression> moments(SyntaxNode const& call, std::span<Operand const> operands);

    std::optional<Condition> condition(Operand const& operand);
    // if (condition) then else otherwise; without an else, 0.
    std::optional<Expression> choice(Condition const& condition, Operand const& then,
                                     std::optional<Operand> const& otherwise);

    // What numbers alone gave: refused where that is no number, as of log(-1). Doubted where it is none with
    // the values that the text gives to parameters.
    std::optional<Expression> finite(SyntaxNode const& node, std::span<Operand const> operands,
                                     std::optional<Expression> const& result);

    // Says what the operand is if it is none: "a bound of a loop is a number; this is random".
    bool is_number(Operand const& operand, std::string const& what);
    bool is_scalar(Operand const& operand, std::string const& what);
    // An index of a resource: a whole number from 0, as far as it is known.
    bool is_index(Operand const& operand, std::string const& what);

private:
    using Kind = symbolic::ExpressionKind;

    std::optional<Expression> product(SyntaxNode const& node, Operand const& left, Operand const& right);
    std::optional<Expression> ratio(Operand const& left, Operand const& right);
    std::optional<Expression> extreme(Kind kind, std::span<Operand const> operands);
    std::optional<Expression> repeated(Operand const& count, Operand const& time);
    std::optional<Expression> scaled(Operand const& factor, Operand const& time);
    std::optional<Expression> law(SyntaxNode const& call, Builtin builtin, std::span<Operand const> operands);
    std::optional<Expression> bernoulli(Operand const& probability);
    std::optional<Expression> renewal_branch(Operand const& up, Operand const& down);
    Expression negated(Expression value);
    Expression moments_of(Expression mean, Expression variance, Expression skewness, Expression kurtosis);
    bool are_alike(Operand const& left, Operand const& right);
    void check_attainable(SyntaxNode const& call, std::span<Expression const> moments);
    void check_condition(Operand const& operand);
    void check_count(Operand const& count);
    void warn_of_fraction(Operand const& count);
    bool are_in_order(SyntaxNode const& call, Operand const& lowest, Operand const& highest);

    struct MeanAndVariance {
        Expression mean;
        Expression variance;
    };
    std::optional<MeanAndVariance> mean_and_variance(Expression value);

    ExpressionBuilder& builder_;
    DiagnosticList& diagnostics_;
};

}  // namespace parcast::pamela
