// The random quantities among the numeric rules: moments and what gives them.

#include <array>
#include <cmath>

#include "pamela/lowering/numeric_rules.h"
#include "pamela/syntax/number_text.h"
#include "symbolic/notation/notation.h"

namespace parcast::pamela {

using symbolic::Expression;

namespace {

constexpr double rounding =
    1e-9;  // relative: how far moments may be off a limit by the rounding of their digits

// A number that was computed here, without the digits that are rounding.
std::string short_text(double value) {
    return symbolic::number_notation(value, symbolic::Digits::ten);
}

bool is_attainable(std::span<double const> moments) {
    double const least_kurtosis = moments[2] * moments[2] + 1;
    return moments[1] == 0 || moments[3] >= least_kurtosis * (1 - rounding);
}

std::string tuple_text(std::span<double const> moments) {
    std::string text;
    for (double const each : moments)
        text += (text.empty() ? "(" : ", ") + number_text(each);
    return text + ")";
}

}  // namespace

std::optional<Expression> NumericRules::moments(SyntaxNode const& call, std::span<Operand const> operands) {
    static constexpr std::array names = {"the mean", "the variance", "the skewness", "the kurtosis"};
    std::array<Expression, 4> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!is_number(operands[i], names[i]))
            return std::nullopt;
        values[i] = operands[i].value;
    }
    if (auto const variance = builder_.constant(values[1]); variance && *variance < 0) {
        diagnostics_.error(operands[1].node->extent,
                           "the variance " + number_text(*variance) + " is negative");
        return std::nullopt;
    }
    check_attainable(call, values);
    return moments_of(values[0], values[1], values[2], values[3]);
}

// Without variance it is a number.
Expression NumericRules::moments_of(Expression mean, Expression variance, Expression skewness,
                                    Expression kurtosis) {
    if (builder_.constant(variance) == 0.0)
        return mean;
    return builder_.make(Kind::moments, {mean, variance, skewness, kurtosis});
}

void NumericRules::check_attainable(SyntaxNode const& call, std::span<Expression const> moments) {
    std::array<double, 4> values{};
    for (std::size_t i = 0; i < 4; ++i) {
        auto const known = builder_.constant(moments[i]);
        if (!known)
            return;
        values[i] = *known;
    }
    if (is_attainable(values))
        return;
    diagnostics_.warning(
        call.place,
        "no distribution has the moments " + tuple_text(values) + ": with a skewness of " +
            number_text(values[2]) + " the kurtosis is at least " + short_text(values[2] * values[2] + 1),
        "kurtosis >= skewness^2 + 1 (a normal law has 3); sums are computed as if there were one, "
        "maxima with the nearest that there is");
}

std::optional<Expression> NumericRules::law(SyntaxNode const& call, Builtin builtin,
                                            std::span<Operand const> operands) {
    auto const number = [&](double value) { return builder_.number(value); };
    auto const a = operands[0].value;
    auto const b = operands.size() > 1 ? operands[1].value : a;
    auto const square = [&](Expression value) { return builder_.make(Kind::multiply, {value, value}); };
    if (builtin == Builtin::exponential)
        return moments_of(a, square(a), number(2), number(9));
    if (builtin == Builtin::normal)
        return moments_of(a, square(b), number(0), number(3));
    if (builtin == Builtin::uniform) {
        if (!are_in_order(call, operands[0], operands[1]))
            return std::nullopt;
        auto const middle = builder_.make(Kind::divide, {builder_.make(Kind::add, {a, b}), number(2)});
        auto const width = builder_.make(Kind::add, {b, builder_.make(Kind::negate, {a})});
        return moments_of(middle, builder_.make(Kind::divide, {square(width), number(12)}), number(0),
                          number(1.8));
    }
    if (auto const stages = builder_.constant(a); stages && *stages <= 0) {
        diagnostics_.error(operands[0].node->extent,
                           "an Erlang law has 1 stage or more, not " + number_text(*stages),
                           "it is written " + call.word + "(stages, mean)");
        return std::nullopt;
    }
    auto const variance = builder_.make(Kind::divide, {square(b), a});
    auto const skewness = builder_.make(Kind::divide, {number(2), builder_.make(Kind::square_root, {a})});
    auto const excess = builder_.make(Kind::divide, {number(6), a});
    return moments_of(b, variance, skewness, builder_.make(Kind::add, {number(3), excess}));
}

// Whether they may be: parameters may get other values than the text gives them.
bool NumericRules::are_in_order(SyntaxNode const& call, Operand const& lowest, Operand const& highest) {
    auto const low = builder_.value_in_text(lowest.value);
    auto const high = builder_.value_in_text(highest.value);
    if (!low || !high || *low <= *high)
        return true;
    auto const message =
        "the lowest value, " + number_text(*low) + ", is more than the highest, " + number_text(*high);
    auto const hint = "it is written " + call.word + "(lowest, highest)";
    if (!builder_.constant(lowest.value) || !builder_.constant(highest.value)) {
        diagnostics_.warning(call.extent, message, hint);
        return true;
    }
    diagnostics_.error(call.extent, message, hint);
    return false;
}

// 1 with the probability, else 0.
std::optional<Expression> NumericRules::bernoulli(Operand const& probability) {
    if (!is_number(probability, "a probability"))
        return std::nullopt;
    auto const known = builder_.constant(probability.value);
    if (known && (*known < 0 || *known > 1)) {
        diagnostics_.error(probability.node->extent,
                           "a probability lies between 0 and 1; this is " + number_text(*known));
        return std::nullopt;
    }
    if (known == 0.0 || known == 1.0)
        return probability.value;
    return builder_.make(Kind::branch, {probability.value, builder_.number(1), builder_.number(0)});
}

// The truth probability of an alternating renewal process: a beta law with the mean p = U / (U + D) and the
// variance at which the number of true invocations grows, (D^2 Var[U] + U^2 Var[D]) / (U + D)^3 (Gautama and
// van Gemund, eqs 9 and 10). With s + 1 = p q / Var[P]: skewness 2 (q - p) sqrt(s + 1) / ((s + 2) sqrt(p q)),
// kurtosis 3 + 6 ((p - q)^2 (s + 1) - p q (s + 2)) / (p q (s + 2) (s + 3)); regular at s = 0, where runs have
// no memory.
std::optional<Expression> NumericRules::renewal_branch(Operand const& up, Operand const& down) {
    auto const true_run = is_scalar(up, "the length of a run") ? mean_and_variance(up.value) : std::nullopt;
    auto const false_run =
        is_scalar(down, "the length of a run") ? mean_and_variance(down.value) : std::nullopt;
    for (auto const* run : {true_run ? nullptr : &up, false_run ? nullptr : &down})
        if (run != nullptr && !builder_.is_vector(run->value))
            diagnostics_.error(run->node->extent, "the mean and the variance of this run are not known here",
                               "give its length as moments(...), or as a sum of such");
    if (!true_run || !false_run)
        return std::nullopt;
    auto const make = [&](Kind kind, Expression a, Expression b) { return builder_.make(kind, {a, b}); };
    auto const number = [&](double value) { return builder_.number(value); };
    auto const square = [&](Expression a) { return make(Kind::multiply, a, a); };
    auto const root = [&](Expression a) { return builder_.make(Kind::square_root, {a}); };
    auto const cycle = make(Kind::add, true_run->mean, false_run->mean);
    auto const p = make(Kind::divide, true_run->mean, cycle);
    auto const q = make(Kind::divide, false_run->mean, cycle);
    auto const spread = make(Kind::add, make(Kind::multiply, square(false_run->mean), true_run->variance),
                             make(Kind::multiply, square(true_run->mean), false_run->variance));
    auto const variance = make(Kind::divide, spread, make(Kind::multiply, cycle, square(cycle)));
    if (builder_.constant(variance) == 0.0)
        return p;
    auto const pq = make(Kind::multiply, p, q);
    auto const s1 = make(Kind::divide, pq, variance);  // s + 1
    auto const s2 = make(Kind::add, s1, number(1));
    auto const s3 = make(Kind::add, s1, number(2));
    auto const difference = make(Kind::add, q, builder_.make(Kind::negate, {p}));
    auto const skewness =
        make(Kind::divide, make(Kind::multiply, make(Kind::multiply, number(2), difference), root(s1)),
             make(Kind::multiply, s2, root(pq)));
    auto const above = make(Kind::add, make(Kind::multiply, square(difference), s1),
                            builder_.make(Kind::negate, {make(Kind::multiply, pq, s2)}));
    auto const excess = make(Kind::divide, make(Kind::multiply, number(6), above),
                             make(Kind::multiply, pq, make(Kind::multiply, s2, s3)));
    return moments_of(p, variance, skewness, make(Kind::add, number(3), excess));
}

// For sums, repetitions and scalings of moments(...); nothing for what has none in closed form.
std::optional<NumericRules::MeanAndVariance> NumericRules::mean_and_variance(Expression value) {
    constexpr std::uint64_t largest = 10'000;
    auto const& pool = builder_.pool();
    if (builder_.is_vector(value) || builder_.size(value) > largest)
        return std::nullopt;
    if (!builder_.is_random(value))
        return MeanAndVariance{value, builder_.number(0)};
    auto const span = pool.operands(value);
    std::vector<Expression> const operands(span.begin(), span.end());
    auto const make = [&](Kind kind, Expression a, Expression b) { return builder_.make(kind, {a, b}); };
    switch (pool.kind(value)) {
        case Kind::moments: return MeanAndVariance{operands[0], operands[1]};
        case Kind::scale: {
            auto const each = mean_and_variance(operands[1]);
            if (!each)
                return std::nullopt;
            auto const square = make(Kind::multiply, operands[0], operands[0]);
            return MeanAndVariance{make(Kind::multiply, operands[0], each->mean),
                                   make(Kind::multiply, square, each->variance)};
        }
        case Kind::repeat: {
            auto const count = mean_and_variance(operands[0]);
            auto const each = mean_and_variance(operands[1]);
            if (!count || !each)
                return std::nullopt;
            auto const of_count =
                make(Kind::multiply, count->variance, make(Kind::multiply, each->mean, each->mean));
            auto const of_each = make(Kind::multiply, count->mean, each->variance);
            return MeanAndVariance{make(Kind::multiply, count->mean, each->mean),
                                   make(Kind::add, of_each, of_count)};
        }
        case Kind::add: {
            MeanAndVariance total{builder_.number(0), builder_.number(0)};
            for (auto const operand : operands) {
                auto const each = mean_and_variance(operand);
                if (!each)
                    return std::nullopt;
                total = {make(Kind::add, total.mean, each->mean),
                         make(Kind::add, total.variance, each->variance)};
            }
            return total;
        }
        default: return std::nullopt;
    }
}

// The moments of a truth value lie between 0 and 1; those of branch conditions that were measured as runs
// need not.
void NumericRules::check_condition(Operand const& operand) {
    auto const& pool = builder_.pool();
    if (pool.kind(operand.value) != Kind::moments)
        return;
    std::array<double, 4> values{};
    for (std::size_t i = 0; i < 4; ++i) {
        auto const known = builder_.constant(pool.operands(operand.value)[i]);
        if (!known)
            return;
        values[i] = *known;
    }
    double const most = values[0] * (1 - values[0]);
    if (values[0] < 0 || values[0] > 1) {
        diagnostics_.warning(operand.node->extent,
                             "the mean of a condition is a probability, not " + number_text(values[0]));
    } else if (values[1] > most * (1 + rounding) && is_attainable(values)) {
        diagnostics_.warning(operand.node->extent,
                             "no condition has the moments " + tuple_text(values) + ": with a mean of " +
                                 number_text(values[0]) + " its variance is at most " + short_text(most),
                             "they are taken as a formal tuple, which is meant for sums over many "
                             "invocations, as branch(U, D) is");
    }
}

}  // namespace parcast::pamela
