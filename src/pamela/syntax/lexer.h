// A model's text as tokens. Blanks, line ends and comments (from % to the end of the line) separate them.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pamela/syntax/diagnostic_list.h"

namespace parcast::pamela {

enum class TokenKind : std::uint8_t {
    end,
    number,
    text,  // "times.txt"
    name,
    // words of the language
    numeric,
    process,
    resource,
    parameter,
    seq,
    par,
    if_,
    then,
    else_,
    mod,
    div,
    and_,
    or_,
    not_,
    // signs
    left_parenthesis,
    right_parenthesis,
    left_brace,
    right_brace,
    left_bracket,
    right_bracket,
    comma,
    semicolon,
    parallel_bars,
    assign,
    equal,
    not_equal,
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    plus,
    minus,
    times,
    divided_by,
    caret,
};

struct Token {
    TokenKind kind = TokenKind::end;
    TextRange place;
    double number = 0;
};

// The last token is the end. What is no token is an error among the diagnostics, and left out.
std::vector<Token> tokens_of(std::string_view text, DiagnosticList& diagnostics);

// As it stands in messages: "'seq'", "')'", "a number", "the end of the model".
std::string described(Token const& token, std::string_view text);
std::string_view spelling(TokenKind kind);  // of words and signs

}  // namespace parcast::pamela
