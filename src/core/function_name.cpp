#include "core/function_name.h"

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

}  // namespace

std::string short_function_name(std::string_view name) {
    if (name.find("operator") != std::string_view::npos)
        return std::string(name);
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
    std::string text(name);
    for (auto at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed, at))
        text.erase(at, unnamed.size());
    text = without_brackets(text, '<', '>');
    text = text.substr(0, text.find('('));
    while (text.ends_with(' '))
        text.pop_back();
    // Symbols of templates have their result in front.
    if (auto const space = text.rfind(' '); space != std::string::npos)
        text.erase(0, space + 1);
    return text.empty() ? std::string(name) : text;
}

}  // namespace parcast
