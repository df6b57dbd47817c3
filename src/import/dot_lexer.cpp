#include "import/dot_lexer.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace parcast {

namespace {

bool is_in_name(char letter) {
    auto const code = static_cast<unsigned char>(letter);
    return std::isalnum(code) != 0 || letter == '_' || code >= 0x80;
}

// A number may have a sign and a point. "-" alone, or of "->", is none.
bool starts_number(std::string_view rest) {
    auto const digits = rest.find_first_not_of("-.");
    return (rest.front() == '-' || rest.front() == '.') && digits != std::string_view::npos && digits <= 2 &&
           std::isdigit(static_cast<unsigned char>(rest[digits])) != 0;
}

bool is_keyword(std::string_view word) {
    constexpr std::array<std::string_view, 6> keywords = {"strict", "graph", "digraph",
                                                          "node",   "edge",  "subgraph"};
    return std::ranges::find(keywords, word) != keywords.end();
}

}  // namespace

DotWord DotLexer::next() {
    skip_blanks_and_comments();
    if (position_ == text_.size())
        return {DotToken::end, "", position_};
    auto const rest = text_.substr(position_);
    if (rest.front() == '"')
        return quoted();
    if (rest.front() == '<')
        return html();
    if (is_in_name(rest.front()) || starts_number(rest))
        return name();
    std::size_t const size = rest.starts_with("->") || rest.starts_with("--") ? 2 : 1;
    DotWord word{DotToken::symbol, std::string(rest.substr(0, size)), position_};
    position_ += size;
    if (size == 1 && std::string_view("{}[];,=:").find(word.text) == std::string_view::npos)
        return {DotToken::mistake,
                "'" + word.text + "' has no meaning here; texts with it are written in \"\"", word.place};
    return word;
}

void DotLexer::skip_blanks_and_comments() {
    while (position_ < text_.size()) {
        auto const rest = text_.substr(position_);
        bool const starts_line = position_ == 0 || text_[position_ - 1] == '\n';
        if (rest.starts_with("//") || (starts_line && rest.front() == '#'))
            skip_line();
        else if (rest.starts_with("/*"))
            position_ =
                rest.find("*/") == std::string_view::npos ? text_.size() : position_ + rest.find("*/") + 2;
        else if (std::isspace(static_cast<unsigned char>(rest.front())) != 0)
            ++position_;
        else
            return;
    }
}

DotWord DotLexer::name() {
    auto const start = position_;
    bool const is_number =
        !is_in_name(text_[start]) || std::isdigit(static_cast<unsigned char>(text_[start])) != 0;
    ++position_;
    while (position_ < text_.size() &&
           (is_in_name(text_[position_]) || (is_number && text_[position_] == '.')))
        ++position_;
    std::string text(text_.substr(start, position_ - start));
    std::string lower = text;
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    if (is_keyword(lower))
        return {DotToken::keyword, lower, start};
    return {DotToken::id, text, start};
}

DotWord DotLexer::quoted() {
    DotWord word{DotToken::id, "", position_};
    while (true) {
        if (!quoted_part(word.text))
            return {DotToken::mistake, "a text is not closed: a \" is missing", word.place};
        auto const end = position_;
        skip_blanks_and_comments();
        if (position_ == text_.size() || text_[position_] != '+') {
            position_ = end;
            return word;
        }
        ++position_;
        skip_blanks_and_comments();
        if (position_ == text_.size() || text_[position_] != '"')
            return {DotToken::mistake, "a text in \"\" must follow the '+'", position_};
    }
}

// From a quote to the next: \" is one, and a line that ends with \ goes on. Other escapes stay as they are.
bool DotLexer::quoted_part(std::string& into) {
    for (++position_; position_ < text_.size(); ++position_) {
        auto const rest = text_.substr(position_);
        if (rest.front() == '"') {
            ++position_;
            return true;
        }
        if (rest.starts_with("\\\"") || rest.starts_with("\\\n")) {
            into += rest[1] == '"' ? "\"" : "";
            ++position_;
        } else {
            into += rest.front();
        }
    }
    return false;
}

DotWord DotLexer::html() {
    auto const start = position_;
    std::size_t open = 0;
    for (; position_ < text_.size(); ++position_) {
        if (text_[position_] == '<')
            ++open;
        if (text_[position_] == '>' && --open == 0) {
            ++position_;
            return {DotToken::id, std::string(text_.substr(start, position_ - start)), start};
        }
    }
    return {DotToken::mistake, "a text in <> is not closed", start};
}

}  // namespace parcast
