// Evaluations in a folder, a file each, which several processes fill and read at once. A file is there whole
// or not at all, and its name is a hash of what was asked: one that is there is the answer to this question.
// The format: docs/formats/evaluation.schema.json.

#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "answer/tuning.h"
#include "core/result.h"

namespace parcast::cli {

class KeptResults {
public:
    // The folder is made. Errors: not_written.
    static Result<KeptResults> open(std::string folder);

    // None: nobody has evaluated it, or its file is none of ours.
    std::optional<Evaluation> find(nlohmann::ordered_json const& question) const;
    // Errors: not_written.
    Result<void> keep(nlohmann::ordered_json const& question, Evaluation const& evaluation) const;

private:
    explicit KeptResults(std::string folder) : folder_(std::move(folder)) {}
    std::string path_of(nlohmann::ordered_json const& question) const;

    std::string folder_;
};

// For a text or a file's content.
std::string content_hash(std::string_view content);

}  // namespace parcast::cli
