// Words in a sentence.

#pragma once

#include <cstddef>
#include <ranges>
#include <string>
#include <string_view>

namespace parcast {

// "record, info and help"
template <std::ranges::sized_range Words>
std::string listed(Words const& words, std::string_view before_last = ", ") {
    std::string text;
    std::size_t place = 0;
    for (auto const& word : words) {
        text.append(place == 0                              ? ""
                    : place + 1 == std::ranges::size(words) ? before_last
                                                            : ", ")
            .append(word);
        ++place;
    }
    return text;
}

}  // namespace parcast
