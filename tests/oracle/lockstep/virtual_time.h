// What time is it in the emulated machine? One instruction of a virtual CPU is one nanosecond.
//
//   free run    (boot, set-up, clean-up): the host's clock, each virtual CPU as fast as it goes.
//   lock-step   (between the marks of a measured program): all virtual CPUs execute the same number of
//               instructions a round, then wait for each other. Time is rounds times the length of a round.
//
// Time goes on from one into the other and never backwards, on any thread.

#pragma once

#include <atomic>
#include <cstdint>

namespace oracle {

// What a virtual CPU did since its round began. QEMU adds to `executed` in translated code.
struct VirtualCpu {
    uint64_t executed;
    uint64_t joined;  // 1 once it takes part in lock-step
};

class VirtualTime {
public:
    uint64_t now_ns(VirtualCpu const* cpu);  // `cpu`: that of the calling thread, null for QEMU's own threads
    void begin_lockstep();
    void end_lockstep();
    void add_round(uint64_t length_ns);
    bool is_lockstep() const { return lockstep_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> lockstep_ = false;
    std::atomic<uint64_t> rounds_ns_ = 0;       // lock-step: time at the start of the round
    std::atomic<uint64_t> behind_host_ns_ = 0;  // free run: what lock-step fell behind the host's clock
    std::atomic<uint64_t> latest_ns_ = 0;
};

uint64_t host_now_ns();

extern VirtualTime virtual_time;
extern thread_local VirtualCpu* this_virtual_cpu;

// From here on QEMU's clock and time stamp counter are virtual_time. Call before QEMU starts threads.
void replace_host_clocks();

}  // namespace oracle
