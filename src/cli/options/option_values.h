// Kinds of values that options have: from a text to a Result. The errors are malformed and out_of_range;
// they quote the text and lack the option's name.

#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/leading_number.h"
#include "core/listed.h"
#include "core/result.h"
#include "core/time.h"
#include "model/renewal/renewal.h"

namespace parcast::cli {

Result<std::string> any_text(std::string const& text);

// An empty name, as from a shell variable that is not set, is a mistake.
Result<std::string> file_name(std::string const& name);

// "a whole number from 1 to 1024", "a number from 1 to 99.99", "a number of 0 or more"
std::string range_text(double low, double high, bool is_whole);

template <class Number>
auto number(Number low, Number high = std::numeric_limits<Number>::max()) {
    return [low, high](std::string const& text) -> Result<Number> {
        auto const found = number_in<Number>(text);
        if (found && low <= *found && *found <= high)
            return *found;
        auto const range =
            range_text(static_cast<double>(low), static_cast<double>(high), std::integral<Number>);
        return fail(ErrorCode::unasked, "it is " + range + ", not \"" + text + "\"");
    };
}

template <class Value>
using Choices = std::vector<std::pair<std::string_view, Value>>;

// The words of a table, whose values are their places in it.
template <class Value>
Choices<Value> choices_by_place(auto const& words) {
    Choices<Value> choices;
    for (std::string_view const word : words)
        choices.emplace_back(word, static_cast<Value>(choices.size()));
    return choices;
}

template <class Value>
struct OneOf {
    Choices<Value> choices;

    Result<Value> operator()(std::string const& word) const {
        auto const found = std::ranges::find(choices, word, &std::pair<std::string_view, Value>::first);
        if (found != choices.end())
            return found->second;
        return fail(ErrorCode::unasked,
                    "it is " + listed(choices | std::views::keys, " or ") + ", not \"" + word + "\"");
    }
    // For completion.
    std::vector<std::string> words() const {
        auto const keys = choices | std::views::keys;
        return {keys.begin(), keys.end()};
    }
};

template <class Value>
OneOf<Value> one_of(Choices<Value> choices) {
    return {std::move(choices)};
}

inline constexpr std::uint32_t most_cpus = 65536;     // as in machine.h
inline constexpr std::size_t most_cpu_counts = 1024;  // each is a replay of the whole program

// CPU counts: "8", "1,2,4", "4-16", "1,2,4-16". They come ascending and without repetition.
Result<std::vector<std::uint32_t>> parse_cpu_list(std::string_view text);

// CPUs of this machine by their numbers: "0,2,4-7", in that order. None is named twice.
Result<std::vector<unsigned>> parse_cpu_ids(std::string_view text);

// "30s", "2m", "1h", "500ms"; a number without a unit counts seconds. From a nanosecond to a year.
Result<Duration> parse_duration(std::string_view text);

// In bytes: "2G", "500M", "64k". The units are powers of 1024, with or without a further "B" or "iB".
Result<std::uint64_t> parse_size(std::string_view text);

// A random time, by its mean and its coefficient of variation unless that is 1: "12.5,2", "12.5".
Result<model::RandomInterval> parse_mean_and_cv(std::string_view text);

}  // namespace parcast::cli
