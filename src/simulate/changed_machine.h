// A machine as it would be after a change: most changes are of the program (program/work_change.h).

#pragma once

#include "machine/machine.h"
#include "program/work_change.h"

namespace parcast {

// wake-ups=free: a released thread runs at once, and its releaser pays nothing. What makes up for dear
// wake-ups of the recording (wake_waiter < 0) stays: it is no cost. lwps=8: under two-level and its
// presets; others have no LWPs.
Machine changed(Machine machine, Scenario const& scenario);

}  // namespace parcast
