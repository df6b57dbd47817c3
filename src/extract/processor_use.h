// Who could use the recorded CPU when: the evidence for how long an I/O call really waited for its device,
// where the kernel's count of the time that its thread was ready is not known (timeline/run_delay.h).
//
// A thread is runnable from the return of a waiting call (or its beginning) to its arrival at the next one
// (or its end): the recording shows no wait in between. While nobody is runnable the CPU is idle, or works
// inside calls.
//
// Threads inside calls work as well, when no runnable thread does: the CPU time of a call lies in the free
// time of its span, evenly. What all such calls together leave of the free time, the CPU was *idle*. A call
// during which it was idle for less than a quarter of the free time shows no wait: writers that copy their
// data in turns (four of the gateway's, whose 6 MB take longer than a time slice) keep the CPU busy, and none
// waits.
//
// The estimate for a call of thread T from s to e, with c of T's CPU time inside it:
// 1. The CPU was idle meanwhile, and nobody else was runnable just before e: T waited to the end.
//    Wait = e - s - c.
// 2. The CPU was idle meanwhile, but others kept it from some time before e on, and the data came then or
// later.
//    It came not before the last instant L in [s, e] at which nobody was runnable. Wait = L - s - c.
// 3. Else, of a write: it copied its data, and was preempted. Wait = 0.
// 4. Else the data came not later than the others' last stretch began, as far as we can
//    know: had T been waiting still, nothing would have told. Wait = that beginning - s - T's CPU
//    time before it.
// (2) and (4) estimate from below: a program that overlaps I/O with work on one CPU hides how slow its
// device is, up to the time of one such stretch a call.
//
// Source: Broberg 2002, paper II, measures the same with the kernel's log of blocked and runnable times.
// Other programs that had the CPU count as the device here.

#pragma once

#include <cstdint>
#include <vector>

#include "timeline/timeline.h"

namespace parcast::extract {

class ProcessorUse {
public:
    // Cost: O(n log n) for n waiting calls.
    explicit ProcessorUse(Timeline const& recorded);

    // ns that the call waited for its device by the rules above; may exceed its span less its CPU time.
    std::int64_t device_wait(Event const& call) const;

private:
    // From begin_ns to the next one's begin_ns, `runnable` threads could use the CPU.
    struct Stretch {
        std::int64_t begin_ns = 0;
        std::int64_t runnable = 0;
        std::int64_t last_start_ns = 0;   // the last instant up to begin_ns at which a thread became runnable
        std::int64_t free_before_ns = 0;  // time with nobody runnable, up to begin_ns
        double in_calls = 0;              // part of the CPU that calls use while nobody is runnable
        double idle_before_ns = 0;        // what they left of the free time, up to begin_ns
    };

    void add_work_in_calls(Timeline const& recorded);

    std::size_t stretch_before(std::int64_t when_ns) const;
    std::int64_t free_time(std::int64_t from_ns, std::int64_t to_ns) const;
    std::int64_t free_until(std::int64_t when_ns) const;
    double idle_until(std::int64_t when_ns) const;
    bool was_idle(std::int64_t from_ns, std::int64_t to_ns) const;

    std::vector<Stretch> stretches_;
};

}  // namespace parcast::extract
