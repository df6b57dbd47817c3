// Sums over an index in closed form, and loops that remain.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "symbolic/simplify/simplifier.h"
#include "symbolic/substitute.h"
#include "symbolic/time_algebra.h"

namespace parcast::symbolic {

namespace {

// The coefficients of n, n^2, ... in 1^k + ... + n^k (Faulhaber).
constexpr std::size_t highest_power = 4;
constexpr std::array<std::array<Fraction, highest_power + 1>, highest_power + 1> power_sums = {{
    {{{1, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}},
    {{{1, 2}, {1, 2}, {0, 1}, {0, 1}, {0, 1}}},
    {{{1, 6}, {1, 2}, {1, 3}, {0, 1}, {0, 1}}},
    {{{0, 1}, {1, 4}, {1, 2}, {1, 4}, {0, 1}}},
    {{{-1, 30}, {0, 1}, {1, 3}, {1, 2}, {1, 5}}},
}};

Polynomial power_sum(std::size_t power, Polynomial const& last) {
    Polynomial sum;
    Polynomial raised(1);
    for (auto const& coefficient : power_sums[power]) {
        raised = raised * last;
        if (coefficient.numerator != 0)
            sum += raised.times(coefficient);
    }
    return sum;
}

}  // namespace

Expression Simplifier::at(Expression body, IndexId index, Expression value) {
    return simple(substitute(pool_, body, pool_.index(index), value));
}

std::uint32_t Simplifier::height(Expression expression) {
    if (auto const known = heights_.find(expression.id); known != heights_.end())
        return known->second;
    std::uint32_t highest = 0;
    for (std::size_t position = 0; position < pool_.operands(expression).size(); ++position)
        highest = std::max(highest, height(pool_.operands(expression)[position]));
    auto const kind = pool_.kind(expression);
    if (kind == ExpressionKind::sum_over || kind == ExpressionKind::maximum_over)
        ++highest;
    heights_.emplace(expression.id, highest);
    return highest;
}

// With an index by its name and the loops in the body, so that equal loops are one node. No loop around has
// the same: it is higher.
Expression Simplifier::loop(ExpressionKind kind, IndexId index, Expression first, Expression last,
                            Expression body) {
    auto const name = pool_.name(index);
    auto level = height(body) + 1;
    auto shared = pool_.shared_index(name, level);
    while (shared != index && pool_.depends_on(body, shared))
        shared = pool_.shared_index(name, ++level);
    auto const renamed =
        shared == index ? body : substitute(pool_, body, pool_.index(index), pool_.index(shared));
    return pool_.loop(kind, shared, first, last, renamed);
}

// The turns one by one, where each gives a constant. No loops of loops, whose turns multiply: simplify()
// evaluates what is left of them.
std::optional<std::vector<Expression>> Simplifier::unrolled(IndexId index, Expression first, Expression last,
                                                            Expression body) {
    auto const from = known_number(first);
    auto const to = known_number(last);
    if (!from || !to || pool_.has_parameters(body) || pool_.free_indices(body).size() != 1 ||
        height(body) > 0)
        return std::nullopt;
    auto const turns = turns_between(*from, *to);
    if (!(turns <= most_unrolled))
        return std::nullopt;
    std::vector<Expression> values;
    for (double done = 0; done < turns; ++done)
        values.push_back(at(body, index, number(*from + done)));
    return values;
}

Polynomial Simplifier::sum_over(IndexId index, Expression first, Expression last, Polynomial const& body) {
    auto const counter = pool_.index(index);
    auto const before = polynomial(first) - Polynomial(1);
    auto const to = polynomial(last);
    // A bound of many terms, raised to a power, is a longer formula than the loop.
    auto const is_long = [&](int power) {
        auto const terms = static_cast<double>(std::max(to.terms().size(), before.terms().size()));
        return std::pow(terms, power + 1) > static_cast<double>(most_terms);
    };
    Polynomial sum;
    Polynomial rest;
    for (auto const& [monomial, factor] : body.terms()) {
        Monomial outside;
        int power = 0;
        bool is_closed = true;
        for (auto const& each : monomial) {
            if (each.atom == counter)
                power = each.power;
            else
                outside.push_back(each);
            is_closed &= each.atom == counter || !pool_.depends_on(each.atom, index);
        }
        if (!is_closed || power < 0 || power > static_cast<int>(highest_power) || is_long(power)) {
            rest += Polynomial::of_term(monomial, factor);
            continue;
        }
        auto const powers = static_cast<std::size_t>(power);
        auto const of_powers = power_sum(powers, to) - power_sum(powers, before);
        sum += of_powers * Polynomial::of_term(outside, factor);
    }
    if (rest.is_zero())
        return sum;
    auto const remaining = expression(rest);
    if (auto const turns = unrolled(index, first, last, remaining))
        return sum + polynomial(sum_of_numbers(*turns));
    return sum + Polynomial::of_atom(loop(ExpressionKind::sum_over, index, first, last, remaining));
}

Expression Simplifier::sum_over(IndexId index, Expression first, Expression last, Expression body) {
    if (pool_.is_random(first) || pool_.is_random(last)) {
        if (pool_.depends_on(body, index))
            return loop(ExpressionKind::sum_over, index, first, last, body);
        auto const turns = add(std::vector{last, scale(number(-1), first), number(1)});
        return is_vector(body) ? vector_operation(ExpressionKind::repeat, {turns, body})
                               : repeat(turns, body);
    }
    auto const count = count_between(first, last);
    auto const known_count = known_number(count);
    if (is_vector(body))
        return vector_sum_over(index, first, last, body);
    if (known_count && *known_count <= 0)
        return number(0);
    if (!pool_.depends_on(body, index))
        return repeat(count, body);
    if (known_count == 1)
        return at(body, index, first);
    if (!pool_.is_random(body))
        return expression(sum_over(index, first, last, polynomial(body)));
    if (auto const turns = unrolled(index, first, last, body))
        return add(*turns);

    auto const times = times_of(body);
    Times sum;
    sum.number = sum_over(index, first, last, times.number);
    Times changing;  // with the index
    for (auto const& part : times.parts)
        if (pool_.depends_on(part.base, index))
            changing.parts.push_back(part);
        else
            sum.parts.push_back(
                {expression(sum_over(index, first, last, polynomial(part.count))), part.base});
    if (!changing.parts.empty()) {
        auto const remaining =
            loop(ExpressionKind::sum_over, index, first, last, expression(std::move(changing)));
        sum.parts.push_back({number(1), remaining});
    }
    return expression(std::move(sum));
}

}  // namespace parcast::symbolic
