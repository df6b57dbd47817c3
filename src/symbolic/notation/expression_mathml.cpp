#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "symbolic/notation/notation.h"
#include "symbolic/notation/typeset.h"

namespace parcast::symbolic {

namespace {

// Presentation elements of MathML Core (W3C), which browsers draw by themselves.
struct MathMl {
    static constexpr InfixOperator operators[] = {
        {ExpressionKind::disjunction, "<mo>∨</mo>", Strength::logical},
        {ExpressionKind::conjunction, "<mo>∧</mo>", Strength::logical},
        {ExpressionKind::less, "<mo>&lt;</mo>", Strength::comparison},
        {ExpressionKind::less_or_equal, "<mo>≤</mo>", Strength::comparison},
        {ExpressionKind::greater, "<mo>&gt;</mo>", Strength::comparison},
        {ExpressionKind::greater_or_equal, "<mo>≥</mo>", Strength::comparison},
        {ExpressionKind::equal, "<mo>=</mo>", Strength::comparison},
        {ExpressionKind::not_equal, "<mo>≠</mo>", Strength::comparison},
        {ExpressionKind::multiply, "<mspace width=\"0.17em\"/>", Strength::product},
        {ExpressionKind::repeat, "<mo>∗</mo>", Strength::product},
        {ExpressionKind::scale, "<mo>·</mo>", Strength::product},
        {ExpressionKind::remainder, "<mo lspace=\"0.3em\" rspace=\"0.3em\">mod</mo>", Strength::product},
    };

    static constexpr Enclosure enclosures[] = {
        {ExpressionKind::maximum, "<mrow><mi>max</mi><mo>(</mo>", "<mo>)</mo></mrow>"},
        {ExpressionKind::minimum, "<mrow><mi>min</mi><mo>(</mo>", "<mo>)</mo></mrow>"},
        {ExpressionKind::largest, "<mrow><mi>max</mi><mo>(</mo>", "<mo>)</mo></mrow>"},
        {ExpressionKind::ceiling, "<mrow><mo>⌈</mo>", "<mo>⌉</mo></mrow>"},
        {ExpressionKind::floor, "<mrow><mo>⌊</mo>", "<mo>⌋</mo></mrow>"},
        {ExpressionKind::round, "<mrow><mi>round</mi><mo>(</mo>", "<mo>)</mo></mrow>"},
        {ExpressionKind::absolute, "<mrow><mo form=\"prefix\">|</mo>", "<mo form=\"postfix\">|</mo></mrow>"},
        {ExpressionKind::logarithm_2, "<mrow><msub><mi>log</mi><mn>2</mn></msub><mo>(</mo>",
         "<mo>)</mo></mrow>"},
        {ExpressionKind::logarithm, "<mrow><mi>ln</mi><mo>(</mo>", "<mo>)</mo></mrow>"},
        {ExpressionKind::exponential, "<mrow><mi>exp</mi><mo>(</mo>", "<mo>)</mo></mrow>"},
        {ExpressionKind::square_root, "<msqrt>", "</msqrt>"},
        {ExpressionKind::unit_vector, "<msub><mi>e</mi><mrow>", "</mrow></msub>"},
        {ExpressionKind::moments, "<mrow><mi>ℳ</mi><mo>(</mo>", "<mo>)</mo></mrow>"},
        {ExpressionKind::vector, "<mrow><mo>[</mo>", "<mo>]</mo></mrow>"},
    };

    static constexpr std::string_view plus = "<mo>+</mo>";
    static constexpr std::string_view minus = "<mo>−</mo>";
    static constexpr std::string_view comma = "<mo separator=\"true\">,</mo>";
    static constexpr std::string_view complement = "<mo>¬</mo>";
    static constexpr std::string_view plus_minus = "<mo>+</mo><mo>−</mo>";
    static constexpr std::string_view difference = minus;

    static std::string row(std::string const& text) { return "<mrow>" + text + "</mrow>"; }

    static std::string number(double value) {
        auto text = number_notation(value, Digits::ten);
        std::string const sign = text.starts_with('-') ? std::string(minus) : std::string();
        text.erase(0, sign.empty() ? 0 : 1);
        auto const exponent = text.find('e');
        if (exponent == std::string::npos)
            return sign + "<mn>" + text + "</mn>";
        auto const power = std::stoi(text.substr(exponent + 1));
        return sign + "<mn>" + text.substr(0, exponent) + "</mn><mo>·</mo><msup><mn>10</mn><mrow>" +
               (power < 0 ? std::string(minus) : "") + "<mn>" + std::to_string(std::abs(power)) +
               "</mn></mrow></msup>";
    }

    static std::string name(std::string_view name) { return mathml_name(name); }
    static std::string brackets(std::string const& text) { return row("<mo>(</mo>" + text + "<mo>)</mo>"); }
    static std::string fraction(std::string const& above, std::string const& below) {
        return "<mfrac>" + row(above) + row(below) + "</mfrac>";
    }
    static std::string rounded_down(std::string const& text) {
        return row("<mo>⌊</mo>" + text + "<mo>⌋</mo>");
    }
    static std::string power(std::string const& base, std::string const& exponent) {
        return "<msup>" + row(base) + row(exponent) + "</msup>";
    }
    static std::string element(std::string const& vector, std::string const& index) {
        return "<msub>" + row(vector) + row(index) + "</msub>";
    }
    static std::string loop(ExpressionKind kind, std::string const& index, std::string const& first,
                            std::string const& last) {
        auto const* const sign = kind == ExpressionKind::sum_over
                                     ? "<mo movablelimits=\"false\">∑</mo>"
                                     : "<mo movablelimits=\"false\" rspace=\"0.3em\">max</mo>";
        return "<munderover>" + (sign + row(index + "<mo>=</mo>" + first)) + row(last) + "</munderover>";
    }
    static std::string cases(std::string const& condition, bool is_probability, std::string const& then,
                             std::string const& otherwise) {
        auto const* const when =
            is_probability ? "with probability&#xA0;" : "if&#xA0;";  // other blanks are not drawn
        auto const line = [](std::string const& value, std::string const& where) {
            return "<mtr><mtd>" + row(value) + "</mtd><mtd>" + where + "</mtd></mtr>";
        };
        return "<mrow><mo>{</mo><mtable>" + line(then, row(words(when) + condition)) +
               line(otherwise, words("otherwise")) + "</mtable></mrow>";
    }
    static std::string words(std::string const& text) { return "<mtext>" + text + "</mtext>"; }
};

// Names of the language are letters, digits and "_"; those of other texts may hold anything.
std::string escaped(std::string_view text) {
    std::string result;
    for (char const letter : text) {
        switch (letter) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            default: result += letter;
        }
    }
    return result;
}

// One letter is drawn slanted, a word upright.
std::string identifier(std::string_view name) {
    constexpr std::pair<std::string_view, std::string_view> greek[] = {
        {"phi", "φ"}, {"delta", "δ"}, {"omega", "ω"}};
    auto const found = std::ranges::find(greek, name, &std::pair<std::string_view, std::string_view>::first);
    return "<mi>" + (found == std::end(greek) ? escaped(name) : std::string(found->second)) + "</mi>";
}

}  // namespace

std::string mathml_of(ExpressionPool const& pool, Expression expression) {
    return TypesetExpression<MathMl>(pool).of(expression);
}

std::string mathml_name(std::string_view name) {
    auto const cut = name.find('_');
    bool const is_indexed = cut != std::string_view::npos && cut > 0 && cut + 1 < name.size();
    if (!is_indexed)
        return "<mi>" + escaped(name) + "</mi>";
    return "<msub>" + identifier(name.substr(0, cut)) + "<mi mathvariant=\"normal\">" +
           escaped(name.substr(cut + 1)) + "</mi></msub>";
}

std::string mathml_equation(ExpressionPool const& pool, std::string_view name, Expression value) {
    return "<math display=\"block\"><mrow>" + mathml_name(name) + "<mo>=</mo>" + mathml_of(pool, value) +
           "</mrow></math>";
}

}  // namespace parcast::symbolic
