// Numbers in texts that people write.

#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>

namespace parcast {

// The number at the start of a text, and what follows it. Infinity is none.
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

// A text that is a number and nothing else.
template <class Number = double>
std::optional<Number> number_in(std::string_view text) {
    auto const found = leading_number<Number>(text);
    return found.is_number && found.rest.empty() ? std::optional(found.value) : std::nullopt;
}

}  // namespace parcast
