// What the recording itself cost the recorded program. Who noted an event decides its price:
//
// - The recorder's hook, at prices that it measured in the process: an event costs
//   Provenance::event_cost_ns, or unmeasured_cost_ns if its time was not measured, and one that blocked or
//   saw its thread switched out a reading of the CPU clock (clock_read_ns) more.
// - The kernel, if the event is one of its locks (core/kernel_locks.h): a note of each change and page
//   fault, at prices that parcast measured on itself.
//
// Readings after a millisecond without one are left out: they are below a thousandth of the time. Of waits
// that follow each other quickly only some end with a reading, but it is in the time inside the wait, which
// is no work. The last to arrive at a barrier does not wait, and reads nothing.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/kernel_locks.h"
#include "timeline/timeline.h"

namespace parcast {

// As constructed: nothing costs anything.
struct RecordingPrices {
    double event_ns = 0;
    double unmeasured_ns = 0;
    double clock_read_ns = 0;
    std::optional<CallProbes> call_probes;
    KernelLocks noted_by_kernel = {};  // the objects whose events it notes
    double map_change_ns = 0;
    double map_fault_ns = 0;
};
// Of `recorded` without its events.
RecordingPrices recording_prices(Timeline const& recorded);

// ns of CPU time that recording `event` took. The reading as a blocked call returns is over when its end is
// noted, so it is part of the call.
struct EventCost {
    double inside_ns = 0;   // in Event::cpu_inside_ns
    double outside_ns = 0;  // in Event::cpu_ns of this event and the next
};
EventCost recording_cost(Event const& event, RecordingPrices const& prices);

// ns that dividing work among functions took, in the work that the share is of; and the CPU time of each
// share without it, none below 0. `piece`: all shares of one piece of work.
double recording_cost(WorkShare const& share, RecordingPrices const& prices);
std::vector<double> without_recording_cost(std::span<WorkShare const> piece, Catalogue const& catalogue,
                                           RecordingPrices const& prices);

// ns, of all events and shares.
double recording_cost(Timeline const& recorded);

// Of so many events those that were not measured count by their part of the price of an event.
double priced_events(std::int64_t events, Provenance const& provenance);

// The same as a share of the recorded CPU time; 0 if that is not known.
double recording_share(Timeline const& recorded);
double recording_share(double cost_ns, Provenance const& provenance);

}  // namespace parcast
