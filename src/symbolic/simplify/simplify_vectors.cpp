// Vectors: a value for each index, loops over their index, and what is neither.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "symbolic/simplify/simplifier.h"

namespace parcast::symbolic {

namespace {

constexpr double most_listed = 64;  // components that a vector in brackets has at most

}  // namespace

bool Simplifier::has_vector(std::span<Expression const> operands) const {
    return std::ranges::any_of(operands, [&](Expression operand) { return is_vector(operand); });
}

// n * X as of scalars: numbers multiply, a number counts a random component, and the other way round.
Expression Simplifier::scalar_times(Expression scalar, Expression component) {
    bool const is_random = pool_.is_random(scalar);
    if (!is_random && !pool_.is_random(component))
        return product(scalar, component);
    return is_random ? repeat(component, scalar) : repeat(scalar, component);
}

Expression Simplifier::vector_operation(ExpressionKind kind, std::vector<Expression> const& operands) {
    auto const component_wise = [&](Expression vector, auto const& function) {
        auto const made = each_component(vector, function);
        return made ? *made : pool_.make(kind, operands);
    };
    switch (kind) {
        case ExpressionKind::vector: {
            Vector vector;
            for (std::size_t index = 0; index < operands.size(); ++index)
                vector.components.push_back({number(static_cast<double>(index)), operands[index]});
            return expression(std::move(vector));
        }
        case ExpressionKind::unit_vector: {
            Vector vector;
            vector.components.push_back({operands[0], number(1)});
            return expression(std::move(vector));
        }
        case ExpressionKind::add: {
            Vector sum;
            for (auto const operand : operands) {
                auto vector = vector_of(operand);
                std::ranges::move(vector.components, std::back_inserter(sum.components));
                std::ranges::move(vector.loops, std::back_inserter(sum.loops));
                std::ranges::move(vector.others, std::back_inserter(sum.others));
            }
            return expression(std::move(sum));
        }
        case ExpressionKind::multiply: return vector_product(operands);
        case ExpressionKind::repeat:
            if (!is_vector(operands[1]))
                return vector_product(operands);
            if (is_vector(operands[0]))
                return pool_.make(kind, operands);
            return component_wise(operands[1], [&](Expression value) { return repeat(operands[0], value); });
        case ExpressionKind::scale:
            return component_wise(operands[1], [&](Expression value) { return scale(operands[0], value); });
        case ExpressionKind::negate:
            return component_wise(operands[0], [&](Expression value) { return scale(number(-1), value); });
        case ExpressionKind::divide: {
            if (is_vector(operands[1]))
                return pool_.make(kind, operands);
            auto const factor = operation(ExpressionKind::divide, {number(1), operands[1]});
            return component_wise(operands[0], [&](Expression value) { return scale(factor, value); });
        }
        case ExpressionKind::choose:
        case ExpressionKind::branch: return vector_choice(kind, operands);
        default: return operands.size() == 1 ? operands[0] : pool_.make(kind, operands);
    }
}

Simplifier::Vector Simplifier::vector_of(Expression expression) {
    auto const given = pool_.operands(expression);
    std::vector<Expression> const operands(given.begin(), given.end());
    Vector vector;
    switch (pool_.kind(expression)) {
        case ExpressionKind::add:
            for (auto const operand : operands) {
                auto part = vector_of(operand);
                std::ranges::move(part.components, std::back_inserter(vector.components));
                std::ranges::move(part.loops, std::back_inserter(vector.loops));
                std::ranges::move(part.others, std::back_inserter(vector.others));
            }
            return vector;
        case ExpressionKind::vector:
            for (std::size_t index = 0; index < operands.size(); ++index)
                if (known_number(operands[index]) != 0)
                    vector.components.push_back({number(static_cast<double>(index)), operands[index]});
            return vector;
        case ExpressionKind::unit_vector:
            vector.components.push_back({operands[0], number(1)});
            return vector;
        case ExpressionKind::multiply:
            if (operands.size() == 2 && pool_.kind(operands[1]) == ExpressionKind::unit_vector) {
                vector.components.push_back({pool_.operands(operands[1])[0], operands[0]});
                return vector;
            }
            break;
        case ExpressionKind::sum_over: {
            auto body = vector_of(operands[2]);
            auto const index = pool_.bound_index(expression);
            bool const is_single = body.components.size() == 1 && body.loops.empty() && body.others.empty();
            if (is_single && pool_.depends_on(body.components[0].index, index)) {
                vector.loops.push_back(
                    {index, operands[0], operands[1], body.components[0].index, body.components[0].value});
                return vector;
            }
            break;
        }
        default: break;
    }
    vector.others.push_back(expression);
    return vector;
}

Expression Simplifier::expression(Vector vector) {
    std::vector<Component> components;
    std::unordered_map<std::uint32_t, std::size_t> places;  // of indices
    for (auto const& part : vector.components) {
        auto const [place, is_new] = places.try_emplace(part.index.id, components.size());
        if (is_new)
            components.push_back(part);
        else
            components[place->second].value = add(std::vector{components[place->second].value, part.value});
    }
    std::erase_if(components, [&](Component const& part) { return known_number(part.value) == 0; });
    std::vector<ComponentLoop> loops;
    for (auto const& part : vector.loops) {
        auto const is_same = [&](ComponentLoop const& other) {
            return other.index == part.index && other.first == part.first && other.last == part.last &&
                   other.component == part.component;
        };
        auto const same = std::ranges::find_if(loops, is_same);
        if (same == loops.end())
            loops.push_back(part);
        else
            same->value = add(std::vector{same->value, part.value});
    }

    double greatest = -1;
    for (auto const& part : components) {
        auto const index = known_number(part.index);
        bool const is_listed = index && *index >= 0 && *index < most_listed && *index == std::floor(*index);
        greatest = is_listed ? std::max(greatest, *index) : most_listed;
    }
    if (greatest < most_listed && loops.empty() && vector.others.empty()) {
        std::vector<Expression> listed(static_cast<std::size_t>(std::max(greatest, 0.0)) + 1, number(0));
        for (auto const& part : components)
            listed[static_cast<std::size_t>(pool_.value(part.index))] = part.value;
        return pool_.make(ExpressionKind::vector, listed);
    }
    auto const unit = [&](Expression value, Expression index) {
        auto const made = pool_.make(ExpressionKind::unit_vector, {index});
        return known_number(value) == 1 ? made : pool_.make(ExpressionKind::multiply, {value, made});
    };
    std::vector<Expression> terms;
    for (auto const& part : components)
        terms.push_back(unit(part.value, part.index));
    for (auto const& part : loops)
        if (known_number(part.value) != 0)
            terms.push_back(loop(ExpressionKind::sum_over, part.index, part.first, part.last,
                                 unit(part.value, part.component)));
    terms.insert(terms.end(), vector.others.begin(), vector.others.end());
    sort(terms);
    if (terms.empty())
        return pool_.make(ExpressionKind::vector, {number(0)});
    return terms.size() == 1 ? terms.front() : pool_.make(ExpressionKind::add, terms);
}

// None: it has parts that are not understood.
template <class Function>
std::optional<Expression> Simplifier::each_component(Expression vector, Function const& function) {
    auto parts = vector_of(vector);
    if (!parts.others.empty())
        return std::nullopt;
    for (auto& part : parts.components)
        part.value = function(part.value);
    for (auto& part : parts.loops)
        part.value = function(part.value);
    return expression(std::move(parts));
}

// The product of scalars and one vector.
Expression Simplifier::vector_product(std::span<Expression const> operands) {
    std::vector<Expression> const given(operands.begin(), operands.end());
    auto const is_a_vector = [&](Expression operand) { return is_vector(operand); };
    if (std::ranges::count_if(given, is_a_vector) != 1)
        return pool_.make(ExpressionKind::multiply, given);
    auto result = *std::ranges::find_if(given, is_a_vector);
    for (auto const scalar : given) {
        if (is_vector(scalar))
            continue;
        auto const made =
            each_component(result, [&](Expression value) { return scalar_times(scalar, value); });
        result = made ? *made : pool_.make(ExpressionKind::multiply, {scalar, result});
    }
    return result;
}

// For each component the same condition. Not into a loop: it may come to a component more than once.
Expression Simplifier::vector_choice(ExpressionKind kind, std::vector<Expression> const& operands) {
    auto const zero = pool_.make(ExpressionKind::vector, {number(0)});
    auto const as_vector = [&](Expression side) { return known_number(side) == 0 ? zero : side; };
    auto const left = as_vector(operands[1]);
    auto const right = as_vector(operands[2]);
    if (left == right)
        return left;
    if (auto const known = known_number(operands[0])) {
        if (kind == ExpressionKind::choose)
            return *known != 0 ? left : right;
        if (*known == 0 || *known == 1)
            return *known == 1 ? left : right;
    }
    auto const kept = [&] { return pool_.make(kind, {operands[0], left, right}); };
    if (!is_vector(left) || !is_vector(right))
        return kept();
    auto const then = vector_of(left);
    auto const otherwise = vector_of(right);
    if (!then.loops.empty() || !then.others.empty() || !otherwise.loops.empty() || !otherwise.others.empty())
        return kept();
    // Two indices that may be the same one are not two components.
    std::vector<Component> sides = then.components;
    for (auto const& part : otherwise.components)
        if (std::ranges::find(sides, part.index, &Component::index) == sides.end())
            sides.push_back({part.index, number(0)});
    Vector result;
    for (auto const& part : sides) {
        for (auto const& other : sides)
            if (part.index != other.index && !known_difference(part.index, other.index))
                return kept();
        auto const in_then = std::ranges::find(then.components, part.index, &Component::index);
        auto const in_other = std::ranges::find(otherwise.components, part.index, &Component::index);
        auto const of_then = in_then == then.components.end() ? number(0) : in_then->value;
        auto const of_other = in_other == otherwise.components.end() ? number(0) : in_other->value;
        result.components.push_back({part.index, kind == ExpressionKind::choose
                                                     ? choose(operands[0], of_then, of_other)
                                                     : branch(operands[0], of_then, of_other)});
    }
    return expression(std::move(result));
}

Expression Simplifier::vector_sum_over(IndexId index, Expression first, Expression last, Expression body) {
    if (auto const turns = unrolled(index, first, last, body); turns && pool_.depends_on(body, index)) {
        auto const zero = pool_.make(ExpressionKind::vector, {number(0)});
        return turns->empty() ? zero : vector_operation(ExpressionKind::add, *turns);
    }
    auto const parts = vector_of(body);
    Vector sum;
    for (auto const& part : parts.components)
        if (pool_.depends_on(part.index, index))
            sum.loops.push_back({index, first, last, part.index, part.value});
        else
            sum.components.push_back({part.index, sum_over(index, first, last, part.value)});
    auto const count = count_between(first, last);
    for (auto const& part : parts.loops) {
        bool const is_free = !pool_.depends_on(part.first, index) && !pool_.depends_on(part.last, index) &&
                             !pool_.depends_on(part.component, index);
        if (is_free) {
            auto kept = part;
            kept.value = sum_over(index, first, last, part.value);
            sum.loops.push_back(kept);
        } else {
            Vector inner;
            inner.loops.push_back(part);
            sum.others.push_back(
                loop(ExpressionKind::sum_over, index, first, last, expression(std::move(inner))));
        }
    }
    for (auto const other : parts.others) {
        sum.others.push_back(pool_.depends_on(other, index)
                                 ? loop(ExpressionKind::sum_over, index, first, last, other)
                                 : pool_.make(ExpressionKind::repeat, {count, other}));
    }
    // Loops that were made here have the index of this loop; those with shared indices merge.
    for (auto& part : sum.loops) {
        Vector single;
        single.loops.push_back(part);
        auto const made = vector_of(expression(std::move(single)));
        if (made.loops.size() == 1)
            part = made.loops.front();
    }
    return expression(std::move(sum));
}

Expression Simplifier::element(Expression vector, Expression index) {
    auto const kept = [&] { return pool_.make(ExpressionKind::element, {vector, index}); };
    if (!is_vector(vector))
        return kept();
    auto const parts = vector_of(vector);
    if (!parts.loops.empty() || !parts.others.empty())
        return kept();
    auto found = number(0);
    for (auto const& part : parts.components) {
        auto const difference = known_difference(part.index, index);
        if (!difference)
            return kept();
        if (*difference == 0)
            found = part.value;
    }
    return found;
}

// The values of a vector whose parts have indices of their own, a loop as the maximum over its turns.
std::optional<std::vector<Expression>> Simplifier::disjoint_values(Vector const& vector) {
    struct Range {
        Expression least;
        Expression greatest;
        Expression value;
    };
    std::vector<Range> ranges;
    for (auto const& part : vector.components)
        ranges.push_back({part.index, part.index, part.value});
    for (auto const& part : vector.loops) {
        auto const powers = polynomial(part.component).by_powers_of(pool_.index(part.index));
        auto const slope = powers && powers->size() == 2 ? (*powers)[1].constant() : std::nullopt;
        if (!slope || pool_.depends_on(expression((*powers)[0]), part.index))
            return std::nullopt;
        auto const at_first = at(part.component, part.index, part.first);
        auto const at_last = at(part.component, part.index, part.last);
        auto const value = maximum_over(part.index, part.first, part.last, part.value);
        ranges.push_back(*slope > 0 ? Range{at_first, at_last, value} : Range{at_last, at_first, value});
    }
    auto const is_below = [&](Range const& low, Range const& high) {
        auto const difference = known_difference(high.least, low.greatest);
        return difference && *difference > 0;
    };
    std::vector<Expression> values;
    for (std::size_t one = 0; one < ranges.size(); ++one) {
        for (std::size_t other = 0; other < one; ++other)
            if (!is_below(ranges[one], ranges[other]) && !is_below(ranges[other], ranges[one]))
                return std::nullopt;
        values.push_back(ranges[one].value);
    }
    return values;
}

Expression Simplifier::largest(Expression vector) {
    if (!is_vector(vector))
        return vector;
    auto parts = vector_of(vector);
    std::erase_if(parts.components, [&](Component const& part) { return known_number(part.value) == 0; });
    auto const values = parts.others.empty() ? disjoint_values(parts) : std::nullopt;
    if (!values)
        return pool_.make(ExpressionKind::largest, {vector});
    return values->empty() ? number(0) : maximum(*values);
}

}  // namespace parcast::symbolic
