// Waits of a replay that end with the wake-up that ended them in the recording, since the replay deadlocks
// with any other, or the ordered model was asked for. Where much time passes in them, a real run may be
// faster: another thread comes first there.

#pragma once

#include <optional>
#include <span>

#include "answer/answer.h"
#include "answer/finding.h"

namespace parcast::forecast {

// The time in ns without any wait for another thread: each works, sleeps and does its input and output, and
// each that does a notable part of the work has a CPU, as far as there are enough.
double without_waits_ns(Accounts const& accounts);

// A warning, with the place at which most is lost; none of a program that was written down, or if waits for
// other threads cost less than a tenth of the CPUs' time on every count, or those as recorded next to nothing
// of that, or if the program takes about as long without any wait.
std::optional<Finding> recorded_wake_ups(std::span<Row const> rows, RecordingBasis const& basis);

}  // namespace parcast::forecast
