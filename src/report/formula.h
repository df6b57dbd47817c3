// The answer of `parcast formula`.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "answer/formula.h"

namespace parcast::report {

// The answer of `parcast formula`: a model in the PAMELA language again, LaTeX, or Python. `file` is that of
// the model.
enum class FormulaDigits : std::uint8_t { ten, all };

std::string formula_pamela(FormulaAnswer const& answer, std::string const& file, FormulaDigits digits);
std::string formula_latex(FormulaAnswer const& answer);
std::string formula_python(FormulaAnswer const& answer, std::string const& file);

// The answer of `parcast formula --json`: docs/formats/formula.schema.json.
std::string formula_json(FormulaAnswer const& answer, nlohmann::ordered_json input, std::string_view version);

}  // namespace parcast::report
