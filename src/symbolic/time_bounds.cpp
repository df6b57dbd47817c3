#include "symbolic/time_bounds.h"

#include <algorithm>
#include <utility>

#include "symbolic/simplify/simplify.h"

namespace parcast::symbolic {

namespace {

using stochastic::Support;

Support times(double count, Support const& each) {
    if (count == 0)
        return {0, 0};
    return count > 0 ? Support{count * each.low, count * each.high}
                     : Support{count * each.high, count * each.low};
}

std::optional<double> number_at(std::optional<ExpressionTape> const& tape, std::span<double const> values) {
    if (!tape || tape->is_random() || tape->is_vector())
        return std::nullopt;
    auto const found = tape->number(values);
    return found ? std::optional(*found) : std::nullopt;
}

}  // namespace

class TimeBounds::Builder {
public:
    Builder(ExpressionPool& pool, std::span<std::string const> parameters)
        : pool_(pool), parameters_(parameters) {}

    std::optional<ExpressionTape> tape(Expression expression) {
        auto made = ExpressionTape::compile(pool_, expression, parameters_);
        return made ? std::optional(std::move(*made)) : std::nullopt;
    }

    Node node(Expression expression) {
        if (pool_.is_vector(expression) || !pool_.free_indices(expression).empty())
            return {};
        if (!pool_.is_random(expression))
            return {Form::number, tape(expression)};
        auto const span = pool_.operands(expression);
        std::vector<Expression> const operands(span.begin(), span.end());
        auto const parts = [&](std::size_t first) {
            std::vector<Node> nodes;
            for (auto i = first; i < operands.size(); ++i)
                nodes.push_back(node(operands[i]));
            return nodes;
        };
        switch (pool_.kind(expression)) {
            case ExpressionKind::moments: return {Form::law, tape(expression)};
            case ExpressionKind::add: return {.form = Form::sum, .parts = parts(0)};
            case ExpressionKind::repeat: return {Form::repeat, tape(operands[0]), {}, parts(1)};
            case ExpressionKind::scale: return {Form::scale, tape(operands[0]), {}, parts(1)};
            case ExpressionKind::maximum: return {.form = Form::maximum, .parts = parts(0)};
            case ExpressionKind::choose:
            case ExpressionKind::branch: return {.form = Form::hull, .parts = parts(1)};
            case ExpressionKind::sum_over:
                return {Form::loop_sum, tape(operands[0]), tape(operands[1]), parts(2)};
            case ExpressionKind::maximum_over:
                return {Form::loop_maximum, tape(operands[0]), tape(operands[1]), parts(2)};
            default: return {};
        }
    }

    // A sum of independent times, so that its moments are exact, and no mixture.
    bool is_sum(Expression expression) const {
        if (!pool_.is_random(expression))
            return true;
        switch (pool_.kind(expression)) {
            case ExpressionKind::moments: return true;
            case ExpressionKind::add:
            case ExpressionKind::scale:
                return std::ranges::all_of(pool_.operands(expression),
                                           [&](Expression each) { return is_sum(each); });
            case ExpressionKind::repeat:
                return !pool_.is_random(pool_.operands(expression)[0]) &&
                       is_sum(pool_.operands(expression)[1]);
            case ExpressionKind::sum_over: return is_sum(pool_.operands(expression)[2]);
            default: return false;
        }
    }

private:
    ExpressionPool& pool_;
    std::span<std::string const> parameters_;
};

TimeBounds TimeBounds::of(ExpressionPool& pool, Expression expression,
                          std::span<std::string const> parameters) {
    TimeBounds bounds;
    if (!pool.is_random(expression) || pool.is_vector(expression))
        return bounds;
    Builder builder(pool, parameters);
    bounds.root_ = builder.node(expression);
    auto each = expression;
    auto const operands = pool.operands(expression);
    if (pool.kind(expression) == ExpressionKind::maximum_over) {
        each = operands[2];
        bounds.first_ = builder.tape(operands[0]);
        bounds.last_ = builder.tape(operands[1]);
    } else if (pool.kind(expression) == ExpressionKind::maximum &&
               std::ranges::adjacent_find(operands, std::ranges::not_equal_to{}) == operands.end()) {
        each = operands[0];
        bounds.count_ = static_cast<double>(operands.size());
    }
    if (pool.free_indices(each).empty() && builder.is_sum(each))
        bounds.each_ = builder.tape(simplify(pool, each));
    return bounds;
}

std::optional<TimeBounds::Greatest> TimeBounds::greatest_at(std::span<double const> values) const {
    if (!each_)
        return std::nullopt;
    Greatest greatest{count_, {}};
    if (first_ || last_) {
        auto const first = number_at(first_, values);
        auto const last = number_at(last_, values);
        if (!first || !last)
            return std::nullopt;
        greatest.count = turns_between(*first, *last);
    }
    auto const each = each_->moments(values);
    if (!each || greatest.count < 1)
        return std::nullopt;
    greatest.each = *each;
    return greatest;
}

Support TimeBounds::support(Node const& node, std::span<double const> values) {
    auto const part = [&](std::size_t i) { return support(node.parts[i], values); };
    auto const together = [&](auto const& combine) {
        auto all = part(0);
        for (std::size_t i = 1; i < node.parts.size(); ++i)
            all = combine(all, part(i));
        return all;
    };
    auto const number = number_at(node.value, values);
    switch (node.form) {
        case Form::unbounded: return {};
        case Form::number: return number ? Support{*number, *number} : Support();
        case Form::law: {
            auto const moments =
                node.value ? node.value->moments(values) : Result<Moments>(Moments{0, 1, 0, 3});
            return moments ? stochastic::support_of_law(*moments) : Support();
        }
        case Form::sum:
            return together([](Support const& one, Support const& other) {
                return Support{one.low + other.low, one.high + other.high};
            });
        case Form::repeat: return number && *number >= 0 ? times(*number, part(0)) : Support();
        case Form::scale: return number ? times(*number, part(0)) : Support();
        case Form::maximum:
            return together([](Support const& one, Support const& other) {
                return Support{std::max(one.low, other.low), std::max(one.high, other.high)};
            });
        case Form::hull:
            return together([](Support const& one, Support const& other) {
                return Support{std::min(one.low, other.low), std::max(one.high, other.high)};
            });
        case Form::loop_sum:
        case Form::loop_maximum: break;
    }
    auto const last = number_at(node.last, values);
    if (!number || !last)
        return {};
    double const turns = turns_between(*number, *last);
    if (turns < 1)
        return {0, 0};
    return node.form == Form::loop_sum ? times(turns, part(0)) : part(0);
}

}  // namespace parcast::symbolic
