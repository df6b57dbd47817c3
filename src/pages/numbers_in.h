// Lists of numbers in the questions of a page.

#pragma once

#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

namespace parcast::pages {

// "1,2,4", "2,3e8,0"; empty if it is no such list.
template <class Number>
std::vector<Number> numbers_in(std::string_view text) {
    std::vector<Number> numbers;
    char const* at = text.data();
    char const* const end = at + text.size();
    while (at != end) {
        auto const [comma, no_number] = std::from_chars(at, end, numbers.emplace_back());
        if (no_number != std::errc() || (comma != end && *comma != ','))
            return {};
        at = comma == end ? end : comma + 1;
    }
    return numbers;
}

}  // namespace parcast::pages
