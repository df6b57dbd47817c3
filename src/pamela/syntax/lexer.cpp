#include "pamela/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "pamela/syntax/number_text.h"

namespace parcast::pamela {

namespace {

struct Spelling {
    std::string_view text;
    TokenKind kind;
};

constexpr std::array words = {
    Spelling{"numeric", TokenKind::numeric},
    Spelling{"process", TokenKind::process},
    Spelling{"resource", TokenKind::resource},
    Spelling{"parameter", TokenKind::parameter},
    Spelling{"seq", TokenKind::seq},
    Spelling{"par", TokenKind::par},
    Spelling{"if", TokenKind::if_},
    Spelling{"then", TokenKind::then},
    Spelling{"else", TokenKind::else_},
    Spelling{"mod", TokenKind::mod},
    Spelling{"div", TokenKind::div},
    Spelling{"and", TokenKind::and_},
    Spelling{"or", TokenKind::or_},
    Spelling{"not", TokenKind::not_},
};

// Longer ones first.
constexpr std::array signs = {
    Spelling{"||", TokenKind::parallel_bars},
    Spelling{"==", TokenKind::equal},
    Spelling{"!=", TokenKind::not_equal},
    Spelling{"<=", TokenKind::less_or_equal},
    Spelling{">=", TokenKind::greater_or_equal},
    Spelling{"(", TokenKind::left_parenthesis},
    Spelling{")", TokenKind::right_parenthesis},
    Spelling{"{", TokenKind::left_brace},
    Spelling{"}", TokenKind::right_brace},
    Spelling{"[", TokenKind::left_bracket},
    Spelling{"]", TokenKind::right_bracket},
    Spelling{",", TokenKind::comma},
    Spelling{";", TokenKind::semicolon},
    Spelling{"=", TokenKind::assign},
    Spelling{"<", TokenKind::less},
    Spelling{">", TokenKind::greater},
    Spelling{"+", TokenKind::plus},
    Spelling{"-", TokenKind::minus},
    Spelling{"*", TokenKind::times},
    Spelling{"/", TokenKind::divided_by},
    Spelling{"^", TokenKind::caret},
};

// Signs of other languages, and what says the same here.
struct ForeignSign {
    std::string_view text;
    std::string_view hint;
};
constexpr std::array foreign_signs = {
    ForeignSign{"//", "a comment begins with %"},
    ForeignSign{"#", "a comment begins with %"},
    ForeignSign{"&&", "write 'and'"},
    ForeignSign{"!", "write 'not', or '!=' for unequal"},
    ForeignSign{"|", "write '||' for processes in parallel, 'or' for conditions"},
    ForeignSign{":=", "write '='"},
};

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

bool is_start_of_name(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}

bool is_in_name(char letter) {
    return is_start_of_name(letter) || is_digit(letter);
}

class Lexer {
public:
    Lexer(std::string_view text, DiagnosticList& diagnostics) : text_(text), diagnostics_(diagnostics) {}

    std::vector<Token> tokens() {
        if (text_.starts_with(byte_order_mark))
            position_ = byte_order_mark.size();
        while (skip_blanks())
            token();
        add(TokenKind::end, position_);
        return std::move(tokens_);
    }

private:
    // Whether there is more.
    bool skip_blanks() {
        constexpr std::string_view blanks = " \t\r\n\f\v";
        while (position_ < text_.size())
            if (text_[position_] == '%')
                position_ = std::min(text_.find('\n', position_), text_.size());
            else if (blanks.find(text_[position_]) != std::string_view::npos)
                ++position_;
            else
                return true;
        return false;
    }

    void token() {
        char const next = text_[position_];
        if (is_start_of_name(next))
            name();
        else if (is_digit(next) || (next == '.' && is_digit(at(position_ + 1))))
            number();
        else if (next == '"')
            quoted();
        else
            sign();
    }

    void name() {
        auto const start = position_;
        position_ = end_of(start, is_in_name);
        auto const word = std::ranges::find(words, text_.substr(start, position_ - start), &Spelling::text);
        add(word == words.end() ? TokenKind::name : word->kind, start);
    }

    void number() {
        auto const start = position_;
        auto end = end_of(start, is_digit);
        bool const has_point = at(end) == '.';
        if (has_point)
            end = end_of(end + 1, is_digit);
        auto spelled = std::string(text_.substr(start, end - start));
        if (auto const exponent = exponent_at(end)) {
            spelled += text_.substr(end, *exponent - end);
            end = *exponent;
        } else if (has_point && is_printed_exponent(end)) {
            spelled += "e" + std::string(text_.substr(end, 3));
            end += 3;
            diagnostics_.warning(range(start, end),
                                 "'" + std::string(text_.substr(start, end - start)) + "' is read as " +
                                     spelled +
                                     ", an exponent without its letter, as the published results print it",
                                 "write " + spelled + ", or blanks around the sign if a sum is meant");
        }
        position_ = end;
        if (is_in_name(at(end))) {
            letters_after_number(start);
            return;
        }
        if (auto const value = number_in(spelled))
            tokens_.push_back({TokenKind::number, range(start, end), *value});
        else
            add_replacement(start, "the number " + spelled + " is out of range", "numbers end at 1.8e308");
    }

    // "1.01+07": a sign and two digits, the first of which is 0, directly after digits with a point.
    bool is_printed_exponent(std::size_t end) const {
        return (at(end) == '+' || at(end) == '-') && at(end + 1) == '0' && is_digit(at(end + 2)) &&
               !is_in_name(at(end + 3)) && at(end + 3) != '.';
    }

    // Where the exponent that begins there ends.
    std::optional<std::size_t> exponent_at(std::size_t start) const {
        if (at(start) != 'e' && at(start) != 'E')
            return std::nullopt;
        bool const has_sign = at(start + 1) == '+' || at(start + 1) == '-';
        auto const digits = start + (has_sign ? 2 : 1);
        if (!is_digit(at(digits)))
            return std::nullopt;
        return end_of(digits, is_digit);
    }

    void letters_after_number(std::size_t start) {
        auto const digits = position_;
        position_ = end_of(position_, is_in_name);
        auto const amount = std::string(text_.substr(start, digits - start));
        auto const letters = std::string(text_.substr(digits, position_ - digits));
        constexpr std::array<std::string_view, 6> units = {"s", "ms", "us", "ns", "k", "M"};
        bool const is_unit = std::ranges::find(units, letters) != units.end();
        add_replacement(start, "'" + amount + letters + "' is no number",
                        is_unit ? "times are numbers in whatever unit the model chooses; write " + amount
                                : "a product has a sign: " + amount + " * " + letters);
    }

    void quoted() {
        auto const start = position_;
        auto const end = text_.find_first_of("\"\n", start + 1);
        bool const is_closed = end != std::string_view::npos && text_[end] == '"';
        position_ = is_closed ? end + 1 : std::min(end, text_.size());
        if (!is_closed)
            diagnostics_.error(range(start, start + 1), "the quotation mark is not closed on its line");
        add(TokenKind::text, start);
    }

    void sign() {
        auto const rest = text_.substr(position_);
        auto const start = position_;
        auto const begins_with = [&](auto const& each) { return rest.starts_with(each.text); };
        auto const foreign = std::ranges::find_if(foreign_signs, begins_with);
        auto const own = std::ranges::find_if(signs, begins_with);
        bool const is_foreign =
            foreign != foreign_signs.end() && (own == signs.end() || foreign->text.size() > own->text.size());
        if (is_foreign) {
            position_ += foreign->text.size();
            diagnostics_.error(range(start, position_),
                               "'" + std::string(foreign->text) + "' means nothing here",
                               std::string(foreign->hint));
            skip_foreign_comment(foreign->text);
        } else if (own != signs.end()) {
            position_ += own->text.size();
            add(own->kind, start);
        } else {
            unknown_letter();
        }
    }

    void skip_foreign_comment(std::string_view sign) {
        if (sign == "//" || sign == "#")
            position_ = std::min(text_.find('\n', position_), text_.size());
        else if (sign == "&&")
            tokens_.push_back({TokenKind::and_, range(position_ - 2, position_), 0});
        else if (sign == ":=")
            tokens_.push_back({TokenKind::assign, range(position_ - 2, position_), 0});
        else if (sign == "!")
            tokens_.push_back({TokenKind::not_, range(position_ - 1, position_), 0});
        else
            tokens_.push_back({TokenKind::parallel_bars, range(position_ - 1, position_), 0});
    }

    // One letter outside ASCII is several bytes.
    void unknown_letter() {
        auto const start = position_++;
        while (position_ < text_.size() && (static_cast<unsigned char>(text_[position_]) & 0xc0U) == 0x80)
            ++position_;
        auto const letter = static_cast<unsigned char>(text_[start]);
        bool const is_printable = letter >= 0x20 && letter != 0x7f;
        constexpr std::string_view hexadecimal = "0123456789abcdef";
        auto const shown =
            is_printable ? "'" + std::string(text_.substr(start, position_ - start)) + "'"
                         : std::string("the byte 0x") + hexadecimal[letter >> 4U] + hexadecimal[letter & 15U];
        diagnostics_.error(
            range(start, position_), shown + " means nothing here",
            letter >= 0x80 ? "names are made of the letters a to z and A to Z, digits and _" : "");
    }

    // Says what is wrong, and goes on as if there were a 1.
    void add_replacement(std::size_t start, std::string message, std::string hint) {
        diagnostics_.error(range(start, position_), std::move(message), std::move(hint));
        tokens_.push_back({TokenKind::number, range(start, position_), 1});
    }

    void add(TokenKind kind, std::size_t start) { tokens_.push_back({kind, range(start, position_), 0}); }

    char at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }

    template <class Predicate>
    std::size_t end_of(std::size_t start, Predicate belongs) const {
        auto const found =
            std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(start), text_.end(), belongs);
        return static_cast<std::size_t>(found - text_.begin());
    }

    static TextRange range(std::size_t begin, std::size_t end) {
        return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }

    std::string_view text_;
    DiagnosticList& diagnostics_;
    std::size_t position_ = 0;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text, DiagnosticList& diagnostics) {
    return Lexer(text, diagnostics).tokens();
}

std::string_view spelling(TokenKind kind) {
    for (auto const& word : words)
        if (word.kind == kind)
            return word.text;
    for (auto const& sign : signs)
        if (sign.kind == kind)
            return sign.text;
    return "";
}

std::string described(Token const& token, std::string_view text) {
    if (token.kind == TokenKind::end)
        return "the end of the model";
    return "'" + std::string(text.substr(token.place.begin, token.place.end - token.place.begin)) + "'";
}

}  // namespace parcast::pamela
