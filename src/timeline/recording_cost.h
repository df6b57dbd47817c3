// What the recording itself cost the recorded program, from the prices that the recorder measured in the
// process: every event costs Provenance::event_cost_ns, and one that blocked or saw its thread switched out a
// reading of the CPU clock (clock_read_ns) more. Readings after a millisecond without one are left out: they
// are below a thousandth of the time. Of waits that follow each other quickly only some end with a reading,
// but it is in the time inside the wait, which is no work. The last to arrive at a barrier does not wait, and
// reads nothing.

#pragma once

#include "timeline/timeline.h"

namespace parcast {

// ns of CPU time that recording `event` took. The reading as a blocked call returns is over when its end is
// noted, so it is part of the call.
struct EventCost {
    double inside_ns = 0;   // in Event::cpu_inside_ns
    double outside_ns = 0;  // in Event::cpu_ns of this event and the next
};
EventCost recording_cost(Event const& event, Provenance const& provenance);

// ns, of all events.
double recording_cost(Timeline const& recorded);

// By what share of itself the cost may be off either way. What an event takes depends on what the program
// does between its calls, which the price, measured between calls that follow each other at once, does not
// know: from 14 ns beside one long chain of divisions to 23 where each call is of another object, at a price
// of 18 to 19 (docs/performance.md, Recorder).
inline constexpr double recording_cost_uncertainty = 0.25;

}  // namespace parcast
