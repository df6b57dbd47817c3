#include "pamela/lowering/numeric_rules.h"

#include <algorithm>
#include <cmath>

#include "pamela/syntax/number_text.h"

namespace parcast::pamela {

using symbolic::Expression;
using symbolic::ExpressionKind;

namespace {

ExpressionKind kind_of(SyntaxKind kind) {
    switch (kind) {
        case SyntaxKind::quotient: return ExpressionKind::quotient;
        case SyntaxKind::remainder: return ExpressionKind::remainder;
        case SyntaxKind::power: return ExpressionKind::power;
        case SyntaxKind::less: return ExpressionKind::less;
        case SyntaxKind::less_or_equal: return ExpressionKind::less_or_equal;
        case SyntaxKind::greater: return ExpressionKind::greater;
        case SyntaxKind::greater_or_equal: return ExpressionKind::greater_or_equal;
        case SyntaxKind::equal: return ExpressionKind::equal;
        case SyntaxKind::not_equal: return ExpressionKind::not_equal;
        case SyntaxKind::conjunction: return ExpressionKind::conjunction;
        default: return ExpressionKind::disjunction;
    }
}

char const* sign_of(SyntaxKind kind) {
    switch (kind) {
        case SyntaxKind::quotient: return "div";
        case SyntaxKind::remainder: return "mod";
        case SyntaxKind::power: return "^";
        case SyntaxKind::conjunction: return "and";
        case SyntaxKind::disjunction: return "or";
        default: return "a comparison";
    }
}

bool is_logical(ExpressionKind kind) {
    switch (kind) {
        case ExpressionKind::less:
        case ExpressionKind::less_or_equal:
        case ExpressionKind::greater:
        case ExpressionKind::greater_or_equal:
        case ExpressionKind::equal:
        case ExpressionKind::not_equal:
        case ExpressionKind::conjunction:
        case ExpressionKind::disjunction:
        case ExpressionKind::complement: return true;
        default: return false;
    }
}

ExpressionKind function_kind(Builtin builtin) {
    switch (builtin) {
        case Builtin::ceiling: return ExpressionKind::ceiling;
        case Builtin::floor: return ExpressionKind::floor;
        case Builtin::round: return ExpressionKind::round;
        case Builtin::absolute: return ExpressionKind::absolute;
        case Builtin::logarithm_2: return ExpressionKind::logarithm_2;
        case Builtin::logarithm: return ExpressionKind::logarithm;
        case Builtin::power_of_e: return ExpressionKind::exponential;
        default: return ExpressionKind::square_root;
    }
}

}  // namespace

bool NumericRules::is_scalar(Operand const& operand, std::string const& what) {
    if (!builder_.is_vector(operand.value))
        return true;
    diagnostics_.error(operand.node->extent, what + " is a scalar; this is a vector",
                       "max(v) is its largest element, v[0] its first");
    return false;
}

bool NumericRules::is_number(Operand const& operand, std::string const& what) {
    if (!is_scalar(operand, what))
        return false;
    if (!builder_.is_random(operand.value))
        return true;
    diagnostics_.error(operand.node->extent, what + " is a number; this is random");
    return false;
}

bool NumericRules::is_index(Operand const& operand, std::string const& what) {
    if (!is_number(operand, what))
        return false;
    auto const known = builder_.constant(operand.value);
    if (!known || (*known >= 0 && *known == std::floor(*known)))
        return true;
    diagnostics_.error(operand.node->extent, what + " is a whole number from 0, not " + number_text(*known));
    return false;
}

std::optional<Expression> NumericRules::finite(SyntaxNode const& node, std::span<Operand const> operands,
                                               std::optional<Expression> const& result) {
    if (!result || builder_.value_in_text(*result) || builder_.is_vector(*result))
        return result;
    auto const has_value = [&](Expression value) { return builder_.value_in_text(value).has_value(); };
    if (!std::ranges::all_of(operands, has_value, &Operand::value))
        return result;
    auto const& pool = builder_.pool();
    bool const is_law = pool.kind(*result) == Kind::moments || pool.kind(*result) == Kind::branch;
    if (is_law && std::ranges::all_of(pool.operands(*result), has_value))
        return result;
    std::string values;
    for (auto const& operand : operands)
        values += (values.empty() ? "" : ", ") + number_text(*builder_.value_in_text(operand.value));
    auto const what = node.kind == SyntaxKind::call ? node.word + "(" + values + ")" : "this";
    auto const message = what + " has no finite value";
    bool const is_settled = std::ranges::all_of(
        operands, [&](Operand const& operand) { return builder_.constant(operand.value).has_value(); });
    if (is_settled) {
        diagnostics_.error(node.extent, message);
        return std::nullopt;
    }
    diagnostics_.warning(node.extent, message, "parameters have the values of the text here");
    return result;
}

bool NumericRules::are_alike(Operand const& left, Operand const& right) {
    bool const left_is_vector = builder_.is_vector(left.value);
    if (left_is_vector == builder_.is_vector(right.value))
        return true;
    auto const& vector = left_is_vector ? left : right;
    diagnostics_.error(vector.node->extent, "this is a vector, what it is combined with is a scalar",
                       "a scalar and a vector only have a product: 3 * unitvec(0)");
    return false;
}

// ---- operators

std::optional<Expression> NumericRules::sum(std::span<Term const> terms) {
    std::vector<Expression> operands;
    for (auto const& term : terms) {
        if (!are_alike(terms[0].operand, term.operand))
            return std::nullopt;
        operands.push_back(term.is_subtracted ? negated(term.operand.value) : term.operand.value);
    }
    return builder_.make(Kind::add, operands);
}

Expression NumericRules::negated(Expression value) {
    if (builder_.is_random(value))
        return builder_.make(Kind::scale, {builder_.number(-1), value});
    if (builder_.is_vector(value))
        return builder_.make(Kind::multiply, {builder_.number(-1), value});
    return builder_.make(Kind::negate, {value});
}

std::optional<Expression> NumericRules::negative(Operand const& operand) {
    return negated(operand.value);
}

std::optional<Expression> NumericRules::complement(Operand const& operand) {
    if (!is_number(operand, "what 'not' takes"))
        return std::nullopt;
    return builder_.make(Kind::complement, {operand.value});
}

std::optional<Expression> NumericRules::binary(SyntaxNode const& node, Operand const& left,
                                               Operand const& right) {
    if (node.kind == SyntaxKind::multiply)
        return product(node, left, right);
    if (node.kind == SyntaxKind::divide)
        return ratio(left, right);
    auto const what = "what " + std::string(sign_of(node.kind)) + " takes";
    bool const left_is_number = is_number(left, what);
    if (!is_number(right, what) || !left_is_number)
        return std::nullopt;
    bool const divides = node.kind == SyntaxKind::quotient || node.kind == SyntaxKind::remainder;
    if (divides && builder_.constant(right.value) == 0.0) {
        diagnostics_.error(right.node->extent, "division by zero");
        return std::nullopt;
    }
    return builder_.make(kind_of(node.kind), {left.value, right.value});
}

std::optional<Expression> NumericRules::product(SyntaxNode const& node, Operand const& left,
                                                Operand const& right) {
    bool const left_is_random = builder_.is_random(left.value);
    bool const right_is_random = builder_.is_random(right.value);
    bool const left_is_vector = builder_.is_vector(left.value);
    bool const right_is_vector = builder_.is_vector(right.value);
    if (left_is_vector && right_is_vector) {
        diagnostics_.error(node.place, "vectors have no product", "their elements do: a[0] * b[0]");
        return std::nullopt;
    }
    bool const is_random_times_vector = (left_is_random && !left_is_vector && right_is_vector) ||
                                        (right_is_random && !right_is_vector && left_is_vector);
    if (left_is_random && right_is_random) {
        if (right_is_vector || left_is_vector) {
            diagnostics_.error(node.place, "a random quantity and a vector of random ones have no product");
            return std::nullopt;
        }
        diagnostics_.warning(
            node.place, "both factors are random: the left one counts how often the right one is added up",
            "n * X is a sum of n independent X; the product of two random quantities is not part of the "
            "language");
        return builder_.make(Kind::repeat, {left.value, right.value});
    }
    bool const multiplies = (!left_is_random && !right_is_random) || is_random_times_vector;
    if (multiplies) {  // the scalar stands before a vector
        return builder_.make(Kind::multiply, {left_is_vector ? right.value : left.value,
                                              left_is_vector ? left.value : right.value});
    }
    auto const& count = left_is_random ? right : left;
    check_count(count);
    return builder_.make(Kind::repeat, {count.value, left_is_random ? left.value : right.value});
}

void NumericRules::check_count(Operand const& count) {
    auto const known = builder_.value_in_text(count.value);
    if (!known || *known >= 0) {
        warn_of_fraction(count);
        return;
    }
    auto const times = number_text(*known);
    diagnostics_.warning(count.node->extent,
                         "a random quantity is added up " + times + " times here: that is taken for 0 times",
                         "scale(" + times + ", X) scales one");
}

// 0.5 * t is hardly ever meant as half a repetition.
void NumericRules::warn_of_fraction(Operand const& count) {
    bool const is_written = count.node->kind == SyntaxKind::number;
    if (!is_written || count.node->number == std::floor(count.node->number))
        return;
    auto const factor = number_text(count.node->number);
    diagnostics_.warning(count.node->extent,
                         "a random quantity is added up " + factor + " times here, not scaled by " + factor,
                         "scale(" + factor + ", X) scales one; the variance differs");
}

std::optional<Expression> NumericRules::ratio(Operand const& left, Operand const& right) {
    if (!is_number(right, "what divides"))
        return std::nullopt;
    if (builder_.constant(right.value) == 0.0) {
        diagnostics_.error(right.node->extent, "division by zero");
        return std::nullopt;
    }
    bool const is_plain = !builder_.is_random(left.value) && !builder_.is_vector(left.value);
    if (is_plain)
        return builder_.make(Kind::divide, {left.value, right.value});
    auto const factor = builder_.make(Kind::divide, {builder_.number(1), right.value});
    return builder_.make(builder_.is_random(left.value) ? Kind::scale : Kind::multiply, {factor, left.value});
}

std::optional<Expression> NumericRules::vector(std::span<Operand const> elements) {
    std::vector<Expression> values;
    for (auto const& element : elements) {
        if (!is_scalar(element, "an element of a vector"))
            return std::nullopt;
        values.push_back(element.value);
    }
    return builder_.make(Kind::vector, values);
}

std::optional<Expression> NumericRules::element(Operand const& vector, Operand const& index) {
    if (!is_number(index, "the index of an element"))
        return std::nullopt;
    if (!builder_.is_vector(vector.value)) {
        diagnostics_.error(vector.node->extent, "only a vector has elements");
        return std::nullopt;
    }
    return builder_.make(Kind::element, {vector.value, index.value});
}

// ---- conditions

std::optional<Condition> NumericRules::condition(Operand const& operand) {
    if (!is_scalar(operand, "a condition"))
        return std::nullopt;
    auto const value = operand.value;
    auto const& pool = builder_.pool();
    if (builder_.is_random(value)) {
        auto const parts = pool.operands(value);
        bool const is_bernoulli = pool.kind(value) == Kind::branch && builder_.constant(parts[1]) == 1.0 &&
                                  builder_.constant(parts[2]) == 0.0;
        if (is_bernoulli)
            return Condition{parts[0], true};
        check_condition(operand);
        return Condition{value, true};
    }
    auto const known = builder_.value_in_text(value);
    bool const is_probability = !is_logical(pool.kind(value)) && known && *known > 0 && *known < 1;
    if (!is_probability && pool.kind(value) == Kind::parameter) {
        auto const name = pool.name(value);
        diagnostics_.warning(
            operand.node->extent,
            "'" + name + "' is taken for true if it is not 0: here it has no value between 0 and 1",
            "write bernoulli(" + name + ") if it is a probability, " + name + " != 0 if it is a number");
    }
    return Condition{value, is_probability};
}

std::optional<Expression> NumericRules::choice(Condition const& condition, Operand const& then,
                                               std::optional<Operand> const& otherwise) {
    if (otherwise && !are_alike(then, *otherwise))
        return std::nullopt;
    auto const zero = builder_.number(0);
    auto const nothing = builder_.is_vector(then.value) ? builder_.make(Kind::vector, {zero}) : zero;
    auto const alternative = otherwise ? otherwise->value : nothing;
    if (condition.is_stochastic)
        return builder_.make(Kind::branch, {condition.value, then.value, alternative});
    if (auto const known = builder_.constant(condition.value))
        return *known != 0 ? then.value : alternative;
    return builder_.make(Kind::choose, {condition.value, then.value, alternative});
}

std::optional<Expression> NumericRules::helper(SyntaxNode const& call, Builtin builtin,
                                               std::span<Operand const> operands) {
    switch (builtin) {
        case Builtin::moments: return moments(call, operands);
        case Builtin::maximum: return extreme(Kind::maximum, operands);
        case Builtin::minimum: return extreme(Kind::minimum, operands);
        case Builtin::repeat: return repeated(operands[0], operands[1]);
        case Builtin::scale: return scaled(operands[0], operands[1]);
        case Builtin::branch: return renewal_branch(operands[0], operands[1]);
        case Builtin::bernoulli: return bernoulli(operands[0]);
        default: break;
    }
    for (auto const& operand : operands)
        if (!is_number(operand, "what '" + call.word + "' takes"))
            return std::nullopt;
    switch (builtin) {
        case Builtin::unitvec:
            if (!is_index(operands[0], "the index of a unit vector"))
                return std::nullopt;
            return builder_.make(Kind::unit_vector, {operands[0].value});
        case Builtin::deterministic: return operands[0].value;
        case Builtin::exponential:
        case Builtin::uniform:
        case Builtin::normal:
        case Builtin::erlang: return law(call, builtin, operands);
        default: return builder_.make(function_kind(builtin), {operands[0].value});
    }
}

std::optional<Expression> NumericRules::extreme(Kind kind, std::span<Operand const> operands) {
    std::vector<Expression> values;
    for (auto const& operand : operands) {
        if (!are_alike(operands[0], operand))
            return std::nullopt;
        if (kind == Kind::minimum && !is_number(operand, "what 'min' takes"))
            return std::nullopt;
        values.push_back(operand.value);
    }
    bool const is_of_vector = values.size() == 1 && builder_.is_vector(values[0]);
    if (is_of_vector && kind == Kind::maximum)
        return builder_.make(Kind::largest, values);
    return builder_.make(kind, values);
}

std::optional<Expression> NumericRules::repeated(Operand const& count, Operand const& time) {
    if (!is_scalar(count, "the count of 'repeat'"))
        return std::nullopt;
    bool const is_random = builder_.is_random(count.value) || builder_.is_random(time.value);
    if (is_random && !builder_.is_random(count.value))
        check_count(count);
    return builder_.make(is_random ? Kind::repeat : Kind::multiply, {count.value, time.value});
}

std::optional<Expression> NumericRules::scaled(Operand const& factor, Operand const& time) {
    if (!is_number(factor, "the factor of 'scale'"))
        return std::nullopt;
    return builder_.make(builder_.is_random(time.value) ? Kind::scale : Kind::multiply,
                         {factor.value, time.value});
}

}  // namespace parcast::pamela
