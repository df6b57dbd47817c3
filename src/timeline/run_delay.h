// How long a thread was ready to run, inside a call that waits for something outside, and had no CPU: other
// threads or other programs had it. That is not the device's time. The kernel counts it (schedstat).
//
// Kept in Event::related, which such calls do not need otherwise, in microseconds.

#pragma once

#include <cstdint>
#include <optional>

#include "timeline/event.h"

namespace parcast {

// Calls that wait for a device, for another process or for a signal.
bool waits_outside(EventKind kind);

// ns; none: it is not known, or `event` is another call.
std::optional<std::int64_t> run_delay_ns(Event const& event);
// REQUIRES: waits_outside(event.kind), ns >= 0.
void set_run_delay(Event& event, std::int64_t ns);

}  // namespace parcast
