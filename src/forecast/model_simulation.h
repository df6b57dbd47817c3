// A model simulated at every point of a sweep, and its long run by mean value analysis, for a prediction that
// has them beside the formula.

#pragma once

#include <cstddef>

#include "answer/answer.h"
#include "core/result.h"
#include "forecast/model_points.h"
#include "program/process_model.h"

namespace parcast::forecast {

// What is simulated: a process of the model, at each point of the grid.
struct SimulatedProcess {
    ProcessModel const& model;
    ProcessId root;
    ModelGrid const& grid;
    ModelFormula const& formula;  // for what times are divided by
};

// Fills in prediction.simulated, and notes and assumptions of the simulation. Errors: those of
// ensemble::simulate.
Result<void> add_simulation(Answer& prediction, SimulatedProcess const& process, Question const& question);

// A column "MVA" where the model is a closed queueing network at some point; none where there are more points
// than most_analysed.
inline constexpr std::size_t most_analysed = 10'000;
Result<void> add_mean_value_analysis(Answer& prediction, SimulatedProcess const& process);

}  // namespace parcast::forecast
