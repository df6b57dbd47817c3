// The recorded program unrecorded, on the one CPU that it is recorded on: what a recording cannot know of
// itself.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/host_laboratory.h"
#include "study/runs.h"

namespace parcast::study {

// A variant for each of the time slices; none: the usual ones. A run that takes over twice as long as the
// recording is ended. `what` is said as a run begins: "measuring the price of a turn". The setting is kept by
// reference.
measure::HostLaboratory bare_laboratory(ScaleSetting const& setting, std::uint32_t cpus,
                                        Timeline const& recorded,
                                        std::vector<std::optional<Duration>> const& time_slices,
                                        std::string const& what);

// Who compares with measurements waits for a quiet machine and discards what was disturbed, here as well.
measure::Protocol bare_protocol(ScaleSetting const& setting);

std::vector<measure::ChildRun> runs_of(measure::Series const& series);

}  // namespace parcast::study
