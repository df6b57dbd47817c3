#include "pages/report_elements.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/counted.h"
#include "report/names.h"

namespace parcast::pages {

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;
using Points = std::vector<report::MeasuredPoint>;

constexpr std::uint32_t most_cpus = 65'534;
constexpr std::size_t most_sentences = 20;

// A member that may be missing: null then.
Json const& member(Json const& json, char const* name) {
    static Json const nothing;
    auto const found = json.is_object() ? json.find(name) : json.end();
    return json.is_object() && found != json.end() ? *found : nothing;
}

std::optional<double> positive(Json const& json) {
    double const value = json.is_number() ? json.get<double>() : 0;
    return std::isfinite(value) && value > 0 ? std::optional(value) : std::nullopt;
}

std::optional<std::uint32_t> count_of(Json const& json) {
    bool const is_count = json.is_number_unsigned() && json.get<std::uint64_t>() <= most_cpus;
    return is_count ? std::optional(json.get<std::uint32_t>()) : std::nullopt;
}

Words words_of(Json const& json) {
    Words words;
    for (Json const& word : json.is_array() ? json : Json::array())
        words.push_back(word.is_string() ? word.get<std::string>() : std::string());
    return words;
}

std::optional<Spread> spread_in(Json const& json) {
    auto const median = positive(member(json, "median"));
    auto const least = positive(member(json, "min"));
    auto const most = positive(member(json, "max"));
    bool const is_spread = median && least && most && *least <= *median && *median <= *most;
    return is_spread ? std::optional(Spread{*median, *least, *most}) : std::nullopt;
}

// Of the series on so many CPUs.
std::optional<Spread> time_on(Json const& count, std::uint32_t cpus) {
    Json const& measured = member(count, "measured");
    for (Json const& series : measured.is_array() ? measured : Json::array())
        if (count_of(member(series, "cpus")) == cpus)
            return spread_in(member(series, "time_ns"));
    return std::nullopt;
}

// None: it was not measured, or not with the same threads on one CPU.
std::optional<report::MeasuredPoint> point_of(Json const& count) {
    auto const cpus = count_of(member(count, "compared_cpus"));
    auto const speed_up = spread_in(member(member(count, "same_threads"), "measured"));
    auto const time = cpus ? time_on(count, *cpus) : std::nullopt;
    if (!cpus || *cpus < 2 || !speed_up || !time)
        return std::nullopt;
    auto sentences = words_of(member(count, "explanation"));
    sentences.resize(std::min(sentences.size(), most_sentences));
    return report::MeasuredPoint{*cpus, *speed_up, time->median, std::move(sentences)};
}

// The same program from another folder is the same program.
bool is_same_command(Words const& a, Words const& b) {
    auto const name = [](std::string const& word) { return std::filesystem::path(word).filename(); };
    return !a.empty() && a.size() == b.size() && name(a.front()) == name(b.front()) &&
           std::equal(a.begin() + 1, a.end(), b.begin() + 1);
}

// A program that makes a thread for each CPU that it sees is another one on other CPUs.
bool has_same_threads(Json const& count, Answer const& prediction) {
    Json const& recorded = member(count, "recorded");
    auto const& pretended = prediction.recording().provenance->pretended_cpus;
    Json const& shown = member(recorded, "pretended_cpus");
    bool const saw_the_same =
        pretended && shown.is_number_integer() && shown.get<std::int64_t>() == *pretended;
    return saw_the_same ||
           count_of(member(recorded, "threads")) == prediction.recording().catalogue.threads.size();
}

tl::unexpected<Error> refused(std::string message, std::string advice) {
    return fail(make_error(ErrorCode::inconsistent, std::move(message), std::move(advice)));
}

std::string measuring(Answer const& prediction) {
    return "Measure it with: parcast scale --json --measure --cpus 1,2 -- " +
           report::shown_command(prediction.recording().provenance->command) + " > scale.json";
}

Error why_none(Json const& counts, std::string const& file, Answer const& prediction) {
    auto const recorded = report::shown_command(prediction.recording().provenance->command);
    std::string others;
    std::optional<std::uint32_t> threads;
    bool is_measured = false;
    for (Json const& count : counts) {
        Words const command = words_of(member(count, "command"));
        is_measured = is_measured || !member(count, "compared_cpus").is_null();
        if (is_same_command(command, prediction.recording().provenance->command))
            threads = count_of(member(member(count, "recorded"), "threads"));
        else if (others.empty())
            others = report::shown_command(command);
    }
    if (!is_measured)
        return make_error(ErrorCode::inconsistent, file + " has predictions only, no measurements.",
                          measuring(prediction));
    if (!threads) {
        return make_error(
            ErrorCode::inconsistent,
            file + " measured \"" + others + "\", and the recording is of \"" + recorded + "\".",
            "Record one of its commands (parcast scale --keep FOLDER keeps its recordings), or measure this "
            "one: " +
                measuring(prediction).substr(std::string_view("Measure it with: ").size()));
    }
    if (*threads != prediction.recording().catalogue.threads.size()) {
        return make_error(
            ErrorCode::inconsistent,
            file + " measured \"" + recorded + "\" with " + counted(std::int64_t{*threads}, "thread") +
                ", and the recording has " + std::to_string(prediction.recording().catalogue.threads.size()) +
                ".",
            "Record it as it was measured: parcast record --pretend-cpus N, or parcast scale --keep FOLDER.");
    }
    return make_error(
        ErrorCode::inconsistent,
        file + " has no measurement of \"" + recorded + "\" with the same threads on one CPU and on several.",
        "Tell the program how many threads to make, and record it with more than one: "
        "parcast scale --json --measure --cpus 1,2 -- PROGRAM -p {cpus}");
}

}  // namespace

Result<Points> measured_points(Result<std::string> const& text, std::string const& file,
                               Answer const& prediction) {
    if (!text)
        return refused(describe(text.error()), measuring(prediction));
    Json const json = Json::parse(*text, nullptr, false);
    Json const& schema = member(json, "schema");
    Json const& counts = member(json, "counts");
    if (!schema.is_string() || schema.get<std::string>() != "parcast.scale/2" || !counts.is_array())
        return refused(file + " is no answer of parcast scale --json.", measuring(prediction));
    Points points;
    for (Json const& count : counts) {
        auto point = point_of(count);
        bool const is_ours =
            is_same_command(words_of(member(count, "command")), prediction.recording().provenance->command) &&
            has_same_threads(count, prediction);
        bool const is_known =
            point && std::ranges::find(points, point->cpus, &report::MeasuredPoint::cpus) != points.end();
        if (is_ours && point && !is_known)
            points.push_back(std::move(*point));
    }
    if (points.empty())
        return tl::unexpected(why_none(counts, file, prediction));
    std::ranges::sort(points, {}, &report::MeasuredPoint::cpus);
    return points;
}

}  // namespace parcast::pages
