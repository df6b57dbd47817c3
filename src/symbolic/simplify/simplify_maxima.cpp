#include <algorithm>
#include <utility>

#include "symbolic/simplify/simplifier.h"
#include "symbolic/time_algebra.h"

namespace parcast::symbolic {

// The maximum of `count` of an expression, nested maxima flattened: all are independent.
void Simplifier::collect(Expression expression, Expression count, std::string const& index_name,
                         Branches& into) {
    if (!pool_.is_random(expression)) {
        into.numbers.push_back(expression);
        return;
    }
    auto const given = pool_.operands(expression);
    std::vector<Expression> const operands(given.begin(), given.end());
    if (pool_.kind(expression) == ExpressionKind::maximum) {
        for (auto const operand : operands)
            collect(operand, count, index_name, into);
        return;
    }
    bool const is_of_alike = pool_.kind(expression) == ExpressionKind::maximum_over &&
                             !pool_.depends_on(operands[2], pool_.bound_index(expression));
    if (is_of_alike) {
        auto const of_loop = count_between(operands[0], operands[1]);
        auto const name = index_name.empty() ? pool_.name(pool_.bound_index(expression)) : index_name;
        collect(operands[2], product(count, of_loop), name, into);
        return;
    }
    auto const same = std::ranges::find(into.branches, expression, &Branch::each);
    if (same == into.branches.end()) {
        into.branches.push_back({count, expression, index_name});
        return;
    }
    same->count = this->expression(polynomial(same->count) + polynomial(count));
    if (same->index_name.empty())
        same->index_name = index_name;
}

Expression Simplifier::expression(Branches branches) {
    std::erase_if(branches.branches, [&](Branch const& branch) {
        auto const count = known_number(branch.count);
        return count && *count < 1;
    });
    if (maxima_ == Maxima::computed)
        compute_constants(branches);
    if (auto const value = computed(branches))
        return *value;
    std::vector<Expression> operands;
    if (!branches.numbers.empty())
        operands.push_back(extreme(ExpressionKind::maximum, branches.numbers));
    for (auto const& branch : branches.branches) {
        if (known_number(branch.count) == 1) {
            operands.push_back(branch.each);
            continue;
        }
        auto const name = branch.index_name.empty() ? std::string("i") : branch.index_name;
        operands.push_back(loop(ExpressionKind::maximum_over, pool_.shared_index(name, 0), number(1),
                                branch.count, branch.each));
    }
    if (operands.empty())
        return number(0);
    return operands.size() == 1 ? operands.front() : pool_.make(ExpressionKind::maximum, operands);
}

// n of a constant are a constant. Where that is one of the others, there are two of it.
void Simplifier::compute_constants(Branches& branches) {
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        auto const given = std::exchange(branches.branches, {});
        for (auto const& branch : given) {
            auto const count = known_number(branch.count);
            auto const each = known_time(branch.each);
            bool const is_open = !count || !each || *count == 1;
            auto const value = is_open ? branch.each : constant_time(MomentTimes::maximum_of(*count, *each));
            has_changed |= !is_open;
            collect(value, is_open ? branch.count : number(1), branch.index_name, branches);
        }
    }
}

// Where all is known.
std::optional<Expression> Simplifier::computed(Branches const& branches) {
    if (maxima_ == Maxima::kept || branches.branches.empty())
        return std::nullopt;
    MomentTimes::Time greatest;
    bool is_first = true;
    auto const take = [&](Moments const& time) {
        greatest = is_first ? time : MomentTimes::maximum(greatest, time);
        is_first = false;
    };
    for (auto const& branch : branches.branches) {
        auto const count = known_number(branch.count);
        auto const each = known_time(branch.each);
        if (!count || !each)
            return std::nullopt;
        take(MomentTimes::maximum_of(*count, *each));
    }
    for (auto const each : branches.numbers) {
        auto const value = known_number(each);
        if (!value)
            return std::nullopt;
        take(deterministic(*value));
    }
    return constant_time(greatest);
}

Expression Simplifier::maximum(std::span<Expression const> operands) {
    auto const is_random = [&](Expression operand) { return pool_.is_random(operand); };
    if (std::ranges::none_of(operands, is_random))
        return extreme(ExpressionKind::maximum, {operands.begin(), operands.end()});
    Branches branches;
    for (auto const operand : operands)
        collect(operand, number(1), "", branches);
    return expression(std::move(branches));
}

Expression Simplifier::maximum_over(IndexId index, Expression first, Expression last, Expression body) {
    if (is_vector(body) || pool_.is_random(first) || pool_.is_random(last))
        return loop(ExpressionKind::maximum_over, index, first, last, body);
    auto const count = count_between(first, last);
    if (auto const known = known_number(count)) {
        if (*known < 1)
            return number(0);
        if (*known == 1)
            return at(body, index, first);
    }
    bool const is_random = pool_.is_random(body);
    if (!pool_.depends_on(body, index)) {
        if (!is_random)
            return body;
        Branches branches;
        collect(body, count, pool_.name(index), branches);
        return expression(std::move(branches));
    }
    if (auto const turns = unrolled(index, first, last, body))
        return maximum(*turns);
    if (!is_random) {
        auto const powers = polynomial(body).by_powers_of(pool_.index(index));
        auto const is_straight =
            powers && powers->size() == 2 && !pool_.depends_on(expression((*powers)[0]), index);
        auto const slope = is_straight ? (*powers)[1].constant() : std::nullopt;
        if (slope)
            return at(body, index, *slope > 0 ? last : first);
    }
    return loop(ExpressionKind::maximum_over, index, first, last, body);
}

}  // namespace parcast::symbolic
