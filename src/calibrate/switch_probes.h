// What the kernel takes to stop one thread and to start another: hand-offs on one CPU, and wake-ups of a
// thread that sleeps on another, idle CPU.
//
// Times of single events are taken by reading the clock before and after, and include one reading of it
// (some 20 to 40 ns), which is small against them.

#pragma once

#include <cstddef>
#include <vector>

#include "core/time.h"

namespace parcast::calibrate {

// Two threads on one CPU wake each other and sleep, in turn. Both are of the batch class, whose threads do
// not preempt who wakes them: so the call that wakes and the switch come one after the other. At most `count`
// samples; a hand-over in which they did not is none.
struct HandOffs {
    std::vector<double> wake_calls_ns;  // the system call, for who wakes
    std::vector<double> switches_ns;    // from going to sleep to the other one's return from its sleep
};
HandOffs hand_offs(unsigned cpu, std::size_t count);

// Switches between two threads of one CPU that do nothing but yield, less what the call takes without
// anybody to yield to. At most `count` samples of many switches each.
std::vector<double> yield_switches(unsigned cpu, std::size_t count);

// A thread on `waker` wakes one that has slept on the CPU `sleeper`, then idle, for this long.
// REQUIRES: two CPUs.
struct WakeUps {
    std::vector<double> latencies_ns;   // from the release to the woken thread running
    std::vector<double> wake_calls_ns;  // the system call, for who wakes
};
WakeUps wake_ups(unsigned waker, unsigned sleeper, Duration idle, std::size_t count);

// What waking all of `waiters` threads costs the one who does it, a sample a wake-up of all.
// They sleep on the CPUs of `sleepers` in turn.
std::vector<double> wake_all_calls(unsigned waker, std::vector<unsigned> const& sleepers, std::size_t waiters,
                                   std::size_t count);

}  // namespace parcast::calibrate
