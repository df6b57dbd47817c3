#include "core/progress_text.h"

#include <charconv>
#include <cmath>

namespace parcast {

namespace {

std::optional<std::uint64_t> whole_number(std::string_view digits) {
    std::uint64_t value = 0;
    auto const [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || failure != std::errc{} || end != digits.data() + digits.size())
        return std::nullopt;
    return value;
}

}  // namespace

std::string progress_text(std::string_view what, CountedPart part) {
    return std::string(what) + ": " + std::to_string(part.number) + " of " + std::to_string(part.count);
}

std::optional<CountedPart> counted_part(std::string_view text) {
    constexpr std::string_view between = " of ";
    auto const place = text.rfind(between);
    if (place == std::string_view::npos)
        return std::nullopt;
    auto const before = text.substr(0, place);
    auto const number = whole_number(before.substr(before.rfind(' ') + 1));  // npos + 1 is 0
    auto const count = whole_number(text.substr(place + between.size()));
    if (!number || !count)
        return std::nullopt;
    return CountedPart{*number, *count};
}

std::string rough_time_text(double ns) {
    double const seconds = ns / 1e9;
    if (seconds < 100)
        return std::to_string(std::lround(std::fmax(seconds, 1))) + " s";
    if (seconds < 6000)
        return std::to_string(std::lround(seconds / 60)) + " min";
    return std::to_string(std::lround(seconds / 3600)) + " h";
}

}  // namespace parcast
