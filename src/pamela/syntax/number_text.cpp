#include "pamela/syntax/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace parcast::pamela {

namespace {

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

}  // namespace

std::string number_text(double value) {
    std::array<char, 32> digits{};
    auto const written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {digits.data(), written.ptr};
}

// By strtod: libc++ for WebAssembly has no std::from_chars of double. The program never leaves the "C"
// locale, and what strtod takes beside decimal numbers (blanks, hexadecimal digits, "nan") is told apart
// before.
std::optional<double> number_in(std::string_view text) {
    bool const begins_as_number = !text.empty() && (text[0] == '.' || text[0] == '-' || is_digit(text[0]));
    bool const is_decimal = text.find_first_of("xXpPnN") == std::string_view::npos;
    if (!begins_as_number || !is_decimal)
        return std::nullopt;
    std::string const spelled(text);
    char* end = nullptr;
    double const value = std::strtod(spelled.c_str(), &end);
    bool const is_whole_text = end == spelled.c_str() + spelled.size();
    return is_whole_text && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace parcast::pamela
