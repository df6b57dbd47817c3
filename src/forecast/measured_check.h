// Whether a prediction holds where the program was measured (record --measure), and what becomes of the rest
// of it where it does not. docs/trust.md.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "forecast/target.h"

namespace parcast::forecast {

// More CPU time than wall time passed in the runs that were to have one CPU: the program chooses its CPUs.
bool ran_on_several(std::vector<MeasuredCpus> const& measured);

// Why predictions for the target tell nothing of the host that was measured: "its scheduler is another one".
std::optional<std::string> reason_not_to_compare(TargetMachine const& target, Provenance const& recorded);

// One CPU and those that were measured, where they are compared; else nothing. Rising.
std::vector<std::uint32_t> counts_to_check(TargetMachine const& target,
                                           std::optional<Provenance> const& recorded);

// Judges the measurements by the answer's rows, which may have ranges: sets the verdicts, adds the finding
// measured_otherwise, widens ranges, and withdraws the conclusion where the measurement is far off.
// REQUIRES: answer.is_replayed().
void check_measurements(Answer& answer);

// The speed-up on n CPUs, by a prediction that was `implied` where it was `predicted` on `cpus`: work that
// takes more time there takes more of it by as much with each further CPU, as if it shared one thing. What
// was faster may go on as efficiently as it was.
double implied_speed_up(double speed_up, double n, double cpus, double predicted, double implied);

}  // namespace parcast::forecast
