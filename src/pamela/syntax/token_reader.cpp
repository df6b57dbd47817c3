#include "pamela/syntax/token_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/suggestion.h"

namespace parcast::pamela {

std::optional<EquationKind> equation_kind(TokenKind token) {
    switch (token) {
        case TokenKind::numeric: return EquationKind::numeric;
        case TokenKind::process: return EquationKind::process;
        case TokenKind::resource: return EquationKind::resource;
        default: return std::nullopt;
    }
}

bool begins_equation(TokenKind token) {
    return equation_kind(token).has_value();
}

bool closes(TokenKind kind) {
    return kind == TokenKind::right_parenthesis || kind == TokenKind::right_brace ||
           kind == TokenKind::right_bracket;
}

TokenReader::TokenReader(std::string_view text, DiagnosticList& diagnostics)
    : text_(text), diagnostics_(diagnostics), tokens_(tokens_of(text, diagnostics)) {}

Token const& TokenReader::at(std::size_t ahead) const {
    return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

Token TokenReader::take() {
    auto const token = next();
    if (token.kind != TokenKind::end)
        ++position_;
    return token;
}

std::string TokenReader::word(Token const& token) const {
    return std::string(text_.substr(token.place.begin, token.place.end - token.place.begin));
}

void TokenReader::complain(std::string message, std::string hint) {
    if (!is_lost_)
        diagnostics_.error(next().place, std::move(message), std::move(hint));
    is_lost_ = true;
}

void TokenReader::error(TextRange place, std::string message, std::string hint) {
    diagnostics_.error(place, std::move(message), std::move(hint));
}

void TokenReader::close(Token const& opened, TokenKind closing) {
    if (!is_lost_) {
        take();
        return;
    }
    auto const end = matching(opened, closing);
    if (!end)
        return;
    position_ = *end + 1;
    is_lost_ = false;
}

std::optional<std::size_t> TokenReader::matching(Token const& opened, TokenKind closing) const {
    std::size_t open = 0;
    auto const first = std::ranges::upper_bound(tokens_, opened.place.begin, {},
                                                [](Token const& each) { return each.place.begin; });
    for (auto i = static_cast<std::size_t>(first - tokens_.begin()); i < tokens_.size(); ++i) {
        auto const kind = tokens_[i].kind;
        if (begins_equation(kind))
            return std::nullopt;
        if (kind == opened.kind) {
            ++open;
        } else if (kind == closing) {
            if (open == 0 && i >= position_)
                return i;
            if (open == 0)
                return std::nullopt;
            --open;
        }
    }
    return std::nullopt;
}

void TokenReader::go_to_next_equation() {
    while (next().kind != TokenKind::end && !begins_equation(next().kind))
        take();
    is_lost_ = false;
    depth_ = 0;
}

std::set<std::string, std::less<>> TokenReader::words_since(std::size_t position) const {
    std::set<std::string, std::less<>> words;
    for (std::size_t i = position; i < position_; ++i)
        words.insert(word(tokens_[i]));
    return words;
}

bool TokenReader::repairs_keyword() {
    static constexpr std::array<std::string_view, 3> keywords = {"numeric", "process", "resource"};
    static constexpr std::array kinds = {TokenKind::numeric, TokenKind::process, TokenKind::resource};
    bool const precedes_name =
        after_next().kind == TokenKind::name || after_next().kind == TokenKind::parameter;
    if (next().kind != TokenKind::name || !precedes_name)
        return false;
    auto const meant = nearest(word(next()), keywords);
    if (!meant)
        return false;
    diagnostics_.error(next().place, "expected an equation before " + described(next()),
                       "did you mean '" + std::string(*meant) + "'?");
    auto const which = std::ranges::find(keywords, *meant) - keywords.begin();
    tokens_[position_].kind = kinds[static_cast<std::size_t>(which)];
    return true;
}

bool TokenReader::enter() {
    if (depth_ < deepest) {
        ++depth_;
        return true;
    }
    complain("this is nested too deeply", "give the inner part an equation of its own");
    return false;
}

}  // namespace parcast::pamela
