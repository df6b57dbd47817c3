// Numeric expressions that stay symbolic: trees over numbers, parameters and loop indices, with random times
// among their values. Equal expressions of one pool are the same node, so that comparing is comparing two
// numbers.
//
// Three kinds of value: a scalar without randomness, a random scalar (it holds a moments(...) somewhere), a
// vector (sparse, base 0) of either. Every occurrence of a random expression is an independent draw: X + X is
// not 2 draws of one quantity scaled, and max(X, X) is not X.
//
// Three products, which are different operators:
//     multiply(a, b)   numbers; a scalar, random or not, and a vector of numbers: repeat(component, a), each
//     repeat(n, X)     X_1 + ... + X_n, all independent: what "n * X" means in PAMELA; n may be random itself
//     scale(c, X)      c X: one draw, scaled: what "scale(c, X)" and "X / c" mean in PAMELA

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parcast::symbolic {

enum class ExpressionKind : std::uint8_t {
    number,
    parameter,  // by name; a number, not random
    index,      // of an enclosing loop or reduction
    moments,    // (mean, variance, skewness, kurtosis)
    add,        // any number of operands
    negate,     // numbers only
    multiply,
    repeat,     // (count, time)
    scale,      // (factor, time)
    divide,     // of numbers
    quotient,   // a div b: floor(a / b)
    remainder,  // a mod b: with the sign of b
    power,
    less,  // comparisons give 1 or 0
    less_or_equal,
    greater,
    greater_or_equal,
    equal,
    not_equal,
    conjunction,  // and, or, not: 1 or 0
    disjunction,
    complement,
    maximum,  // any number of operands; of random ones: of independent ones
    minimum,  // numbers only
    ceiling,
    floor,
    round,
    absolute,
    logarithm_2,
    logarithm,
    exponential,  // e^a, not the law
    square_root,
    choose,        // (condition, then, otherwise): the condition is a number, true if not 0
    branch,        // (condition, then, otherwise): the condition is random, or a number: a probability
    sum_over,      // (first, last, body), with an index
    maximum_over,  // (first, last, body), with an index
    vector,        // [a, b, ...]
    unit_vector,   // (index)
    element,       // (vector, index)
    largest,       // max(vector)
};

struct Expression {
    std::uint32_t id = 0;
    friend bool operator==(Expression, Expression) = default;
    friend auto operator<=>(Expression, Expression) = default;
};

// Each loop has an index of its own, whatever its name: nothing is captured by a substitution.
struct IndexId {
    std::uint32_t value = 0;
    friend bool operator==(IndexId, IndexId) = default;
    friend auto operator<=>(IndexId, IndexId) = default;
};

class ExpressionPool {
public:
    Expression number(double value);
    Expression parameter(std::string_view name);
    Expression index(IndexId index);
    IndexId new_index(std::string_view name);
    // The index of this name and level, made once: loops with the same body are the same node if theirs is
    // too.
    IndexId shared_index(std::string_view name, std::uint32_t level);

    // An operation on its operands, as given: nothing is simplified (simplify.h does).
    // REQUIRES: as many operands as the kind takes; no loop.
    Expression make(ExpressionKind kind, std::span<Expression const> operands);
    Expression make(ExpressionKind kind, std::initializer_list<Expression> operands);
    // REQUIRES: sum_over or maximum_over.
    Expression loop(ExpressionKind kind, IndexId index, Expression first, Expression last, Expression body);

    ExpressionKind kind(Expression expression) const { return nodes_[expression.id].kind; }
    // A loop has first, last, body. Valid until the next expression is made.
    std::span<Expression const> operands(Expression expression) const;
    double value(Expression number) const;                // of a number
    std::string const& name(Expression parameter) const;  // of a parameter or an index
    IndexId bound_index(Expression loop_or_index) const;
    std::string const& name(IndexId index) const { return index_names_[index.value]; }
    bool has_parameter(std::string_view name) const { return parameter_places_.contains(name); }
    std::size_t size() const { return nodes_.size(); }  // ids are below it; operands have smaller ids

    // A branch is random whatever its operands are.
    bool is_random(Expression expression) const { return nodes_[expression.id].is_random; }
    bool is_vector(Expression expression) const { return nodes_[expression.id].is_vector; }
    bool has_parameters(Expression expression) const { return nodes_[expression.id].has_parameters; }
    bool depends_on(Expression expression, IndexId index) const;
    // Bound by no loop within the expression; ascending. Valid until the next expression is made.
    std::span<IndexId const> free_indices(Expression expression) const;

private:
    // What a node is, apart from its operands.
    struct Head {
        ExpressionKind kind;
        std::uint32_t atom = 0;  // the number's, the name's or the index's place
        friend bool operator==(Head const&, Head const&) = default;
    };
    struct Node {
        ExpressionKind kind;
        bool is_random;
        bool is_vector;
        bool has_parameters;
        std::uint32_t atom;
        std::uint32_t first_operand;
        std::uint32_t operand_count;
        std::uint32_t free_indices;  // into index_sets_
    };
    static_assert(sizeof(Node) == 20);

    Expression intern(Head head, std::span<Expression const> operands);
    Expression append(Head head, std::span<Expression const> operands);
    std::uint32_t free_indices_of(Head head, std::span<Expression const> operands);
    void grow_table();
    std::size_t hash_of(Head head, std::span<Expression const> operands) const;

    std::vector<Node> nodes_;
    std::vector<Expression> operands_;  // of all nodes, one after the other
    std::vector<std::uint32_t> table_;  // open addressing: a node's id + 1, or 0
    std::vector<double> numbers_;
    std::vector<std::string> parameter_names_;
    std::map<std::string, std::uint32_t, std::less<>> parameter_places_;
    std::vector<std::string> index_names_;
    std::map<std::pair<std::string, std::uint32_t>, IndexId> shared_indices_;
    std::vector<std::vector<IndexId>> index_sets_ = {{}};
    std::map<std::vector<IndexId>, std::uint32_t> index_set_places_;
};

}  // namespace parcast::symbolic
