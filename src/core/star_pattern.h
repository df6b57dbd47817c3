// Patterns in which * stands for any letters. Also used inside host programs: calls nothing, throws nothing.

#pragma once

#include <cstddef>
#include <string_view>

namespace parcast {

// Cost: O(pattern * text).
constexpr bool matches_stars(std::string_view pattern, std::string_view text) {
    constexpr auto none = static_cast<std::size_t>(-1);
    std::size_t at = 0;
    std::size_t in_text = 0;
    std::size_t star = none;
    std::size_t taken = 0;  // by the last star
    while (in_text < text.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            taken = in_text;
        } else if (at < pattern.size() && pattern[at] == text[in_text]) {
            ++at;
            ++in_text;
        } else if (star != none) {
            at = star + 1;
            in_text = ++taken;
        } else {
            return false;
        }
    }
    while (at < pattern.size() && pattern[at] == '*')
        ++at;
    return at == pattern.size();
}

}  // namespace parcast
