// The rows of "predictions", for every form of program: docs/formats/predict.schema.json.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "answer/answer.h"

namespace parcast::report {

enum class ThreadRows : std::uint8_t { absent, present };

// Runs of a recording or a task graph, points of a model.
std::size_t row_count(Answer const& answer);

// REQUIRES: first <= end <= row_count(answer).
std::vector<nlohmann::ordered_json> rows_json(Answer const& answer, ThreadRows threads, std::size_t first,
                                              std::size_t end);

nlohmann::ordered_json deadlock_json(Deadlock const& deadlock, Catalogue const& catalogue);

}  // namespace parcast::report
