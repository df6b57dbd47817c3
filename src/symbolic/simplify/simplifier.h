// The rules of simplify.h as constructors: each takes operands that are simple and makes a simple expression.
// Private to simplify*.cpp.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/moments.h"
#include "symbolic/expression.h"
#include "symbolic/polynomial_expression.h"

namespace parcast::symbolic {

// An order of expressions by what they say, not by when they were made: the same model gives the same text
// however it was put together.
bool is_before(ExpressionPool const& pool, Expression left, Expression right);

// Without variance, a number.
Expression constant_time(ExpressionPool& pool, Moments const& moments);

class Simplifier {
public:
    // Maxima of constants lose accuracy when they are composed further, so they are kept until all else is
    // simple.
    enum class Maxima : bool { kept, computed };

    Simplifier(ExpressionPool& pool, Maxima maxima) : pool_(pool), maxima_(maxima) {}

    Expression simple(Expression expression);

    // --- numbers (simplify_numbers.cpp)
    Polynomial polynomial(Expression number) const { return polynomial_of(pool_, number); }
    Expression expression(Polynomial const& polynomial) { return expression_of(pool_, polynomial); }
    Expression number(double value) { return pool_.number(value); }
    std::optional<double> known_number(Expression expression) const;
    std::optional<double> known_difference(Expression left, Expression right) const;
    Expression product(Expression left, Expression right);
    Expression count_between(Expression first, Expression last);  // last - first + 1

private:
    // --- numbers
    Expression operation(ExpressionKind kind, std::vector<Expression> const& operands);
    Expression sum_of_numbers(std::span<Expression const> operands);
    Expression product_of_numbers(std::span<Expression const> operands);
    Expression power(Expression base, Expression exponent);
    Expression comparison(ExpressionKind kind, Expression left, Expression right);
    Expression logical(ExpressionKind kind, std::vector<Expression> const& operands);
    Expression extreme(ExpressionKind kind, std::vector<Expression> operands);

    // --- times (simplify_times.cpp): a number, and repeat(count, base) of each part
    struct Part {
        Expression count;
        Expression base;
    };
    struct Times {
        Polynomial number;
        std::vector<Part> parts;
    };
    std::optional<Moments> known_time(Expression expression) const;
    Expression constant_time(Moments const& moments) { return symbolic::constant_time(pool_, moments); }
    Times times_of(Expression expression);
    Expression expression(Times times);
    bool merge_parts(Times& times);
    bool fold_constants(Times& times);
    void add_number_to(Times& times, Part& part);
    Expression add(std::span<Expression const> operands);
    Expression repeat(Expression count, Expression time);
    Expression scale(Expression factor, Expression time);
    Expression choose(Expression condition, Expression then, Expression otherwise);
    Expression branch(Expression condition, Expression then, Expression otherwise);

    // --- maxima (simplify_maxima.cpp): of numbers, and of `count` of each branch
    struct Branch {
        Expression count;
        Expression each;
        std::string index_name;
    };
    struct Branches {
        std::vector<Expression> numbers;
        std::vector<Branch> branches;
    };
    void collect(Expression expression, Expression count, std::string const& index_name, Branches& into);
    Expression expression(Branches branches);
    void compute_constants(Branches& branches);
    std::optional<Expression> computed(Branches const& branches);
    Expression maximum(std::span<Expression const> operands);

    // --- loops (simplify_loops.cpp)
    static constexpr double most_unrolled = 64;
    Expression sum_over(IndexId index, Expression first, Expression last, Expression body);
    Expression maximum_over(IndexId index, Expression first, Expression last, Expression body);
    Polynomial sum_over(IndexId index, Expression first, Expression last, Polynomial const& body);
    std::optional<std::vector<Expression>> unrolled(IndexId index, Expression first, Expression last,
                                                    Expression body);
    Expression loop(ExpressionKind kind, IndexId index, Expression first, Expression last, Expression body);
    Expression at(Expression body, IndexId index, Expression value);
    std::uint32_t height(Expression expression);

    // --- vectors (simplify_vectors.cpp)
    struct Component {
        Expression index;
        Expression value;
    };
    struct ComponentLoop {  // sum over index of value * unitvec(component)
        IndexId index;
        Expression first;
        Expression last;
        Expression component;
        Expression value;
    };
    struct Vector {
        std::vector<Component> components;
        std::vector<ComponentLoop> loops;
        std::vector<Expression> others;  // vectors that are not understood
    };
    bool is_vector(Expression expression) const { return pool_.is_vector(expression); }
    bool has_vector(std::span<Expression const> operands) const;
    Expression vector_operation(ExpressionKind kind, std::vector<Expression> const& operands);
    Vector vector_of(Expression expression);
    Expression expression(Vector vector);
    template <class Function>
    std::optional<Expression> each_component(Expression vector, Function const& function);
    Expression vector_product(std::span<Expression const> operands);
    Expression scalar_times(Expression scalar, Expression component);
    Expression vector_choice(ExpressionKind kind, std::vector<Expression> const& operands);
    Expression vector_sum_over(IndexId index, Expression first, Expression last, Expression body);
    Expression element(Expression vector, Expression index);
    Expression largest(Expression vector);
    std::optional<std::vector<Expression>> disjoint_values(Vector const& vector);

    Expression rebuilt(Expression expression);
    void sort(std::vector<Expression>& expressions) const;

    ExpressionPool& pool_;
    Maxima maxima_;
    std::unordered_map<std::uint32_t, Expression> done_;
    std::unordered_map<std::uint32_t, std::uint32_t> heights_;
};

}  // namespace parcast::symbolic
