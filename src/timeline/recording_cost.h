// What the recording itself cost the recorded program, from the prices that the recorder measured in the
// process: every event costs Provenance::event_cost_ns, and one that blocked or saw its thread switched out a
// reading of the CPU clock (clock_read_ns) more. Readings after a millisecond without one are left out: they
// are below a thousandth of the time.

#pragma once

#include "timeline/timeline.h"

namespace parcast {

// ns of CPU time that recording `event` took. The clock is read when a blocked call returns, so the kernel
// counts about half of the reading as part of the call (inside_ns).
struct EventCost {
    double inside_ns = 0;   // in Event::cpu_inside_ns
    double outside_ns = 0;  // in Event::cpu_ns of this event and the next
};
EventCost recording_cost(Event const& event, Provenance const& provenance);

// ns, of all events.
double recording_cost(Timeline const& recorded);

}  // namespace parcast
