// Takes a CPU from whoever runs on it every 100 us, so that threads that wait by running use up a little of
// it instead of whole time slices: a thread of ours, bound to that CPU, that wakes up so often.
//
// Needs no privileges. A shorter slice (sched_setattr) alone has no effect: the kernel looks at it at timer
// ticks only. Cost: 2 to 3 % of the CPU. One object at most while a program is recorded.

#pragma once

#include <atomic>
#include <thread>

namespace parcast::record {

class Preemption {
public:
    explicit Preemption(unsigned cpu);
    ~Preemption();
    Preemption(Preemption const&) = delete;
    Preemption& operator=(Preemption const&) = delete;

private:
    std::atomic<bool> is_over_ = false;
    std::thread thread_;
};

}  // namespace parcast::record
