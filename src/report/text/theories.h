// Other theories beside a prediction of the deterministic model: `parcast predict GRAPH --compare`.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "answer/theories.h"
#include "report/layout.h"

namespace parcast::report {

// Two tables, times of theories and bounds of the speed-up; and a sentence for each theory that does not
// apply.
std::string theories_text(Theories const& theories, Layout const& layout);

// "comparison" of docs/formats/predict.schema.json.
nlohmann::ordered_json theories_json(Theories const& theories);

}  // namespace parcast::report
