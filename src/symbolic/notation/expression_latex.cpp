#include <string>
#include <string_view>

#include "symbolic/notation/notation.h"
#include "symbolic/notation/typeset.h"

namespace parcast::symbolic {

namespace {

struct Latex {
    static constexpr InfixOperator operators[] = {
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

    static constexpr Enclosure enclosures[] = {
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

    static constexpr std::string_view plus = " + ";
    static constexpr std::string_view minus = "-";
    static constexpr std::string_view comma = ", ";
    static constexpr std::string_view complement = "\\lnot ";
    static constexpr std::string_view plus_minus = "+ -";
    static constexpr std::string_view difference = "- ";

    // 1e+30: 10^{30}.
    static std::string number(double value) {
        auto const text = number_notation(value, Digits::ten);
        auto const exponent = text.find('e');
        if (exponent == std::string::npos)
            return text;
        auto const power = std::stoi(text.substr(exponent + 1));
        return text.substr(0, exponent) + " \\cdot 10^{" + std::to_string(power) + "}";
    }

    static std::string name(std::string_view name) { return latex_name(name); }
    static std::string brackets(std::string const& text) { return "\\left(" + text + "\\right)"; }
    static std::string fraction(std::string const& above, std::string const& below) {
        return "\\frac{" + above + "}{" + below + "}";
    }
    static std::string rounded_down(std::string const& text) {
        return "\\left\\lfloor " + text + " \\right\\rfloor";
    }
    static std::string power(std::string const& base, std::string const& exponent) {
        return base + "^{" + exponent + "}";
    }
    static std::string element(std::string const& vector, std::string const& index) {
        return vector + "_{" + index + "}";
    }
    static std::string loop(ExpressionKind kind, std::string const& index, std::string const& first,
                            std::string const& last) {
        auto const* const sign = kind == ExpressionKind::sum_over ? "\\sum" : "\\max";
        return sign + ("_{" + index + "=" + first + "}^{" + last + "} ");
    }
    static std::string cases(std::string const& condition, bool is_probability, std::string const& then,
                             std::string const& otherwise) {
        auto const when = (is_probability ? "\\text{with probability } " : "\\text{if } ") + condition;
        return "\\begin{cases} " + then + " & " + when + " \\\\ " + otherwise +
               " & \\text{otherwise} \\end{cases}";
    }
};

std::string escaped(std::string_view text) {
    std::string result;
    for (char const letter : text)
        result += letter == '_' ? std::string("\\_") : std::string(1, letter);
    return result;
}

}  // namespace

std::string latex_of(ExpressionPool const& pool, Expression expression) {
    return TypesetExpression<Latex>(pool).of(expression);
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
