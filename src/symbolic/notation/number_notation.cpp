#include "symbolic/notation/notation.h"

#include <array>
#include <charconv>
#include <cmath>

namespace parcast::symbolic {

std::string number_notation(double value, Digits digits) {
    std::array<char, 40> text;
    bool const is_whole = std::abs(value) < 1e15 && value == std::floor(value);
    auto* const begin = text.data();
    auto* const end = begin + text.size();
    auto const* const written = is_whole ? std::to_chars(begin, end, value, std::chars_format::fixed).ptr
                                : digits == Digits::all
                                    ? std::to_chars(begin, end, value).ptr
                                    : std::to_chars(begin, end, value, std::chars_format::general, 10).ptr;
    return std::string(begin, static_cast<std::size_t>(written - begin));
}

}  // namespace parcast::symbolic
