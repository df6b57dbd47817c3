#include "cli/options/quantity.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>

namespace parcast::cli {

namespace {

struct Unit {
    std::string_view name;
    double factor;
};

constexpr std::array<Unit, 6> time_units{
    {{"", 1e9}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}}};
constexpr std::array<Unit, 5> size_units{{{"", 1},
                                          {"k", double{1 << 10}},
                                          {"M", double{1 << 20}},
                                          {"G", double{1 << 30}},
                                          {"T", double{1ULL << 40}}}};

constexpr double longest_ns = 366.0 * 24 * 3600 * 1e9;
constexpr double largest_bytes = double{1ULL << 60};

std::optional<double> scaled(std::string_view text, std::span<Unit const> units, std::string_view suffix) {
    double number = 0;
    auto const parsed =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (parsed.ec != std::errc() || !std::isfinite(number))
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    for (Unit const& unit : units) {
        bool const is_with_suffix =
            !suffix.empty() && text.starts_with(unit.name) && text.substr(unit.name.size()) == suffix;
        bool const is_short_suffix =
            !suffix.empty() && text.starts_with(unit.name) && text.substr(unit.name.size()) == "B";
        if (text == unit.name || is_with_suffix || is_short_suffix)
            return number * unit.factor;
    }
    return std::nullopt;
}

tl::unexpected<Error> cannot_use(ErrorCode code, std::string_view text, char const* why) {
    return fail(code, "\"" + std::string(text) + "\" " + why);
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
    auto const ns = scaled(text, time_units, "");
    if (!ns)
        return cannot_use(ErrorCode::malformed, text, "is no duration such as 30s, 2m, 1h or 500ms");
    if (*ns < 1 || *ns > longest_ns)
        return cannot_use(ErrorCode::out_of_range, text, "is not between a nanosecond and a year");
    return Duration{static_cast<std::int64_t>(std::llround(*ns))};
}

Result<std::uint64_t> parse_size(std::string_view text) {
    auto const bytes = scaled(text, size_units, "iB");
    if (!bytes)
        return cannot_use(ErrorCode::malformed, text, "is no size such as 500M, 2G or 64k");
    if (*bytes < 1 || *bytes > largest_bytes)
        return cannot_use(ErrorCode::out_of_range, text, "is not between one byte and 2^60 bytes");
    return static_cast<std::uint64_t>(*bytes);
}

}  // namespace parcast::cli
