#include "cli/files/cpu_times_file.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/files/json_text.h"

namespace parcast::cli {

namespace {

using Json = nlohmann::json;

std::optional<double> number_of(Json const& json, char const* name) {
    auto const found = json.is_object() ? json.find(name) : json.end();
    bool const is_number = json.is_object() && found != json.end() && found->is_number();
    auto const value = is_number ? found->get<double>() : -1;
    return std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

std::optional<CpuTimeAt> count_in(Json const& json) {
    auto const cpus = number_of(json, "cpus");
    auto const turn_share = number_of(json, "turn_share");
    if (!cpus || !turn_share || *turn_share >= 1 || !json.contains("cpu_ns"))
        return std::nullopt;
    auto const& time = json["cpu_ns"];
    auto const median = number_of(time, "median");
    auto const least = number_of(time, "min");
    auto const most = number_of(time, "max");
    constexpr double most_cpus = 65'536;
    if (!median || !least || !most || *median <= 0 || *cpus < 1 || *cpus > most_cpus)
        return std::nullopt;
    return CpuTimeAt{static_cast<std::uint32_t>(*cpus), {*median, *least, *most}, *turn_share};
}

constexpr char const* making = "It is made by: parcast scale --cpu-times --json -- PROGRAM {cpus}";

tl::unexpected<Error> malformed(std::string const& file, std::string const& what) {
    return fail(Error{ErrorCode::malformed, what, SourcePosition{file, {}, {}, {}}, making});
}

}  // namespace

Result<CpuTimes> read_cpu_times(std::string const& file) {
    auto const text = read_json_text(file);
    if (!text)
        return fail(with_advice(text.error(), making));
    auto const json = Json::parse(*text, nullptr, false);
    if (!json.is_object() || json.value("schema", Json()) != "parcast.cpu-times/1" ||
        !json.contains("counts") || !json["counts"].is_array())
        return malformed(file, "no answer of parcast scale --cpu-times --json");
    CpuTimes times;
    if (auto const input = json.find("input"); input != json.end() && input->contains("command"))
        for (auto const& word : (*input)["command"])
            times.command.push_back(word.is_string() ? word.get<std::string>() : std::string());
    for (auto const& each : json["counts"]) {
        auto const count = count_in(each);
        if (!count)
            return malformed(file, fmt::format("count {} has no number of CPUs, CPU time and share of turns",
                                               times.counts.size() + 1));
        times.counts.push_back(*count);
    }
    std::ranges::sort(times.counts, {}, &CpuTimeAt::cpus);
    if (std::ranges::find(times.counts, 1U, &CpuTimeAt::cpus) == times.counts.end())
        return malformed(file, "the CPU time of one thread is missing");
    return times;
}

}  // namespace parcast::cli
