// Random scalars: sums, repetitions, scalings, conditions.

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "symbolic/simplify/simplifier.h"
#include "symbolic/time_algebra.h"

namespace parcast::symbolic {

// For a number, or moments that are numbers.
std::optional<Moments> Simplifier::known_time(Expression expression) const {
    if (auto const value = known_number(expression))
        return deterministic(*value);
    if (pool_.kind(expression) != ExpressionKind::moments)
        return std::nullopt;
    auto const operands = pool_.operands(expression);
    auto const is_number = [&](Expression operand) { return known_number(operand).has_value(); };
    if (!std::ranges::all_of(operands, is_number))
        return std::nullopt;
    return Moments{pool_.value(operands[0]), pool_.value(operands[1]), pool_.value(operands[2]),
                   pool_.value(operands[3])};
}

Expression constant_time(ExpressionPool& pool, Moments const& moments) {
    if (moments.variance == 0)
        return pool.number(moments.mean);
    return pool.make(ExpressionKind::moments, {pool.number(moments.mean), pool.number(moments.variance),
                                               pool.number(moments.skewness), pool.number(moments.kurtosis)});
}

// A sum of repetitions, as far as it is one.
Simplifier::Times Simplifier::times_of(Expression expression) {
    if (!pool_.is_random(expression))
        return {polynomial(expression), {}};
    auto const given = pool_.operands(expression);
    std::vector<Expression> const operands(given.begin(), given.end());
    Times times;
    if (pool_.kind(expression) == ExpressionKind::add) {
        for (auto const operand : operands) {
            auto const of_operand = times_of(operand);
            times.number += of_operand.number;
            times.parts.insert(times.parts.end(), of_operand.parts.begin(), of_operand.parts.end());
        }
    } else if (pool_.kind(expression) == ExpressionKind::repeat && !pool_.is_random(operands[0])) {
        times = times_of(operands[1]);
        times.number = product_of(pool_, std::array{times.number, polynomial(operands[0])});
        for (auto& part : times.parts)
            part.count = product(operands[0], part.count);
    } else {
        times.parts.push_back({number(1), expression});
    }
    return times;
}

// repeat n X + repeat m X = repeat (n + m) X. Whether there was such a pair, or a part that is none.
bool Simplifier::merge_parts(Times& times) {
    std::vector<Part> merged;
    std::unordered_map<std::uint32_t, std::size_t> places;  // of bases
    for (auto const& part : times.parts) {
        auto const known = known_number(part.count);
        if (known && *known <= 0)
            continue;
        auto const [place, is_new] = places.try_emplace(part.base.id, merged.size());
        if (is_new)
            merged.push_back(part);
        else
            merged[place->second].count =
                expression(polynomial(merged[place->second].count) + polynomial(part.count));
    }
    bool const has_changed = merged.size() != times.parts.size();
    times.parts = std::move(merged);
    return has_changed;
}

// Constant moments that are repeated as often are one constant; a known count is carried out. Whether
// anything was.
bool Simplifier::fold_constants(Times& times) {
    bool has_changed = false;
    for (auto& part : times.parts) {
        auto const time = known_time(part.base);
        auto const count = known_number(part.count);
        if (time && count && *count != 1) {
            part = {number(1), constant_time(repeated(deterministic(*count), *time))};
            has_changed = true;
        }
    }
    std::vector<Part> folded;
    std::unordered_map<std::uint32_t, std::size_t> constants;  // by how often they are repeated
    for (auto const& part : times.parts) {
        auto const time = known_time(part.base);
        auto const place =
            time ? constants.try_emplace(part.count.id, folded.size()).first->second : folded.size();
        if (place == folded.size()) {
            folded.push_back(part);
        } else {
            folded[place].base = constant_time(*known_time(folded[place].base) + *time);
            has_changed = true;
        }
    }
    times.parts = std::move(folded);
    return has_changed;
}

// repeat n X + n c = repeat n (X + c) of constant moments X.
void Simplifier::add_number_to(Times& times, Part& part) {
    auto const time = known_time(part.base);
    auto const count = polynomial(part.count);
    if (!time || count.terms().empty())
        return;
    auto const& [monomial, factor] = *count.terms().begin();
    auto const each = times.number.coefficient(monomial) * inverse(factor);
    if (each.numerator == 0)
        return;
    auto const added = count.times(each);
    bool const has_all = std::ranges::all_of(count.terms(), [&](auto const& term) {
        return times.number.coefficient(term.first) == added.coefficient(term.first);
    });
    if (!has_all)
        return;
    times.number = times.number - added;
    part.base = constant_time(*time + deterministic(each.value()));
}

Expression Simplifier::expression(Times times) {
    for (bool has_changed = true; has_changed;) {
        bool const has_merged = merge_parts(times);
        has_changed = fold_constants(times) || has_merged;
    }
    std::ranges::sort(times.parts, [&](Part const& left, Part const& right) {
        return left.count != right.count ? is_before(pool_, left.count, right.count)
                                         : is_before(pool_, left.base, right.base);
    });
    for (auto& part : times.parts)
        add_number_to(times, part);

    std::vector<Expression> terms;
    if (!times.number.is_zero())
        terms.push_back(expression(times.number));
    for (std::size_t first = 0; first < times.parts.size();) {
        auto const count = times.parts[first].count;
        std::vector<Expression> bases;
        for (; first < times.parts.size() && times.parts[first].count == count; ++first)
            bases.push_back(times.parts[first].base);
        sort(bases);
        if (known_number(count) == 1) {
            terms.insert(terms.end(), bases.begin(), bases.end());
        } else {
            auto const each = bases.size() == 1 ? bases.front() : pool_.make(ExpressionKind::add, bases);
            terms.push_back(pool_.make(ExpressionKind::repeat, {count, each}));
        }
    }
    if (terms.empty())
        return number(0);
    return terms.size() == 1 ? terms.front() : pool_.make(ExpressionKind::add, terms);
}

Expression Simplifier::add(std::span<Expression const> operands) {
    auto const is_random = [&](Expression operand) { return pool_.is_random(operand); };
    if (std::ranges::none_of(operands, is_random))
        return sum_of_numbers(operands);
    Times sum;
    for (auto const operand : operands) {
        auto const times = times_of(operand);
        sum.number += times.number;
        sum.parts.insert(sum.parts.end(), times.parts.begin(), times.parts.end());
    }
    return expression(std::move(sum));
}

Expression Simplifier::repeat(Expression count, Expression time) {
    if (known_number(time) == 0)
        return time;
    if (pool_.is_random(count)) {
        auto const known_count = known_time(count);
        auto const known_each = known_time(time);
        return known_count && known_each ? constant_time(repeated(*known_count, *known_each))
                                         : pool_.make(ExpressionKind::repeat, {count, time});
    }
    if (auto const known = known_number(count); known && *known <= 0)
        return number(0);
    auto times = times_of(time);
    times.number = product_of(pool_, std::array{times.number, polynomial(count)});
    for (auto& part : times.parts)
        part.count = product(count, part.count);
    return expression(std::move(times));
}

Expression Simplifier::scale(Expression factor, Expression time) {
    if (known_number(factor) == 0)
        return number(0);
    auto times = times_of(time);
    times.number = product_of(pool_, std::array{times.number, polynomial(factor)});
    for (auto& part : times.parts) {
        auto by = factor;
        if (pool_.kind(part.base) == ExpressionKind::scale) {
            auto const inner = pool_.operands(part.base);
            auto const base = inner[1];
            by = product(factor, inner[0]);
            part.base = base;
        }
        auto const known_factor = known_number(by);
        auto const known = known_time(part.base);
        if (known_factor && known)
            part.base = constant_time(scaled(*known_factor, *known));
        else if (known_factor != 1)
            part.base = pool_.make(ExpressionKind::scale, {by, part.base});
    }
    return expression(std::move(times));
}

Expression Simplifier::choose(Expression condition, Expression then, Expression otherwise) {
    if (auto const known = known_number(condition))
        return *known != 0 ? then : otherwise;
    return then == otherwise ? then : pool_.make(ExpressionKind::choose, {condition, then, otherwise});
}

// A draw of one of two equal laws is a draw of that law.
Expression Simplifier::branch(Expression condition, Expression then, Expression otherwise) {
    if (then == otherwise)
        return then;
    if (auto const known = known_number(condition); known == 0 || known == 1)
        return known == 1 ? then : otherwise;
    auto const of_condition = known_time(condition);
    auto const of_then = known_time(then);
    auto const of_otherwise = known_time(otherwise);
    if (of_condition && of_then && of_otherwise)
        return constant_time(MomentTimes::branch(*of_condition, *of_then, *of_otherwise));
    return pool_.make(ExpressionKind::branch, {condition, then, otherwise});
}

}  // namespace parcast::symbolic
