#include "cli/options/option_values.h"

#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <sstream>

namespace parcast::cli {

namespace {

tl::unexpected<Error> cannot_use(ErrorCode code, std::string_view text, std::string const& why) {
    return fail(code, "\"" + std::string(text) + "\" " + why);
}

// A number of CPUs, in this part of a list.
Result<std::uint32_t> parse_count(std::string_view number, std::string_view part) {
    auto const is_digit = [](char sign) { return sign >= '0' && sign <= '9'; };
    if (number.empty() || !std::ranges::all_of(number, is_digit))
        return cannot_use(ErrorCode::malformed, part,
                          "is not a number of CPUs. Give counts and ranges, such as 8 or 1,2,4-16");
    auto const count = number_in<std::uint32_t>(number);
    if (!count || *count > most_cpus) {
        return cannot_use(ErrorCode::out_of_range, part,
                          "is too many CPUs: a machine has at most " + std::to_string(most_cpus));
    }
    if (*count == 0) {
        return fail(ErrorCode::out_of_range,
                    "a machine has at least 1 CPU, but \"" + std::string(part) + "\" asks for 0");
    }
    return *count;
}

struct Unit {
    std::string_view name;
    double factor;
};

constexpr Unit duration_units[] = {{"", 1e9},   {"ms", 1e6},   {"s", 1e9},
                                   {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}};
constexpr Unit size_units[] = {{"", 1}, {"k", 0x1p10}, {"M", 0x1p20}, {"G", 0x1p30}, {"T", 0x1p40}};

constexpr double longest_ns = 366.0 * 24 * 3600 * 1e9;
constexpr double largest_bytes = 0x1p60;

// From 1 to `most`.
Result<double> scaled(std::string_view text, std::span<Unit const> units, std::string_view suffix,
                      double most, std::string const& no_number, std::string const& out_of_range) {
    auto const number = leading_number<double>(text);
    auto unit = number.rest;
    for (auto const end : {suffix, suffix.substr(suffix.empty() ? 0 : 1)})
        if (!end.empty() && unit.ends_with(end)) {
            unit.remove_suffix(end.size());
            break;
        }
    auto const found = std::ranges::find(units, unit, &Unit::name);
    if (!number.is_number || found == units.end())
        return cannot_use(ErrorCode::malformed, text, no_number);
    double const value = number.value * found->factor;
    if (value < 1 || value > most)
        return cannot_use(ErrorCode::out_of_range, text, out_of_range);
    return value;
}

}  // namespace

Result<std::string> any_text(std::string const& text) {
    return text;
}

Result<std::string> file_name(std::string const& name) {
    if (name.empty())
        return fail(ErrorCode::unasked, "it needs the name of a file, and this one is empty");
    return name;
}

std::string range_text(double low, double high, bool is_whole) {
    std::ostringstream text;
    text.precision(15);
    text << (is_whole ? "a whole number " : "a number ");
    if (high < 1e15)
        text << "from " << low << " to " << high;
    else
        text << "of " << low << " or more";
    return text.str();
}

Result<std::vector<std::uint32_t>> parse_cpu_list(std::string_view text) {
    std::set<std::uint32_t> counts;
    std::size_t named = 0;
    for (bool more = true; more;) {
        auto const comma = text.find(',');
        auto const part = text.substr(0, comma);
        more = comma != std::string_view::npos;
        text.remove_prefix(more ? comma + 1 : text.size());

        auto const dash = part.find('-');
        auto const first = parse_count(part.substr(0, dash), part);
        auto const last = dash == std::string_view::npos ? first : parse_count(part.substr(dash + 1), part);
        if (!first || !last)
            return pass_on(first ? last : first);
        if (*last < *first) {
            return fail(ErrorCode::out_of_range, "the range \"" + std::string(part) +
                                                     "\" falls; write it as " + std::to_string(*last) + "-" +
                                                     std::to_string(*first));
        }
        named += *last - *first + 1;
        if (named > most_cpu_counts) {
            return cannot_use(ErrorCode::out_of_range, part,
                              "asks for more than " + std::to_string(most_cpu_counts) +
                                  " predictions at once; name fewer CPU counts");
        }
        for (auto count = *first; count <= *last; ++count)
            counts.insert(count);
    }
    return std::vector<std::uint32_t>(counts.begin(), counts.end());
}

Result<std::vector<unsigned>> parse_cpu_ids(std::string_view text) {
    constexpr unsigned last_id = 8191;  // of a Linux kernel
    auto const id = number(0U, last_id);
    std::vector<unsigned> ids;
    std::set<unsigned> known;
    for (bool more = true; more;) {
        auto const comma = text.find(',');
        auto const part = text.substr(0, comma);
        more = comma != std::string_view::npos;
        text.remove_prefix(more ? comma + 1 : text.size());
        auto const dash = part.find('-');
        auto const first = id(std::string(part.substr(0, dash)));
        auto const last = dash == std::string_view::npos ? first : id(std::string(part.substr(dash + 1)));
        if (!first || !last)
            return cannot_use(
                ErrorCode::unasked, part,
                "is no CPU; they have numbers from 0 to " + std::to_string(last_id) + ", such as 0,2,4-7");
        if (*last < *first)
            return cannot_use(ErrorCode::unasked, part, "falls; name each CPU by itself");
        for (auto each = *first; each <= *last; ++each) {
            if (!known.insert(each).second)
                return cannot_use(ErrorCode::unasked, part, "names a CPU twice");
            ids.push_back(each);
        }
    }
    return ids;
}

Result<Duration> parse_duration(std::string_view text) {
    auto const ns =
        scaled(text, duration_units, "", longest_ns, "is no duration such as 30s, 2m, 1h or 500ms",
               "is not between a nanosecond and a year");
    if (!ns)
        return pass_on(ns);
    return Duration{std::llround(*ns)};
}

Result<std::uint64_t> parse_size(std::string_view text) {
    auto const bytes = scaled(text, size_units, "iB", largest_bytes, "is no size such as 500M, 2G or 64k",
                              "is not between one byte and 2^60 bytes");
    if (!bytes)
        return pass_on(bytes);
    return static_cast<std::uint64_t>(*bytes);
}

Result<model::RandomInterval> parse_mean_and_cv(std::string_view text) {
    auto const comma = text.find(',');
    auto const mean = number_in(text.substr(0, comma));
    auto const cv = comma == std::string_view::npos ? std::optional(1.0) : number_in(text.substr(comma + 1));
    if (!mean || !cv)
        return cannot_use(ErrorCode::malformed, text,
                          "is not a mean and a coefficient of variation, such as 12.5,2");
    if (*mean < 0 || *cv < 0)
        return fail(ErrorCode::out_of_range, "\"" + std::string(text) + "\": both must be 0 or more");
    return model::RandomInterval{*mean, *cv};
}

}  // namespace parcast::cli
