// Which machine explains these samples? Costs and rates of `shape` become the measured ones. What could not
// be measured (with one CPU there is no other to wake) stays as it was.
//
//     context_switch    = a switch between two threads that yield, without the call
//     wake_up_same_cpu  = sleeping, switching and waking on one CPU, less that switch
//     wake_up           = from the release to a thread running on another CPU that was idle for 200 us
//     wake_waiter       = waking a thread of another CPU, less waking one of the same, which the recorded
//                         work holds
//     ..._soon          = both for a CPU that was idle for 20 us, no more than for 200
//     create_thread     = creating a thread on another CPU, less creating it on the same
//     hot_handover      = a lock that two CPUs take every 200 ns, less the same of one CPU
//     network.node      = messages through shared memory (Kielmann, Bal and Verstoep 2000): o is what the
//                         sender of a byte pays, L the rest of half a round trip, g the time of each of many;
//                         O and G what each further byte adds to a send and to a stream
//     compute, memory   = speed of each of k busy CPUs over that of one alone
//
// Costs are medians, and a difference below zero is noise around zero. Speeds are 95th percentiles, since
// others can only slow a loop down: neighbours that move memory, or the host of a virtual machine that puts
// two of its CPUs on the two hardware threads of one core for a while. Between measured counts the time of
// a loop round is linear; no rate is above that of fewer CPUs.

#pragma once

#include <map>
#include <string>

#include "calibrate/measure.h"
#include "calibrate/statistics.h"
#include "machine/machine.h"

namespace parcast::calibrate {

// Speeds as shares of the 95th percentile of one CPU alone. Empty without a sample of one alone.
std::map<std::size_t, std::vector<double>> relative(SpeedSamples const& speeds);

// The calibration's values are filled in, by key; its other fields are the caller's.
// Errors: out_of_range (a measured time that a machine file cannot hold).
Result<Machine> fit(Samples const& samples, Machine const& shape);

// What was measured, by key: those of `descriptions`, then "compute_rate_1", "memory_rate_1", ...
std::map<std::string, MeasuredValue> values_of(Samples const& samples);

}  // namespace parcast::calibrate
