// Kinds of values that several options have: from a text to a Result.

#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/word_list.h"
#include "core/result.h"

namespace parcast::cli {

Result<std::string> any_text(std::string const& text);

// An empty name, as from a shell variable that is not set, is a mistake.
Result<std::string> file_name(std::string const& name);

// The number at the start of a text, and what follows it.
template <class Number>
struct LeadingNumber {
    Number value{};
    std::string_view rest;
    bool is_number = false;
};

template <class Number>
LeadingNumber<Number> leading_number(std::string_view text) {
    LeadingNumber<Number> found;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), found.value);
    found.is_number = problem == std::errc();
    if constexpr (std::floating_point<Number>)
        found.is_number = found.is_number && std::isfinite(found.value);
    found.rest = text.substr(static_cast<std::size_t>(end - text.data()));
    return found;
}

// "a whole number from 1 to 1024", "a number from 1 to 99.99", "a number of 0 or more"
std::string range_text(double low, double high, bool is_whole);

template <class Number>
auto number(Number low, Number high = std::numeric_limits<Number>::max()) {
    return [low, high](std::string const& text) -> Result<Number> {
        auto const found = leading_number<Number>(text);
        if (found.is_number && found.rest.empty() && low <= found.value && found.value <= high)
            return found.value;
        auto const range =
            range_text(static_cast<double>(low), static_cast<double>(high), std::integral<Number>);
        return fail(ErrorCode::unasked, "it is " + range + ", not \"" + text + "\"");
    };
}

template <class Value>
using Choices = std::vector<std::pair<std::string_view, Value>>;

template <class Value>
auto one_of(Choices<Value> choices) {
    return [choices = std::move(choices)](std::string const& word) -> Result<Value> {
        auto const found = std::ranges::find(choices, word, &std::pair<std::string_view, Value>::first);
        if (found != choices.end())
            return found->second;
        std::vector<std::string_view> words;
        std::ranges::transform(choices, std::back_inserter(words),
                               [](auto const& choice) { return choice.first; });
        return fail(ErrorCode::unasked, "it is " + listed(words, " or ") + ", not \"" + word + "\"");
    };
}

}  // namespace parcast::cli
