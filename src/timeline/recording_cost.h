// What the recording itself cost the recorded program, from the prices that the recorder measured in the
// process: every event costs Provenance::event_cost_ns, and one that blocked or saw its thread switched out a
// reading of the CPU clock (clock_read_ns) more. Readings after a millisecond without one are left out: they
// are below a thousandth of the time. Of waits that follow each other quickly only some end with a reading,
// but it is in the time inside the wait, which is no work. The last to arrive at a barrier does not wait, and
// reads nothing.

#pragma once

#include <span>
#include <vector>

#include "timeline/timeline.h"

namespace parcast {

// ns of CPU time that recording `event` took. The reading as a blocked call returns is over when its end is
// noted, so it is part of the call.
struct EventCost {
    double inside_ns = 0;   // in Event::cpu_inside_ns
    double outside_ns = 0;  // in Event::cpu_ns of this event and the next
};
EventCost recording_cost(Event const& event, Provenance const& provenance);

// ns that dividing work among functions took, in the work that the share is of; and the CPU time of each
// share without it, none below 0. `piece`: all shares of one piece of work.
double recording_cost(WorkShare const& share, Provenance const& provenance);
std::vector<double> without_recording_cost(std::span<WorkShare const> piece, Catalogue const& catalogue,
                                           Provenance const& provenance);

// ns, of all events and shares.
double recording_cost(Timeline const& recorded);

// The same as a share of the recorded CPU time; 0 if that is not known.
double recording_share(Timeline const& recorded);
double recording_share(double cost_ns, Provenance const& provenance);

}  // namespace parcast
