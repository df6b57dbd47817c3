#include "cli/files/baseline_file.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "answer/range.h"

namespace parcast::cli {

namespace {

using Json = nlohmann::json;

std::optional<double> number_of(Json const& json, char const* name) {
    if (!json.is_object() || !json.contains(name) || !json[name].is_number())
        return std::nullopt;
    auto const value = json[name].get<double>();
    return std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

std::string word_of(Json const& json, char const* name) {
    return json.is_object() && json.contains(name) && json[name].is_string() ? json[name].get<std::string>()
                                                                             : std::string();
}

// None: a row that deadlocked, or none at all.
std::optional<BaselineTime> time_in(Json const& row) {
    constexpr double most_cpus = 65'536;
    auto const cpus = number_of(row, "cpus");
    auto const time = number_of(row, "time_ns");
    if (!cpus || !time || *cpus < 1 || *cpus > most_cpus)
        return std::nullopt;
    BaselineTime found{static_cast<std::uint32_t>(*cpus), *time, std::nullopt, 1};
    if (!row.contains("range") || !row["range"].is_object() || !row["range"].contains("time_ns"))
        return found;
    auto const& range = row["range"];
    auto const low = number_of(range["time_ns"], "low");
    auto const high = number_of(range["time_ns"], "high");
    if (low && high)
        found.range = Range{*low, *high};
    if (range.contains("shares")) {
        found.own_share = 0;
        for (Uncertainty const each : uncertainties_of_one_recording)
            found.own_share += number_of(range["shares"], name_of(each).word).value_or(0);
    }
    return found;
}

}  // namespace

bool is_baseline_json(std::string_view head) {
    auto const first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && head[first] == '{';
}

Result<Baseline> baseline_in(std::string_view text, std::string const& file) {
    auto const json = Json::parse(text, nullptr, false);
    auto const schema = word_of(json, "schema");
    bool const is_ours = schema.starts_with("parcast.predict/") || schema.starts_with("parcast.check/");
    if (!is_ours || !json.contains("predictions") || !json["predictions"].is_array())
        return fail(Error{ErrorCode::malformed, "no answer of parcast predict --json or parcast check --json",
                          SourcePosition{file, {}, {}, {}},
                          "It is made by: parcast predict FILE --cpus 16 --json > baseline.json"});
    Baseline baseline{file, "", "", {}};
    if (json.contains("machine")) {
        baseline.machine = word_of(json["machine"], "name");
        baseline.scheduler = word_of(json["machine"], "scheduler");
    }
    for (auto const& row : json["predictions"])
        if (auto const time = time_in(row))
            baseline.times.push_back(*time);
    return baseline;
}

Baseline baseline_of(Answer const& answer) {
    Baseline baseline{answer.file, "", "", {}};
    if (answer.is_replayed()) {
        baseline.machine = answer.recording().machine.name;
        baseline.scheduler = answer.recording().machine.scheduler;
    }
    for (auto const& row : answer.rows) {
        if (row.run.deadlock)
            continue;
        BaselineTime time{row.cpus, row.time_ns, std::nullopt, 1};
        if (row.range) {
            time.range = row.range->time_ns;
            time.own_share = share_of_one_recording(*row.range);
        }
        baseline.times.push_back(time);
    }
    return baseline;
}

}  // namespace parcast::cli
