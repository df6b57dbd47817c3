#include "forecast/sweep_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <optional>

#include "core/counted.h"
#include "core/leading_number.h"
#include "core/time_unit.h"

namespace parcast::forecast {

namespace {

constexpr char const* advice = "Give values or ranges, such as P=1,2,5 or P=1..64 or P=1..1000:log";

std::string quoted(std::string_view part) {
    return "\"" + std::string(part) + "\"";
}

tl::unexpected<Error> too_many(std::string_view part) {
    return fail(ErrorCode::out_of_range,
                quoted(part) + " asks for more than " + std::to_string(most_points) + " values");
}

bool is_whole(double value) {
    return value == std::floor(value);
}

struct Range {
    double first = 0;
    double last = 0;
    bool is_time = false;
};

// The numbers of one sweep: all of them have a unit of time, or none has. 0 may go without.
class SweptNumbers {
public:
    std::optional<double> number(std::string_view text) {
        auto const found = leading_number<double>(text);
        auto const unit = unit_ns(found.rest);
        if (!found.is_number || (!unit && !found.rest.empty()))
            return std::nullopt;
        if (!unit) {
            has_bare_ = has_bare_ || found.value != 0;
            return found.value;
        }
        has_units_ = true;
        auto const ns = in_ns(found.value, *unit);
        return std::isfinite(ns) ? std::optional(ns) : std::nullopt;
    }
    bool has_units() const { return has_units_; }
    bool are_mixed() const { return has_units_ && has_bare_; }

private:
    bool has_units_ = false;
    bool has_bare_ = false;
};

// Ends included, the last one but for the rounding of the steps.
Result<std::vector<double>> stepped(Range const& range, double step, std::string_view part) {
    double const steps = std::floor((range.last - range.first) / step * (1 + 1e-12) + 1e-9);
    if (steps >= static_cast<double>(most_points))
        return too_many(part);
    std::vector<double> values(static_cast<std::size_t>(steps) + 1);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = range.first + static_cast<double>(i) * step;
    return values;
}

std::vector<double> spread_evenly(Range const& range, std::size_t count) {
    std::vector<double> values(count, range.first);
    for (std::size_t i = 1; i < count; ++i) {
        double const share = static_cast<double>(i) / static_cast<double>(count - 1);
        values[i] = i + 1 == count ? range.last : range.first + share * (range.last - range.first);
    }
    return values;
}

std::vector<double> spread_by_ratio(Range const& range, std::size_t count) {
    auto values = spread_evenly({std::log(range.first), std::log(range.last), false}, count);
    std::ranges::transform(values, values.begin(), [](double value) { return std::exp(value); });
    values.front() = range.first;
    values.back() = range.last;
    if (!range.is_time && is_whole(range.first) && is_whole(range.last)) {
        std::ranges::transform(values, values.begin(), [](double value) { return std::round(value); });
        values.erase(std::unique(values.begin(), values.end()), values.end());
    }
    return values;
}

// 1, 2 and 5 of each decade that lie in the range, and its ends.
std::vector<double> round_numbers(Range const& range) {
    std::vector<double> values{range.first};
    int const first_decade = static_cast<int>(std::floor(std::log10(range.first)));
    int const last_decade = static_cast<int>(std::floor(std::log10(range.last)));
    for (int decade = first_decade; decade <= last_decade; ++decade) {
        for (char const* digit : {"1", "2", "5"}) {
            // Read, not computed: 10^-3 as a power is not the nearest double to 0.001.
            auto const value = number_in(digit + ("e" + std::to_string(decade)));
            if (value && *value > range.first && *value < range.last)
                values.push_back(*value);
        }
    }
    if (range.last > range.first)
        values.push_back(range.last);
    return values;
}

Result<std::size_t> count_in(std::string_view text, std::string_view part) {
    auto const count = number_in(text);
    if (!count || !is_whole(*count) || *count < 2)
        return fail(ErrorCode::malformed,
                    "in " + quoted(part) + ", " + quoted(text) + " is no number of values from 2. " + advice);
    if (*count > static_cast<double>(most_points))
        return too_many(part);
    return static_cast<std::size_t>(*count);
}

Result<std::vector<double>> logarithmic(Range const& range, std::string_view how, std::string_view part) {
    if (range.first <= 0)
        return fail(ErrorCode::out_of_range, quoted(part) + " is logarithmic: it has to start above 0");
    if (how == "log")
        return round_numbers(range);
    auto count = count_in(how.substr(std::string_view("log=").size()), part);
    if (!count)
        return pass_on(count);
    return spread_by_ratio(range, *count);
}

Result<std::vector<double>> values_of_range(Range const& range, std::string_view how, std::string_view part,
                                            SweptNumbers& numbers) {
    if (how.empty() && range.is_time && range.last > range.first)
        return fail(ErrorCode::malformed,
                    quoted(part) + " does not say its steps: such as :step=1us, :points=11 or :log");
    if (how.empty())
        return stepped(range, 1, part);
    if (how == "log" || how.starts_with("log="))
        return logarithmic(range, how, part);
    if (how.starts_with("step=")) {
        auto const step = numbers.number(how.substr(std::string_view("step=").size()));
        if (!step || *step <= 0)
            return fail(ErrorCode::malformed, "the step in " + quoted(part) + " is no number above 0");
        return stepped(range, *step, part);
    }
    if (how.starts_with("points=")) {
        auto count = count_in(how.substr(std::string_view("points=").size()), part);
        if (!count)
            return pass_on(count);
        return spread_evenly(range, *count);
    }
    return fail(ErrorCode::malformed,
                quoted(how) + " is none of log, log=COUNT, step=NUMBER and points=COUNT. " + advice);
}

Result<std::vector<double>> values_of_part(std::string_view part, SweptNumbers& numbers) {
    auto const dots = part.find("..");
    if (dots == std::string_view::npos) {
        auto const value = numbers.number(part);
        if (!value)
            return fail(ErrorCode::malformed, quoted(part) + " is not a number. " + advice);
        return std::vector<double>{*value};
    }
    auto const colon = std::min(part.find(':'), part.size());
    auto const first = numbers.number(part.substr(0, dots));
    auto const last =
        dots + 2 <= colon ? numbers.number(part.substr(dots + 2, colon - dots - 2)) : std::nullopt;
    if (!first || !last)
        return fail(ErrorCode::malformed, quoted(part) + " is not a range of numbers. " + advice);
    if (*last < *first)
        return fail(ErrorCode::out_of_range, "the range " + quoted(part) + " falls");
    return values_of_range({*first, *last, numbers.has_units()},
                           colon < part.size() ? part.substr(colon + 1) : "", part, numbers);
}

// Also "node.L", and "cpu-speed" of a search.
bool is_name(std::string_view text) {
    auto const is_part = [](char sign) {
        return std::isalnum(static_cast<unsigned char>(sign)) != 0 || sign == '_' || sign == '.' ||
               sign == '-';
    };
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
           text.front() != '-' && std::ranges::all_of(text, is_part);
}

}  // namespace

Result<Sweep> parse_sweep(std::string_view text) {
    auto const equals = std::min(text.find('='), text.size());
    if (equals == text.size() || !is_name(text.substr(0, equals)))
        return fail(ErrorCode::malformed, quoted(text) + " names no parameter. " + advice);
    Sweep sweep{std::string(text.substr(0, equals)), {}};
    SweptNumbers numbers;
    for (auto rest = text.substr(equals + 1);;) {
        auto const comma = std::min(rest.find(','), rest.size());
        auto const part = rest.substr(0, comma);
        auto values = values_of_part(part, numbers);
        if (!values)
            return pass_on(values);
        if (sweep.values.size() + values->size() > most_points)
            return too_many(text);
        std::ranges::copy(*values, std::back_inserter(sweep.values));
        sweep.is_logarithmic = sweep.is_logarithmic || part.find(":log") != std::string_view::npos;
        if (comma == rest.size())
            break;
        rest.remove_prefix(comma + 1);
    }
    if (numbers.are_mixed())
        return fail(ErrorCode::malformed, quoted(text) + " has numbers with a unit and others without");
    sweep.has_units = numbers.has_units();
    return sweep;
}

Result<void> check_axes(std::span<Sweep const> sweeps) {
    for (std::size_t i = 0; i < sweeps.size(); ++i)
        if (std::ranges::find(sweeps.first(i), sweeps[i].name, &Sweep::name) != sweeps.first(i).end())
            return fail(ErrorCode::unasked, "--sweep: '" + sweeps[i].name +
                                                "' goes through its values once; give them all at once");
    double points = 1;
    for (auto const& sweep : sweeps)
        points *= static_cast<double>(sweep.values.size());
    if (points > static_cast<double>(most_points))
        return fail(
            ErrorCode::unasked,
            "--sweep: more than " + count_text(static_cast<std::int64_t>(most_points)) + " points together");
    return {};
}

}  // namespace parcast::forecast
