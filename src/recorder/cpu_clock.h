// Ticks, and the question "was this thread switched out since I last asked?", by one of three methods
// (wire::Clock), best first:
//
//   rseq          The kernel clears rseq_cs, which we point to a dummy critical section, when it preempts
//                 the thread or delivers a signal to it. One load; nothing to set up. glibc >= 2.35.
//   perf_page     The `lock` counter in the page of a task-clock event changes whenever the thread is
//                 switched in. A mapping a thread; containers often forbid it.
//   thread_clock  Always answers yes, so the thread's CPU clock is read at every event.
//
// While the answer is no, a difference of ticks is CPU time (but for what a hypervisor stole).
// The same load and comparison serves all three, so the hot path knows no method.

#pragma once

#include "recorder/system.h"
#include "wire/record.h"

#include <stdint.h>
#include <x86intrin.h>

namespace parcast::recorder {

inline uint64_t read_ticks() {
    return __rdtsc();
}

// The shortest of several readings: a preemption between its halves would pair them wrongly. Zero
// if the clock cannot be read.
wire::ClockPair read_clock_pair();

struct SwitchWatch {
    uint32_t const volatile* flag;  // differs from `armed` once the thread was switched out; rseq: in rseq_cs
    uint32_t armed;
    uint32_t never;  // what `flag` points to where every answer is yes
    void* page;      // perf_page: the mapping
};

inline bool was_switched(SwitchWatch const& watch) {
    return *watch.flag != watch.armed;
}
inline bool always_switched(SwitchWatch const& watch) {
    return watch.flag == &watch.never;
}

// The first method of the order that works here, tried by a real switch; `forced` is the name of one
// ("rseq", "perf", "thread") that is to be tried first, or nullptr.
wire::Clock choose_clock(char const* forced);

// For the calling thread. A thread whose perf event cannot be opened gets the thread clock.
void begin_watch(SwitchWatch& watch, wire::Clock clock);
void arm(SwitchWatch& watch, wire::Clock clock);
void end_watch(SwitchWatch& watch);
// In a child: the kernel leaves out the page of its parent's event.
void forget_watch(SwitchWatch& watch);

// cpu_clock_rseq.cpp
bool begin_rseq_watch(SwitchWatch& watch);
void arm_rseq_watch(SwitchWatch& watch);

// cpu_clock_perf.cpp
bool begin_perf_watch(SwitchWatch& watch);
void arm_perf_watch(SwitchWatch& watch);
void end_perf_watch(SwitchWatch& watch);

}  // namespace parcast::recorder
