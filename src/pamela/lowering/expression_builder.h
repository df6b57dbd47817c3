// Expressions as the language makes them: what is known is computed at once, and what a name was replaced by
// is measured, so that a model that grows exponentially by substitution is noticed.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "symbolic/expression.h"

namespace parcast::pamela {

class ExpressionBuilder {
public:
    using Expression = symbolic::Expression;
    using Kind = symbolic::ExpressionKind;

    // A loan until the builder goes.
    explicit ExpressionBuilder(symbolic::ExpressionPool& pool) : pool_(pool) {}

    symbolic::ExpressionPool const& pool() const { return pool_; }

    Expression number(double value);
    Expression parameter(std::string_view name, std::optional<double> value);
    symbolic::IndexId new_index(std::string_view name) { return pool_.new_index(name); }
    Expression index(symbolic::IndexId index);

    // Numbers of numbers are computed; a division by zero is left as it is.
    Expression make(Kind kind, std::initializer_list<Expression> operands);
    Expression make(Kind kind, std::span<Expression const> operands);
    Expression loop(Kind kind, symbolic::IndexId index, Expression first, Expression last, Expression body);

    bool is_random(Expression expression) const { return pool_.is_random(expression); }
    bool is_vector(Expression expression) const { return pool_.is_vector(expression); }
    std::optional<double> constant(Expression expression) const;
    // With the values that the parameters have in the text, if all have one and no index is in it.
    std::optional<double> value_in_text(Expression expression) const { return facts_[expression.id].value; }

    // Size and depth of the expression as a tree; as much as fits.
    std::uint64_t size(Expression expression) const { return facts_[expression.id].size; }
    std::uint32_t depth(Expression expression) const { return facts_[expression.id].depth; }

private:
    struct Facts {
        std::optional<double> value;
        std::uint64_t size = 1;
        std::uint32_t depth = 1;
    };

    Expression noted(Expression expression, std::optional<double> value, std::span<Expression const> parts);

    symbolic::ExpressionPool& pool_;
    std::vector<Facts> facts_;  // by the expression's number
};

// For sizes that may be very large.
std::uint64_t saturating_sum(std::uint64_t left, std::uint64_t right);

}  // namespace parcast::pamela
