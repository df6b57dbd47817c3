// The answer of `parcast formula`: a model in the PAMELA language again, LaTeX, or Python. `file` is that of
// the model.

#pragma once

#include <cstdint>
#include <string>

#include "answer/formula.h"

namespace parcast::report {

enum class FormulaDigits : std::uint8_t { ten, all };

std::string formula_pamela(FormulaAnswer const& answer, std::string const& file, FormulaDigits digits);
std::string formula_latex(FormulaAnswer const& answer);
std::string formula_python(FormulaAnswer const& answer, std::string const& file);

}  // namespace parcast::report
