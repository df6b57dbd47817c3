// Measures what the recording's host takes to wake and to create a thread. Programs whose threads wait often
// scale by that: on one virtual machine 11 us after a short sleep, 120 after a long one.

#pragma once

#include <optional>

#include "timeline/provenance.h"

namespace parcast::study {

// Measured on the first two CPUs that parcast may use, in a process of its own, in some 50 ms; in half a
// second at most, where others use them. None: there is one CPU, others kept them busy, or it cannot be
// measured.
std::optional<WakeUpTimes> sense_wake_ups();

}  // namespace parcast::study
