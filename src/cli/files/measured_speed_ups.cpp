#include "cli/files/measured_speed_ups.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/files/json_text.h"

namespace parcast::cli {

namespace {

using ScaleJson = nlohmann::json;

constexpr char const* measuring =
    "It is made by: parcast scale --json --measure --cpus 1,2 -- PROGRAM {cpus} > scale.json";

ScaleJson const& member_of(ScaleJson const& json, char const* name) {
    static ScaleJson const nothing;
    if (!json.is_object())
        return nothing;
    auto const found = json.find(name);
    return found != json.end() ? *found : nothing;
}

std::optional<double> above_zero(ScaleJson const& json) {
    double const value = json.is_number() ? json.get<double>() : 0;
    return std::isfinite(value) && value > 0 ? std::optional(value) : std::nullopt;
}

// None: it was not measured on as many CPUs as it was told.
std::optional<SpeedUpMeasuredWith> measured_in(ScaleJson const& count) {
    auto const cpus = above_zero(member_of(count, "cpus"));
    auto const compared = above_zero(member_of(count, "compared_cpus"));
    auto const& speed_up = member_of(member_of(count, "over_one"), "measured");
    auto const median = above_zero(member_of(speed_up, "median"));
    auto const least = above_zero(member_of(speed_up, "min"));
    auto const most = above_zero(member_of(speed_up, "max"));
    constexpr double most_threads = 65'536;
    if (!cpus || !compared || *cpus != *compared || *cpus > most_threads || !median || !least || !most)
        return std::nullopt;
    return SpeedUpMeasuredWith{static_cast<std::uint32_t>(*cpus), {*median, *least, *most}};
}

}  // namespace

Result<std::vector<SpeedUpMeasuredWith>> read_measured_speed_ups(std::string const& file) {
    auto const text = read_json_text(file);
    if (!text)
        return fail(with_advice(text.error(), measuring));
    auto const json = ScaleJson::parse(*text, nullptr, false);
    auto const& counts = member_of(json, "counts");
    if (member_of(json, "schema") != "parcast.scale/2" || !counts.is_array())
        return fail(
            make_error(ErrorCode::malformed, file + " is no answer of parcast scale --json", measuring));
    std::vector<SpeedUpMeasuredWith> speed_ups;
    for (auto const& count : counts)
        if (auto const measured = measured_in(count))
            speed_ups.push_back(*measured);
    if (speed_ups.empty())
        return fail(make_error(
            ErrorCode::inconsistent,
            file + " has no measured speed-up over the program that is told to use one CPU", measuring));
    std::ranges::sort(speed_ups, {}, &SpeedUpMeasuredWith::threads);
    return speed_ups;
}

}  // namespace parcast::cli
