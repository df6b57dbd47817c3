// What one event costs on this machine in this process: measured at the start, so that the analysis can
// say how far a recording is to be trusted.

#pragma once

#include "wire/record.h"

namespace parcast::recorder {

// Sets event_cost_ns, unmeasured_cost_ns, clock_read_ns and definition_cost_ns, and finds how many ticks a
// millisecond and wire::brief_ns have. False if there is no clock to do that with. Takes tens of
// microseconds.
bool measure_event_cost(wire::Header& header);

}  // namespace parcast::recorder
