#include "symbolic/notation/notation.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "symbolic/notation/index_names.h"

namespace parcast::symbolic {

namespace {

// How strongly an operator holds its operands together; what holds less stands in parentheses.
enum class Strength : std::uint8_t {
    disjunction,
    conjunction,
    complement,
    comparison,
    sum,
    product,
    sign,
    power,
    postfix,
};

Strength stronger(Strength strength) {
    return static_cast<Strength>(static_cast<std::uint8_t>(strength) + 1);
}

struct Operator {
    ExpressionKind kind;
    std::string_view text;
    Strength strength;
};

constexpr Operator operators[] = {
    {ExpressionKind::disjunction, " or ", Strength::disjunction},
    {ExpressionKind::conjunction, " and ", Strength::conjunction},
    {ExpressionKind::less, " < ", Strength::comparison},
    {ExpressionKind::less_or_equal, " <= ", Strength::comparison},
    {ExpressionKind::greater, " > ", Strength::comparison},
    {ExpressionKind::greater_or_equal, " >= ", Strength::comparison},
    {ExpressionKind::equal, " == ", Strength::comparison},
    {ExpressionKind::not_equal, " != ", Strength::comparison},
    {ExpressionKind::add, " + ", Strength::sum},
    {ExpressionKind::multiply, " * ", Strength::product},
    {ExpressionKind::repeat, " * ", Strength::product},
    {ExpressionKind::divide, " / ", Strength::product},
    {ExpressionKind::quotient, " div ", Strength::product},
    {ExpressionKind::remainder, " mod ", Strength::product},
    {ExpressionKind::power, "^", Strength::power},
};

struct Function {
    ExpressionKind kind;
    std::string_view name;
};

constexpr Function functions[] = {
    {ExpressionKind::maximum, "max"},         {ExpressionKind::minimum, "min"},
    {ExpressionKind::ceiling, "ceil"},        {ExpressionKind::floor, "floor"},
    {ExpressionKind::round, "round"},         {ExpressionKind::absolute, "abs"},
    {ExpressionKind::logarithm_2, "log2"},    {ExpressionKind::logarithm, "log"},
    {ExpressionKind::exponential, "exp"},     {ExpressionKind::square_root, "sqrt"},
    {ExpressionKind::unit_vector, "unitvec"}, {ExpressionKind::largest, "max"},
    {ExpressionKind::scale, "scale"},         {ExpressionKind::moments, "moments"},
};

class Printer {
public:
    Printer(ExpressionPool const& pool, Digits digits) : pool_(pool), digits_(digits), names_(pool) {}

    std::string printed(Expression expression) {
        write(expression, Strength::disjunction);
        return std::move(text_);
    }

private:
    std::vector<Expression> operands_of(Expression expression) const {
        auto const operands = pool_.operands(expression);
        return {operands.begin(), operands.end()};
    }

    bool is_number(Expression expression, double value) const {
        return pool_.kind(expression) == ExpressionKind::number && pool_.value(expression) == value;
    }

    // A term that a sum takes away: its number is below 0.
    bool is_negative(Expression expression) const {
        auto const kind = pool_.kind(expression);
        if (kind == ExpressionKind::number)
            return pool_.value(expression) < 0;
        if (kind == ExpressionKind::negate)
            return true;
        bool const is_product = kind == ExpressionKind::multiply || kind == ExpressionKind::divide;
        return is_product && is_negative(pool_.operands(expression).front());
    }

    Strength strength_of(Expression expression) const {
        auto const kind = pool_.kind(expression);
        if (is_negative(expression))
            return kind == ExpressionKind::number || kind == ExpressionKind::negate ? Strength::sign
                                                                                    : Strength::product;
        if (kind == ExpressionKind::complement)
            return Strength::complement;
        if (is_reciprocal_scale(expression))
            return Strength::product;
        if (is_random_sum(expression))
            return Strength::postfix;
        auto const found = std::ranges::find(operators, kind, &Operator::kind);
        bool const is_single = found != std::end(operators) && pool_.operands(expression).size() == 1;
        if (is_single)
            return strength_of(pool_.operands(expression).front());
        return found != std::end(operators) ? found->strength : Strength::postfix;
    }

    // scale(1 / m, X): X / m.
    bool is_reciprocal_scale(Expression expression) const {
        if (pool_.kind(expression) != ExpressionKind::scale)
            return false;
        auto const factor = pool_.operands(expression)[0];
        return pool_.kind(factor) == ExpressionKind::divide && is_number(pool_.operands(factor)[0], 1);
    }

    // `N * 3` with a random N would be read as the sum of three N: the number of a product is the count.
    bool is_random_sum(Expression expression) const {
        return pool_.kind(expression) == ExpressionKind::repeat &&
               pool_.is_random(pool_.operands(expression)[0]);
    }

    void write(Expression expression, Strength least) {
        bool const needs_brackets = strength_of(expression) < least;
        text_ += needs_brackets ? "(" : "";
        write(expression);
        text_ += needs_brackets ? ")" : "";
    }

    void write(Expression expression) {
        switch (pool_.kind(expression)) {
            case ExpressionKind::number: text_ += number_notation(pool_.value(expression), digits_); return;
            case ExpressionKind::parameter: text_ += pool_.name(expression); return;
            case ExpressionKind::index: text_ += names_.of(pool_.bound_index(expression)); return;
            case ExpressionKind::add: sum(expression); return;
            case ExpressionKind::negate:
                text_ += "-";
                write(pool_.operands(expression)[0], Strength::sign);
                return;
            case ExpressionKind::complement:
                text_ += "not ";
                write(pool_.operands(expression)[0], Strength::complement);
                return;
            case ExpressionKind::moments: list("moments(", operands_of(expression), ",", ")"); return;
            case ExpressionKind::vector: list("[", operands_of(expression), ", ", "]"); return;
            case ExpressionKind::choose:
            case ExpressionKind::branch: condition(expression); return;
            case ExpressionKind::sum_over: loop("sum", expression); return;
            case ExpressionKind::maximum_over: loop("max", expression); return;
            case ExpressionKind::element:
                write(pool_.operands(expression)[0], Strength::postfix);
                list("[", {pool_.operands(expression)[1]}, "", "]");
                return;
            default: break;
        }
        if (is_reciprocal_scale(expression))
            reciprocal_scale(expression);
        else if (is_random_sum(expression))
            list("repeat(", operands_of(expression), ", ", ")");
        else if (auto const found = std::ranges::find(functions, pool_.kind(expression), &Function::kind);
                 found != std::end(functions))
            list(std::string(found->name) + "(", operands_of(expression), ", ", ")");
        else
            infix(expression);
    }

    void list(std::string const& opening, std::vector<Expression> const& operands, std::string_view separator,
              std::string_view closing) {
        text_ += opening;
        for (std::size_t position = 0; position < operands.size(); ++position) {
            text_ += position == 0 ? "" : separator;
            write(operands[position], Strength::disjunction);
        }
        text_ += closing;
    }

    void sum(Expression expression) {
        auto const terms = operands_of(expression);
        for (std::size_t position = 0; position < terms.size(); ++position) {
            bool const is_taken_away = position > 0 && is_negative(terms[position]);
            if (position > 0)
                text_ += is_taken_away ? " - " : " + ";
            if (is_taken_away)
                without_sign(terms[position]);
            else
                write(terms[position], Strength::product);
        }
    }

    // -c x y: c x y
    void without_sign(Expression expression) {
        auto const operands = operands_of(expression);
        switch (pool_.kind(expression)) {
            case ExpressionKind::number: text_ += number_notation(-pool_.value(expression), digits_); return;
            case ExpressionKind::negate: write(operands[0], Strength::product); return;
            default: break;
        }
        bool const is_product = pool_.kind(expression) == ExpressionKind::multiply;
        bool const is_dropped = is_product && is_number(operands[0], -1);
        if (!is_dropped)
            without_sign(operands[0]);
        for (std::size_t position = 1; position < operands.size(); ++position) {
            text_ += is_dropped && position == 1 ? "" : is_product ? " * " : " / ";
            write(operands[position], Strength::sign);
        }
    }

    // To the left, powers to the right, comparisons to neither side.
    void infix(Expression expression) {
        auto const operands = operands_of(expression);
        auto const& sign = *std::ranges::find(operators, pool_.kind(expression), &Operator::kind);
        if (is_negative(expression) && sign.kind == ExpressionKind::multiply && is_number(operands[0], -1)) {
            text_ += "-";
            without_sign(expression);
            return;
        }
        bool const leans_left = sign.strength == Strength::product ||
                                sign.strength == Strength::conjunction ||
                                sign.strength == Strength::disjunction;
        auto const above = stronger(sign.strength);
        for (std::size_t position = 0; position < operands.size(); ++position) {
            bool const is_first = position == 0;
            text_ += is_first ? "" : sign.text;
            if (sign.kind == ExpressionKind::power)
                write(operands[position], is_first ? Strength::postfix : Strength::sign);
            else
                write(operands[position], is_first && leans_left ? sign.strength : above);
        }
    }

    void reciprocal_scale(Expression expression) {
        auto const operands = operands_of(expression);
        write(operands[1], Strength::product);
        text_ += " / ";
        write(pool_.operands(operands[0])[1], Strength::sign);
    }

    void condition(Expression expression) {
        auto const operands = operands_of(expression);
        bool const is_probability =
            pool_.kind(expression) == ExpressionKind::branch && !pool_.is_random(operands[0]);
        text_ += is_probability ? "if (bernoulli(" : "if (";
        write(operands[0], Strength::disjunction);
        text_ += is_probability ? ")) { " : ") { ";
        write(operands[1], Strength::disjunction);
        text_ += " } else { ";
        write(operands[2], Strength::disjunction);
        text_ += " }";
    }

    void loop(std::string_view keyword, Expression expression) {
        auto const operands = operands_of(expression);
        auto const index = pool_.bound_index(expression);
        text_ += keyword;
        text_ += " (";
        auto const place = text_.size();
        text_ += " = ";
        write(operands[0], Strength::disjunction);
        text_ += ", ";
        write(operands[1], Strength::disjunction);
        text_ += ") { ";
        auto const named = names_.open(index);
        text_.insert(place, named);
        write(operands[2], Strength::disjunction);
        names_.close();
        text_ += " }";
    }

    ExpressionPool const& pool_;
    Digits digits_;
    IndexNames names_;
    std::string text_;
};

}  // namespace

std::string text_of(ExpressionPool const& pool, Expression expression, Digits digits) {
    return Printer(pool, digits).printed(expression);
}

}  // namespace parcast::symbolic
