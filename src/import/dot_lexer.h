// The words of a Graphviz file: https://graphviz.org/doc/info/lang.html. Private to dot.cpp.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parcast {

enum class DotToken : std::uint8_t {
    id,       // a name, a number, a quoted text (also of several parts, with "+") or <HTML>
    keyword,  // strict, graph, digraph, node, edge, subgraph; in lower case
    symbol,   // { } [ ] ; , = : -> --
    end,
    mistake,  // the text says what is wrong
};

struct DotWord {
    DotToken token = DotToken::end;
    std::string text;
    std::size_t place = 0;

    bool is(DotToken kind, std::string_view with) const { return token == kind && text == with; }
    bool is_symbol(std::string_view symbol) const { return is(DotToken::symbol, symbol); }
    bool is_keyword(std::string_view keyword) const { return is(DotToken::keyword, keyword); }
};

class DotLexer {
public:
    explicit DotLexer(std::string_view text) : text_(text) {}

    DotWord next();

private:
    void skip_blanks_and_comments();
    void skip_line() { position_ = std::min(text_.find('\n', position_), text_.size()); }
    DotWord name();
    DotWord quoted();
    DotWord html();
    bool quoted_part(std::string& into);

    std::string_view text_;
    std::size_t position_ = 0;
};

}  // namespace parcast
