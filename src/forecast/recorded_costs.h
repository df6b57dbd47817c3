// What waking and creating threads takes, where the recording knows it of its host and no machine is named.

#pragma once

#include <optional>
#include <string>

#include "forecast/target.h"
#include "timeline/provenance.h"

namespace parcast::forecast {

// The target with the wake-ups of the recording's host, if it is the usual one.
TargetMachine with_recorded_wake_ups(TargetMachine target, Provenance const& recorded);

// What waking takes, and that `record` measured it. None: it is not by the recording. `recorded` is null for
// a program that was written down.
std::optional<std::string> wake_up_assumption(TargetMachine const& target, Provenance const* recorded);

}  // namespace parcast::forecast
