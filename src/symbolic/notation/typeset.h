// Expressions as mathematics in two dimensions: where brackets must stand, written once for every markup
// language. A markup gives the signs and the layouts; its texts are joined without anything between them.
//
// Private to expression_latex.cpp and expression_mathml.cpp.

#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "symbolic/notation/index_names.h"
#include "symbolic/notation/notation.h"

namespace parcast::symbolic {

// How tightly what is written holds together, the loosest first.
enum class Strength : std::uint8_t { logical, comparison, sum, product, power, atom };

struct InfixOperator {
    ExpressionKind kind;
    std::string_view sign;
    Strength strength;
};

struct Enclosure {
    ExpressionKind kind;
    std::string_view opening;
    std::string_view closing;
};

template <class Markup>
concept TypesetMarkup = requires(double number, std::string_view name, std::string const& text) {
    { Markup::number(number) } -> std::same_as<std::string>;
    { Markup::name(name) } -> std::same_as<std::string>;
    { Markup::brackets(text) } -> std::same_as<std::string>;
    { Markup::fraction(text, text) } -> std::same_as<std::string>;
    { Markup::rounded_down(text) } -> std::same_as<std::string>;
    { Markup::power(text, text) } -> std::same_as<std::string>;
    { Markup::element(text, text) } -> std::same_as<std::string>;
    { Markup::loop(ExpressionKind::sum_over, text, text, text) } -> std::same_as<std::string>;
    // (condition, whether that is a probability, then, otherwise)
    { Markup::cases(text, true, text, text) } -> std::same_as<std::string>;
};

template <TypesetMarkup Markup>
class TypesetExpression {
public:
    explicit TypesetExpression(ExpressionPool const& pool) : pool_(pool), names_(pool) {}

    std::string of(Expression expression, Strength least = Strength::logical) {
        auto const text = written(expression);
        return strength_of(expression) < least ? Markup::brackets(text) : text;
    }

private:
    bool is_negative_number(Expression expression) const {
        return pool_.kind(expression) == ExpressionKind::number && pool_.value(expression) < 0;
    }

    // In a product such as -2 N the sign is that of the whole.
    bool has_sign(Expression expression) const {
        return pool_.kind(expression) == ExpressionKind::multiply &&
               is_negative_number(pool_.operands(expression)[0]);
    }

    // Whether what is written behind it would be read as a part of the body of a loop in it: of a maximum
    // whatever follows, unless the body has brackets and what follows is no factor; of a sum a factor.
    bool ends_in_loop(Expression expression, bool is_factor) const {
        switch (pool_.kind(expression)) {
            case ExpressionKind::maximum_over:
                return is_factor || strength_of(pool_.operands(expression)[2]) >= Strength::product;
            case ExpressionKind::sum_over: return is_factor;
            case ExpressionKind::multiply:
            case ExpressionKind::repeat:
            case ExpressionKind::scale:
            case ExpressionKind::negate: return ends_in_loop(pool_.operands(expression).back(), is_factor);
            default: return false;
        }
    }

    static InfixOperator const* infix(ExpressionKind kind) {
        auto const found = std::ranges::find(Markup::operators, kind, &InfixOperator::kind);
        return found == std::end(Markup::operators) ? nullptr : &*found;
    }

    Strength strength_of(Expression expression) const {
        if (has_sign(expression))
            return Strength::sum;
        switch (pool_.kind(expression)) {
            case ExpressionKind::number: return pool_.value(expression) < 0 ? Strength::sum : Strength::atom;
            case ExpressionKind::add:
            case ExpressionKind::negate: return Strength::sum;
            case ExpressionKind::sum_over:
            case ExpressionKind::maximum_over: return Strength::product;
            case ExpressionKind::power: return Strength::power;
            case ExpressionKind::complement: return Strength::logical;
            default: break;
        }
        auto const* const found = infix(pool_.kind(expression));
        return found == nullptr ? Strength::atom : found->strength;
    }

    std::string written(Expression expression) {
        auto const given = pool_.operands(expression);
        std::vector<Expression> const operands(given.begin(), given.end());
        auto const kind = pool_.kind(expression);
        switch (kind) {
            case ExpressionKind::number: return Markup::number(pool_.value(expression));
            case ExpressionKind::parameter: return Markup::name(pool_.name(expression));
            case ExpressionKind::index: return Markup::name(names_.of(pool_.bound_index(expression)));
            case ExpressionKind::add: return joined(operands, Markup::plus, Strength::sum);
            case ExpressionKind::negate:
                return std::string(Markup::minus) + of(operands[0], Strength::product);
            case ExpressionKind::complement:
                return std::string(Markup::complement) + of(operands[0], Strength::atom);
            case ExpressionKind::divide: return Markup::fraction(of(operands[0]), of(operands[1]));
            case ExpressionKind::quotient:
                return Markup::rounded_down(Markup::fraction(of(operands[0]), of(operands[1])));
            case ExpressionKind::power:
                return Markup::power(of(operands[0], Strength::atom), of(operands[1]));
            case ExpressionKind::element:
                return Markup::element(of(operands[0], Strength::atom), of(operands[1]));
            case ExpressionKind::sum_over:
            case ExpressionKind::maximum_over: return loop(expression, operands);
            case ExpressionKind::choose:
            case ExpressionKind::branch:
                return Markup::cases(of(operands[0]), kind == ExpressionKind::branch, of(operands[1]),
                                     of(operands[2]));
            default: break;
        }
        if (auto const found = std::ranges::find(Markup::enclosures, kind, &Enclosure::kind);
            found != std::end(Markup::enclosures))
            return std::string(found->opening) + joined(operands, Markup::comma, Strength::logical) +
                   std::string(found->closing);
        auto const& [_, sign, strength] = *infix(kind);
        if (has_sign(expression)) {
            auto const factor = -pool_.value(operands[0]);
            return std::string(Markup::minus) +
                   (factor == 1 ? "" : Markup::number(factor) + std::string(sign)) +
                   joined({operands.begin() + 1, operands.end()}, sign, Strength::product);
        }
        return joined(operands, sign,
                      strength == Strength::product ? Strength::product
                                                    : static_cast<Strength>(static_cast<int>(strength) + 1));
    }

    std::string joined(std::vector<Expression> const& operands, std::string_view separator, Strength least) {
        std::string text;
        for (std::size_t place = 0; place < operands.size(); ++place)
            text += (place == 0 ? "" : std::string(separator)) + part(operands, place, least);
        // a + -b
        constexpr auto plus_minus = Markup::plus_minus;
        for (auto found = text.find(plus_minus); found != std::string::npos; found = text.find(plus_minus))
            text.replace(found, plus_minus.size(), Markup::difference);
        return text;
    }

    std::string part(std::vector<Expression> const& operands, std::size_t place, Strength least) {
        bool const is_last = place + 1 == operands.size();
        bool const is_of_operators = least > Strength::logical;
        if (is_of_operators && !is_last && ends_in_loop(operands[place], least == Strength::product))
            return Markup::brackets(written(operands[place]));
        return of(operands[place], least);
    }

    std::string loop(Expression expression, std::vector<Expression> const& operands) {
        auto const first = of(operands[0]);
        auto const last = of(operands[1]);
        auto const name = Markup::name(names_.open(pool_.bound_index(expression)));
        auto text = Markup::loop(pool_.kind(expression), name, first, last);
        text += of(operands[2], Strength::product);
        names_.close();
        return text;
    }

    ExpressionPool const& pool_;
    IndexNames names_;
};

}  // namespace parcast::symbolic
