#include "contract/assertion.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "answer/finding.h"
#include "answer/limit.h"
#include "core/leading_number.h"
#include "core/listed.h"
#include "core/suggestion.h"
#include "core/time_unit.h"

namespace parcast::contract {

namespace {

constexpr double most_cpus = 65536;      // as in machine.h
constexpr double most_time_ns = 9.2e18;  // below the end of Duration, rounded or not

enum class TokenKind : std::uint8_t { word, number, text, sign, end };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string text;  // of a text without its quotes
    std::size_t begin = 0;
    std::size_t end = 0;
};

struct RelationSign {
    std::string_view sign;
    Relation comparison;
};
// Longer ones first.
constexpr std::array<RelationSign, 8> relation_signs{{{"<=", Relation::at_most},
                                                      {">=", Relation::at_least},
                                                      {"==", Relation::equal},
                                                      {"!=", Relation::not_equal},
                                                      {"<", Relation::less},
                                                      {">", Relation::more},
                                                      {"=", Relation::equal},
                                                      {"excludes", Relation::excludes}}};

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Reads one assertion and keeps the first fault.
class Parser {
public:
    Parser(std::string_view text, SourcePosition place) : text_(text), place_(std::move(place)) { advance(); }

    Read<Assertion> parse() {
        Assertion assertion;
        assertion.text = std::string(text_);
        assertion.place = place_;
        if (!read_call(assertion) || !read_comparison(assertion) || !read_value(assertion))
            return tl::unexpected(std::move(*fault_));
        if (next_.kind != TokenKind::end) {
            complain(next_, ErrorCode::malformed, "the assertion is complete before this",
                     "Write one assertion, such as " + std::string(row_of(assertion.function).example) + ".");
            return tl::unexpected(std::move(*fault_));
        }
        return assertion;
    }

private:
    bool complain(Token const& at, ErrorCode code, std::string message, std::string advice) {
        if (fault_)
            return false;
        auto const begin = std::min(at.begin, text_.size());
        auto const column = static_cast<std::uint32_t>(begin + 1);
        auto const length = std::max<std::size_t>(1, std::min(at.end, text_.size()) - begin);
        SourcePosition position = place_;
        position.column = place_.column.value_or(1) + column - 1;
        fault_ = Fault{Error{code, std::move(message), std::move(position), std::move(advice)},
                       std::string(text_), column, static_cast<std::uint32_t>(length)};
        return false;
    }

    void advance() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
        next_ = {TokenKind::end, "", at_, at_ + 1};
        if (at_ == text_.size())
            return;
        char const first = text_[at_];
        if (first == '"' || first == '\'')
            return take_text(first);
        if (is_letter(first))
            return take_while(TokenKind::word, [](char c) { return is_letter(c) || is_digit(c); });
        if (is_digit(first) || first == '.' || first == '-')
            return take_number();
        for (auto const& [sign, comparison] : relation_signs)
            if (text_.substr(at_).starts_with(sign))
                return take(TokenKind::sign, sign.size());
        take(TokenKind::sign, 1);
    }

    void take(TokenKind kind, std::size_t length) {
        next_ = {kind, std::string(text_.substr(at_, length)), at_, at_ + length};
        at_ += length;
    }

    template <class Belongs>
    void take_while(TokenKind kind, Belongs belongs) {
        auto const end =
            std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), belongs);
        take(kind, static_cast<std::size_t>(end - text_.begin()) - at_);
    }

    // The part of the text that is a number; "120ms" is followed by a word.
    void take_number() {
        auto end = at_ + (text_[at_] == '-' ? 1 : 0);
        while (end < text_.size() && (is_digit(text_[end]) || text_[end] == '.'))
            ++end;
        bool const has_exponent =
            end + 1 < text_.size() && (text_[end] == 'e' || text_[end] == 'E') &&
            (is_digit(text_[end + 1]) || text_[end + 1] == '-' || text_[end + 1] == '+');
        if (has_exponent)
            for (end += 2; end < text_.size() && is_digit(text_[end]);)
                ++end;
        take(TokenKind::number, end - at_);
    }

    void take_text(char quote) {
        auto const end = text_.find(quote, at_ + 1);
        Token token{TokenKind::text, "", at_, text_.size()};
        if (end == std::string_view::npos) {
            complain(token, ErrorCode::malformed, std::string("the text has no closing ") + quote,
                     "Close the quotes.");
            at_ = text_.size();
        } else {
            token.text = std::string(text_.substr(at_ + 1, end - at_ - 1));
            token.end = at_ = end + 1;
        }
        next_ = std::move(token);
    }

    bool expect(std::string_view sign, std::string const& advice) {
        if (next_.kind != TokenKind::sign || next_.text != sign)
            return complain(next_, ErrorCode::malformed, fmt::format("here must be \"{}\"", sign), advice);
        advance();
        return true;
    }

    static std::string such_as(ContractFunction function) {
        return "Such as: " + std::string(row_of(function).example);
    }

    bool read_call(Assertion& assertion) {
        std::vector<std::string_view> names;
        for (auto const& row : contract_functions)
            names.push_back(row.name);
        if (next_.kind != TokenKind::word)
            return complain(next_, ErrorCode::malformed, "an assertion begins with " + listed(names, " or "),
                            such_as(ContractFunction::speed_up));
        auto const row =
            std::ranges::find(contract_functions, std::string_view(next_.text), &ContractFunctionRow::name);
        if (row == contract_functions.end()) {
            auto const meant = nearest(next_.text, names);
            return complain(
                next_, ErrorCode::unsupported, fmt::format("there is no function \"{}\"", next_.text),
                meant ? "Did you mean: " + std::string(*meant) : "There are " + listed(names, " and ") + ".");
        }
        assertion.function = row->function;
        advance();
        auto const advice = such_as(row->function);
        if (!row->has_cpus)
            return true;
        if (!expect("(", advice))
            return false;
        if (row->has_name && !(read_name(assertion, advice) && expect(",", advice)))
            return false;
        return read_cpus(assertion, advice) && expect(")", advice);
    }

    // A text, or all up to the comma.
    bool read_name(Assertion& assertion, std::string const& advice) {
        if (fault_)
            return false;
        if (next_.kind == TokenKind::text) {
            assertion.name = next_.text;
            if (assertion.name.empty())
                return complain(next_, ErrorCode::malformed, "the name is empty", advice);
            advance();
            return true;
        }
        auto const comma = text_.find(',', next_.begin);
        auto name = text_.substr(next_.begin, comma == std::string_view::npos ? comma : comma - next_.begin);
        while (name.ends_with(' '))
            name.remove_suffix(1);
        if (name.empty() || comma == std::string_view::npos)
            return complain(next_, ErrorCode::malformed, "a name and a comma must be here", advice);
        assertion.name = std::string(name);
        at_ = comma;
        advance();
        return true;
    }

    bool read_cpus(Assertion& assertion, std::string const& advice) {
        auto const number = next_.kind == TokenKind::number ? number_in<double>(next_.text) : std::nullopt;
        if (!number)
            return complain(next_, ErrorCode::malformed, "here must be a number of CPUs", advice);
        if (*number < 1 || *number > most_cpus || *number != std::floor(*number))
            return complain(next_, ErrorCode::out_of_range,
                            fmt::format("a number of CPUs is a whole number from 1 to {}", most_cpus),
                            advice);
        assertion.cpus = static_cast<std::uint32_t>(*number);
        advance();
        return true;
    }

    bool read_comparison(Assertion& assertion) {
        auto const found =
            std::ranges::find(relation_signs, std::string_view(next_.text), &RelationSign::sign);
        bool const is_word = row_of(assertion.function).value == AssertedValue::word;
        auto const advice = such_as(assertion.function);
        if (next_.kind == TokenKind::end || next_.kind == TokenKind::text || found == relation_signs.end())
            return complain(next_, ErrorCode::malformed, "here must be a comparison",
                            is_word ? advice : "It is one of <, <=, > and >=. " + advice);
        assertion.comparison = found->comparison;
        using enum Relation;
        bool const is_of_words = assertion.comparison == equal || assertion.comparison == not_equal;
        bool const is_of_findings = assertion.comparison == excludes || assertion.comparison == equal;
        if (assertion.function == ContractFunction::findings && !is_of_findings)
            return complain(next_, ErrorCode::malformed,
                            "findings are compared by \"= none\" or by \"excludes\"", advice);
        if (assertion.function == ContractFunction::limit && !is_of_words)
            return complain(next_, ErrorCode::malformed, "limits are compared by == or !=", advice);
        if (!is_word && (is_of_words || assertion.comparison == excludes))
            return complain(
                next_, ErrorCode::malformed,
                "a predicted number is never exactly another one: compare with <, <=, > or >=", advice);
        advance();
        return true;
    }

    bool read_value(Assertion& assertion) {
        if (fault_)
            return false;
        auto const value = row_of(assertion.function).value;
        return value == AssertedValue::word ? read_word(assertion) : read_number(assertion, value);
    }

    bool read_word(Assertion& assertion) {
        bool const is_limit = assertion.function == ContractFunction::limit;
        std::vector<std::string_view> known;
        if (is_limit)
            for (auto const& cause : causes)
                if (cause.cause != Cause::busy)
                    known.emplace_back(cause.name);
        if (assertion.comparison == Relation::excludes)
            known.assign(finding_names.begin(), finding_names.end());
        else
            known.emplace_back("none");
        if (next_.kind != TokenKind::text && next_.kind != TokenKind::word)
            return complain(next_, ErrorCode::malformed, "here must be " + listed(known, " or "),
                            such_as(assertion.function));
        if (std::ranges::find(known, std::string_view(next_.text)) == known.end()) {
            auto const meant = nearest(next_.text, known);
            return complain(
                next_, ErrorCode::unsupported,
                fmt::format("no {} is called \"{}\"", is_limit ? "limit" : "finding", next_.text),
                meant ? "Did you mean: " + std::string(*meant) : "They are " + listed(known, " and ") + ".");
        }
        assertion.word = next_.text;
        advance();
        return true;
    }

    bool read_number(Assertion& assertion, AssertedValue value) {
        auto const advice = such_as(assertion.function);
        auto const token = next_;
        auto const number = next_.kind == TokenKind::number ? number_in<double>(next_.text) : std::nullopt;
        if (!number || !std::isfinite(*number))
            return complain(next_, ErrorCode::malformed, "here must be a number", advice);
        advance();
        assertion.number = *number;
        if (value == AssertedValue::time)
            return read_unit(assertion, token, advice);
        if (value == AssertedValue::number)
            return true;
        if (next_.kind == TokenKind::sign && next_.text == "%") {
            assertion.number /= 100;
            advance();
        } else if (std::abs(*number) > 2) {
            return complain(token, ErrorCode::out_of_range,
                            fmt::format("{} is {} %", token.text, 100 * *number),
                            fmt::format("If you mean percents, write {}%.", token.text));
        }
        return true;
    }

    bool read_unit(Assertion& assertion, Token const& number, std::string const& advice) {
        if (next_.kind != TokenKind::word)
            return complain(number, ErrorCode::malformed, "a time has a unit: " + std::string(time_units),
                            advice);
        auto const unit = unit_ns(next_.text);
        if (!unit)
            return complain(next_, ErrorCode::unsupported,
                            fmt::format("\"{}\" is no unit of time: {}", next_.text, time_units), advice);
        assertion.number *= *unit;
        if (std::abs(assertion.number) > most_time_ns)
            return complain(number, ErrorCode::out_of_range, "no time is longer than 292 years", advice);
        advance();
        return true;
    }

    std::string_view text_;
    SourcePosition place_;
    std::size_t at_ = 0;
    Token next_;
    std::optional<Fault> fault_;
};

}  // namespace

Read<Assertion> parse_assertion(std::string_view text, SourcePosition place) {
    return Parser(text, std::move(place)).parse();
}

std::string excerpt(Fault const& fault, std::string_view margin) {
    std::string line;
    std::string below;
    for (std::size_t i = 0; i < fault.line.size(); ++i) {
        char const c = fault.line[i];
        bool const is_inside_letter = (static_cast<unsigned char>(c) & 0xc0U) == 0x80;
        line += c == '\t' ? ' ' : static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
        if (i + 1 < fault.column && !is_inside_letter)
            below += ' ';
    }
    return fmt::format("{0}{1}\n{0}{2}{3}\n", margin, line, below, std::string(fault.length, '^'));
}

}  // namespace parcast::contract
