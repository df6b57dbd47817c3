// The answer of `parcast formula --json`: docs/formats/formula.schema.json.

#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "answer/formula.h"

namespace parcast::report {

std::string formula_json(FormulaAnswer const& answer, nlohmann::ordered_json input, std::string_view version);

}  // namespace parcast::report
