// Measures what the recording's host takes to wake and to create a thread: 3 to 70 us, by processor and
// hypervisor. Programs whose threads wait often scale by that.

#pragma once

#include <optional>

#include "timeline/provenance.h"

namespace parcast::study {

// Measured on the first two CPUs that parcast may use, in some 40 ms. None: there is one CPU.
std::optional<WakeUpTimes> sense_wake_ups();

}  // namespace parcast::study
