// Kinds of options that several verbs have: one of a few words, and values with a grammar of their own. Slow
// to compile: it includes the parser of command lines.

#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/App.hpp>

#include "cli/word_list.h"
#include "core/result.h"

namespace parcast::cli {

template <class Value>
using Choices = std::vector<std::pair<std::string_view, Value>>;

template <class Value, class Target>
void add_choice(CLI::App& parser, std::string const& option, Target& target, Choices<Value> const& choices) {
    parser.add_option_function<std::string>(option, [option, choices, &target](std::string const& word) {
        auto const found = std::ranges::find(choices, word, [](auto const& choice) { return choice.first; });
        if (found == choices.end()) {
            std::vector<std::string_view> words;
            std::ranges::transform(choices, std::back_inserter(words),
                                   [](auto const& choice) { return choice.first; });
            throw CLI::ValidationError(option + ": it is " + listed(words, " or ") + ", not \"" + word +
                                       "\"");
        }
        target = found->second;
    });
}

template <class Value>
Value value_of(Result<Value> const& parsed, std::string const& option) {
    if (!parsed)
        throw CLI::ValidationError(option + ": " + parsed.error().message);
    return *parsed;
}

// `parse` makes a Result of the text.
template <class Target, class Parse>
void add_parsed(CLI::App& parser, std::string const& option, Target& target, Parse parse) {
    parser.add_option_function<std::string>(option, [option, &target, parse](std::string const& text) {
        target = value_of(parse(text), option);
    });
}

// The file to write to. An empty name, as from a shell variable that is not set, is a mistake.
template <class Target>
void add_output(CLI::App& parser, Target& target) {
    add_parsed(parser, "-o,--output", target, [](std::string const& name) -> Result<std::string> {
        if (name.empty())
            return fail(ErrorCode::out_of_range, "it needs the name of a file, and this one is empty");
        return name;
    });
}

// Of each text that is given `value` makes one element.
template <class Target, class ToValue>
CLI::Option* add_list(CLI::App& parser, std::string const& option, Target& target, ToValue value) {
    using Element = std::invoke_result_t<ToValue, std::string const&>;
    auto const fill = [&target, value](std::vector<std::string> const& texts) {
        std::vector<Element> elements;
        std::ranges::transform(texts, std::back_inserter(elements), value);
        target = std::move(elements);
    };
    return parser.add_option_function<std::vector<std::string>>(option, fill)->allow_extra_args(false);
}

}  // namespace parcast::cli
