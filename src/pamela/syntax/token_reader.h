// The tokens of a model one after the other, and what every rule of the grammar does about errors: after one,
// the reader is lost, and rules return at once until one that has a bracket to close finds it, or the next
// equation begins.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pamela/syntax/diagnostic_list.h"
#include "pamela/syntax/lexer.h"
#include "pamela/syntax/syntax.h"

namespace parcast::pamela {

class TokenReader {
public:
    // Both are loans until the reader goes.
    TokenReader(std::string_view text, DiagnosticList& diagnostics);

    Token const& next() const { return tokens_[position_]; }
    Token const& after_next() const { return at(1); }
    Token const& at(std::size_t ahead) const;  // the end, if there are not so many
    Token const& previous() const { return tokens_[position_ == 0 ? 0 : position_ - 1]; }
    Token take();  // the end is never taken
    void step_back() { --position_; }

    std::string word(Token const& token) const;
    std::string described(Token const& token) const { return pamela::described(token, text_); }
    std::uint32_t line_of(TextRange place) const { return diagnostics_.line_of(place); }

    bool is_lost() const { return is_lost_; }
    bool is_hopeless() const { return diagnostics_.is_full(); }  // more errors than are told

    // Reports an error at the next token; then the reader is lost. Silent if it is already.
    void complain(std::string message, std::string hint = {});
    // Reports an error after which reading goes on.
    void error(TextRange place, std::string message, std::string hint = {});

    // Takes the closing bracket. If lost: skips to the one that matches, unless an equation begins before,
    // and is lost no more.
    void close(Token const& opened, TokenKind closing);
    void go_to_next_equation();

    std::size_t position() const { return position_; }
    std::set<std::string, std::less<>> words_since(std::size_t position) const;  // of what was taken

    // `proces main = ...`: a keyword with a typing error, before a name. It is said, and taken for the
    // keyword.
    bool repairs_keyword();

    // Rules in each other, so that a hostile text does not use up the stack. Leave only what was entered.
    bool enter();
    void leave() { --depth_; }

private:
    static constexpr std::uint32_t deepest = 200;

    std::optional<std::size_t> matching(Token const& opened, TokenKind closing) const;

    std::string_view text_;
    DiagnosticList& diagnostics_;
    std::vector<Token> tokens_;
    std::size_t position_ = 0;
    bool is_lost_ = false;
    std::uint32_t depth_ = 0;
};

std::optional<EquationKind> equation_kind(TokenKind token);  // of a word that begins an equation
bool begins_equation(TokenKind token);
bool closes(TokenKind token);  // ) } ]

}  // namespace parcast::pamela
