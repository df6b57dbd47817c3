#include "symbolic/notation/notation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "symbolic/notation/index_names.h"

namespace parcast::symbolic {

namespace {

enum class Strength : std::uint8_t { logical, comparison, sum, product, power, atom };

struct Operator {
    ExpressionKind kind;
    std::string_view text;
    Strength strength;
};

constexpr Operator operators[] = {
    {ExpressionKind::disjunction, " \\lor ", Strength::logical},
    {ExpressionKind::conjunction, " \\land ", Strength::logical},
    {ExpressionKind::less, " < ", Strength::comparison},
    {ExpressionKind::less_or_equal, " \\le ", Strength::comparison},
    {ExpressionKind::greater, " > ", Strength::comparison},
    {ExpressionKind::greater_or_equal, " \\ge ", Strength::comparison},
    {ExpressionKind::equal, " = ", Strength::comparison},
    {ExpressionKind::not_equal, " \\ne ", Strength::comparison},
    {ExpressionKind::multiply, " \\, ", Strength::product},
    {ExpressionKind::repeat, " \\ast ", Strength::product},
    {ExpressionKind::scale, " \\cdot ", Strength::product},
    {ExpressionKind::remainder, " \\bmod ", Strength::product},
};

struct Enclosure {
    ExpressionKind kind;
    std::string_view opening;
    std::string_view closing;
};

constexpr Enclosure enclosures[] = {
    {ExpressionKind::maximum, "\\max\\left(", "\\right)"},
    {ExpressionKind::minimum, "\\min\\left(", "\\right)"},
    {ExpressionKind::largest, "\\max\\left(", "\\right)"},
    {ExpressionKind::ceiling, "\\left\\lceil ", " \\right\\rceil"},
    {ExpressionKind::floor, "\\left\\lfloor ", " \\right\\rfloor"},
    {ExpressionKind::round, "\\operatorname{round}\\left(", "\\right)"},
    {ExpressionKind::absolute, "\\left| ", " \\right|"},
    {ExpressionKind::logarithm_2, "\\log_2\\left(", "\\right)"},
    {ExpressionKind::logarithm, "\\ln\\left(", "\\right)"},
    {ExpressionKind::exponential, "\\exp\\left(", "\\right)"},
    {ExpressionKind::square_root, "\\sqrt{", "}"},
    {ExpressionKind::unit_vector, "e_{", "}"},
    {ExpressionKind::moments, "\\mathcal{M}(", ")"},
    {ExpressionKind::vector, "\\left[", "\\right]"},
};

class Printer {
public:
    explicit Printer(ExpressionPool const& pool) : pool_(pool), names_(pool) {}

    std::string of(Expression expression, Strength least = Strength::logical) {
        auto const text = written(expression);
        return strength_of(expression) < least ? "\\left(" + text + "\\right)" : text;
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
        auto const found = std::ranges::find(operators, pool_.kind(expression), &Operator::kind);
        return found == std::end(operators) ? Strength::atom : found->strength;
    }

    std::string written(Expression expression) {
        auto const given = pool_.operands(expression);
        std::vector<Expression> const operands(given.begin(), given.end());
        switch (pool_.kind(expression)) {
            case ExpressionKind::number: return number(pool_.value(expression));
            case ExpressionKind::parameter: return latex_name(pool_.name(expression));
            case ExpressionKind::index: return latex_name(names_.of(pool_.bound_index(expression)));
            case ExpressionKind::add: return joined(operands, " + ", Strength::sum);
            case ExpressionKind::negate: return "-" + of(operands[0], Strength::product);
            case ExpressionKind::complement: return "\\lnot " + of(operands[0], Strength::atom);
            case ExpressionKind::divide: return "\\frac{" + of(operands[0]) + "}{" + of(operands[1]) + "}";
            case ExpressionKind::quotient:
                return "\\left\\lfloor \\frac{" + of(operands[0]) + "}{" + of(operands[1]) +
                       "} \\right\\rfloor";
            case ExpressionKind::power: return of(operands[0], Strength::atom) + "^{" + of(operands[1]) + "}";
            case ExpressionKind::element:
                return of(operands[0], Strength::atom) + "_{" + of(operands[1]) + "}";
            case ExpressionKind::sum_over: return loop("\\sum", expression, operands);
            case ExpressionKind::maximum_over: return loop("\\max", expression, operands);
            case ExpressionKind::choose:
            case ExpressionKind::branch: return cases(expression, operands);
            default: break;
        }
        if (auto const found = std::ranges::find(enclosures, pool_.kind(expression), &Enclosure::kind);
            found != std::end(enclosures))
            return std::string(found->opening) + joined(operands, ", ", Strength::logical) +
                   std::string(found->closing);
        auto const& sign = *std::ranges::find(operators, pool_.kind(expression), &Operator::kind);
        if (has_sign(expression)) {
            auto const factor = -pool_.value(operands[0]);
            return "-" + (factor == 1 ? "" : number(factor) + std::string(sign.text)) +
                   joined({operands.begin() + 1, operands.end()}, sign.text, Strength::product);
        }
        return joined(operands, sign.text,
                      sign.strength == Strength::product
                          ? Strength::product
                          : static_cast<Strength>(static_cast<int>(sign.strength) + 1));
    }

    std::string joined(std::vector<Expression> const& operands, std::string_view separator, Strength least) {
        std::string text;
        for (std::size_t place = 0; place < operands.size(); ++place)
            text += (place == 0 ? "" : std::string(separator)) + part(operands, place, least);
        // a + -b
        for (auto found = text.find("+ -"); found != std::string::npos; found = text.find("+ -"))
            text.replace(found, 3, "- ");
        return text;
    }

    std::string part(std::vector<Expression> const& operands, std::size_t place, Strength least) {
        bool const is_last = place + 1 == operands.size();
        bool const is_of_operators = least > Strength::logical;
        if (is_of_operators && !is_last && ends_in_loop(operands[place], least == Strength::product))
            return "\\left(" + written(operands[place]) + "\\right)";
        return of(operands[place], least);
    }

    std::string loop(std::string const& sign, Expression expression,
                     std::vector<Expression> const& operands) {
        auto const first = of(operands[0]);
        auto const last = of(operands[1]);
        auto const name = latex_name(names_.open(pool_.bound_index(expression)));
        auto const text =
            sign + "_{" + name + "=" + first + "}^{" + last + "} " + of(operands[2], Strength::product);
        names_.close();
        return text;
    }

    std::string cases(Expression expression, std::vector<Expression> const& operands) {
        auto const condition = of(operands[0]);
        auto const when = pool_.kind(expression) == ExpressionKind::branch
                              ? "\\text{with probability } " + condition
                              : "\\text{if } " + condition;
        return "\\begin{cases} " + of(operands[1]) + " & " + when + " \\\\ " + of(operands[2]) +
               " & \\text{otherwise} \\end{cases}";
    }

    // 1e+30: 10^{30}.
    static std::string number(double value) {
        auto text = number_notation(value, Digits::ten);
        auto const exponent = text.find('e');
        if (exponent == std::string::npos)
            return text;
        auto const power = std::stoi(text.substr(exponent + 1));
        return text.substr(0, exponent) + " \\cdot 10^{" + std::to_string(power) + "}";
    }

    ExpressionPool const& pool_;
    IndexNames names_;
};

std::string escaped(std::string_view text) {
    std::string result;
    for (char const letter : text)
        result += letter == '_' ? std::string("\\_") : std::string(1, letter);
    return result;
}

}  // namespace

std::string latex_of(ExpressionPool const& pool, Expression expression) {
    return Printer(pool).of(expression);
}

std::string latex_name(std::string_view name) {
    if (name.size() == 1)
        return std::string(name);
    auto const cut = name.find('_');
    bool const is_indexed = cut != std::string_view::npos && cut > 0 && cut + 1 < name.size();
    if (!is_indexed)
        return "\\mathrm{" + escaped(name) + "}";
    auto head = std::string(name.substr(0, cut));
    bool const is_greek = head == "phi" || head == "delta" || head == "omega";
    head = is_greek ? "\\" + head : latex_name(head);
    return head + "_{" + "\\mathrm{" + escaped(name.substr(cut + 1)) + "}}";
}

}  // namespace parcast::symbolic
