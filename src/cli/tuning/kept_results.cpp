#include "cli/tuning/kept_results.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/core.h>
#include <xxhash.h>
#include <nlohmann/json.hpp>

#include "cli/files/files.h"
#include "cli/files/output_file.h"
#include "report/json/envelope.h"

namespace parcast::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr char const* evaluation_schema = "parcast.evaluation/1";

Json times_json(std::vector<double> const& times) {
    Json json = Json::array();
    for (auto const time : times)
        json.push_back(time);
    return json;
}

std::optional<Evaluation> evaluation_in(Json const& json, Json const& question) {
    bool const is_ours = json.is_object() && json.value("schema", "") == evaluation_schema &&
                         json.contains("question") && json["question"] == question &&
                         json.contains("times_ns") && json["times_ns"].is_array() &&
                         !json["times_ns"].empty();
    if (!is_ours)
        return std::nullopt;
    Evaluation evaluation;
    for (auto const& time : json["times_ns"]) {
        if (!time.is_number())
            return std::nullopt;
        evaluation.times_ns.push_back(time.get<double>());
    }
    if (json.contains("computation_ns") && json["computation_ns"].is_number())
        evaluation.computation_ns = json["computation_ns"].get<double>();
    if (json.contains("assumptions") && json["assumptions"].is_array())
        for (auto const& sentence : json["assumptions"])
            if (sentence.is_string())
                evaluation.assumptions.push_back(sentence.get<std::string>());
    return evaluation;
}

}  // namespace

std::string content_hash(std::string_view content) {
    auto const hash = XXH3_128bits(content.data(), content.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Result<KeptResults> KeptResults::open(std::string folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (!problem && !std::filesystem::is_directory(folder, problem))
        problem = std::make_error_code(std::errc::not_a_directory);
    if (problem)
        return fail(make_error(ErrorCode::not_written,
                               folder + " cannot be a folder of results: " + problem.message(),
                               "Name another folder with --results."));
    return KeptResults(std::move(folder));
}

std::string KeptResults::path_of(Json const& question) const {
    return folder_ + "/" + content_hash(report::to_line(question)) + ".json";
}

std::optional<Evaluation> KeptResults::find(Json const& question) const {
    auto const text = read_text(path_of(question));
    if (!text)
        return std::nullopt;
    return evaluation_in(Json::parse(*text, nullptr, false), question);
}

Result<void> KeptResults::keep(Json const& question, Evaluation const& evaluation) const {
    Json json{{"schema", evaluation_schema},
              {"question", question},
              {"times_ns", times_json(evaluation.times_ns)},
              {"computation_ns", evaluation.computation_ns ? Json(*evaluation.computation_ns) : Json()},
              {"assumptions", evaluation.assumptions}};
    auto const written = write_text(report::to_text(json), path_of(question), Existing::replace);
    if (!written)
        return fail(with_advice(written.error(), "Name another folder with --results."));
    return {};
}

}  // namespace parcast::cli
