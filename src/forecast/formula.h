// The formulas of a model's execution time, for `parcast formula`.

#pragma once

#include "answer/formula.h"
#include "core/result.h"
#include "forecast/time_domain_equations.h"

namespace parcast::forecast {

// Errors: those of time_domain_equations.
Result<FormulaAnswer> formula_answer(ProcessModel& model, EquationChoice const& choice);

}  // namespace parcast::forecast
