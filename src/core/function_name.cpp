#include "core/function_name.h"

#include <array>
#include <optional>
#include <utility>

namespace parcast {

namespace {

constexpr std::string_view lambda_in = "lambda in ";
constexpr std::string_view unnamed = "(anonymous namespace)::";

// The part within brackets is left out, with the brackets.
std::string without_brackets(std::string_view text, char open, char close) {
    std::string kept;
    int depth = 0;
    for (char const letter : text) {
        if (letter == open)
            ++depth;
        if (depth == 0)
            kept += letter;
        if (letter == close && depth > 0)
            --depth;
    }
    return kept;
}

// Without the result in front, which symbols of templates have.
std::string without_result(std::string text) {
    while (text.ends_with(' '))
        text.pop_back();
    auto const space = text.rfind(' ');
    return space == std::string::npos ? text : text.substr(space + 1);
}

std::string without_unnamed(std::string_view name) {
    std::string text(name);
    for (auto at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed, at))
        text.erase(at, unnamed.size());
    return text;
}

constexpr std::string_view operator_word = "operator";

// What stands behind "operator": longer ones before those that they begin with. Empty: that is no operator.
std::string_view operator_symbol(std::string_view rest) {
    constexpr auto symbols = std::to_array<std::string_view>(
        {"()", "[]", " new[]", " new", " delete[]", " delete", "<=>", "<<=", ">>=", "->*", "<<",
         ">>", "<=", ">=",     "==",   "!=",        "&&",      "||",  "++",  "--",  "+=",  "-=",
         "*=", "/=", "%=",     "&=",   "|=",        "^=",      "->",  "<",   ">",   "=",   "!",
         "+",  "-",  "*",      "/",    "%",         "&",       "|",   "^",   "~",   ","});
    for (auto const symbol : symbols)
        if (rest.starts_with(symbol))
            return rest.substr(0, symbol.size());
    return rest.starts_with(' ') ? rest.substr(0, rest.find('(')) : std::string_view();  // to a type
}

// "Queue::operator()" of "void Queue<int>::operator()<long>(long)". None: no operator's name.
std::optional<std::string> short_operator_name(std::string const& name) {
    int depth = 0;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name[at] == '<' || name[at] == '(')
            ++depth;
        else if (name[at] == '>' || name[at] == ')')
            --depth;
        bool const begins = at == 0 || name[at - 1] == ':' || name[at - 1] == ' ';
        if (depth != 0 || !begins || !name.substr(at).starts_with(operator_word))
            continue;
        auto const symbol = operator_symbol(std::string_view(name).substr(at + operator_word.size()));
        if (symbol.empty())
            continue;
        auto const scope = without_brackets(without_brackets(name.substr(0, at), '(', ')'), '<', '>');
        bool const is_free = scope.empty() || scope.ends_with(' ');
        return (is_free ? "" : without_result(scope)) + std::string(operator_word) + std::string(symbol);
    }
    return std::nullopt;
}

}  // namespace

std::string short_function_name(std::string_view name) {
    if (name.starts_with(lambda_in)) {
        auto const place = name.rfind(" (");
        bool const has_place = name.ends_with(')') && place != std::string_view::npos &&
                               name.find(':', place) != std::string_view::npos;
        auto const inner =
            name.substr(lambda_in.size(), (has_place ? place : name.size()) - lambda_in.size());
        return std::string(lambda_in) + short_function_name(inner) +
               std::string(has_place ? name.substr(place) : "");
    }
    if (name.starts_with(threads_of))
        return std::string(threads_of) + short_function_name(name.substr(threads_of.size()));
    if (name.find(operator_word) != std::string_view::npos) {
        if (name.find('{') != std::string_view::npos)  // a lambda, as symbols write it
            return std::string(name);
        if (auto short_name = short_operator_name(without_unnamed(name)))
            return std::move(*short_name);
    }
    auto text = without_brackets(without_unnamed(name), '<', '>');
    text = without_result(text.substr(0, text.find('(')));
    return text.empty() ? std::string(name) : text;
}

}  // namespace parcast
