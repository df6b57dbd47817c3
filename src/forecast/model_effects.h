// What each parameter of a formula does to the time, and which of them are counts.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "core/result.h"
#include "forecast/model_formula.h"

namespace parcast::forecast {

// A parameter as the sensitivity sees it.
struct VariedParameter {
    std::string name;
    std::size_t place = 0;
    bool is_count = false;  // of turns, branches or servers: moved by whole steps
};

// The greatest effect on the mean first. Slopes by central differences, of two step sizes extrapolated to
// none; of counts over whole steps; one-sided where the other side has no value.
Result<std::vector<ParameterEffect>> effects_at(ModelFormula const& formula,
                                                std::span<VariedParameter const> parameters,
                                                std::vector<double> const& values);

// Whether the parameter says how often something is done, or by how many.
bool is_count(ProcessModel const& model, std::string const& parameter);

}  // namespace parcast::forecast
