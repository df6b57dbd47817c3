#include "virtual_time.h"

#include <algorithm>
#include <ctime>

#include <sys/syscall.h>
#include <unistd.h>

namespace oracle {

VirtualTime virtual_time;
thread_local VirtualCpu* this_virtual_cpu = nullptr;

// By system call: clock_gettime is ours in this process.
uint64_t host_now_ns() {
    timespec time = {};
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t VirtualTime::now_ns(VirtualCpu const* cpu) {
    uint64_t now = 0;
    if (is_lockstep())
        now = rounds_ns_ + (cpu != nullptr && cpu->joined != 0 ? cpu->executed : 0);
    else
        now = host_now_ns() - behind_host_ns_;
    uint64_t latest = latest_ns_;
    while (latest < now && !latest_ns_.compare_exchange_weak(latest, now)) {
    }
    return std::max(latest, now);
}

void VirtualTime::begin_lockstep() {
    rounds_ns_ = now_ns(nullptr);
    lockstep_ = true;
}

void VirtualTime::end_lockstep() {
    behind_host_ns_ = host_now_ns() - now_ns(this_virtual_cpu);
    lockstep_ = false;
}

void VirtualTime::add_round(uint64_t length_ns) {
    rounds_ns_ += length_ns;
}

}  // namespace oracle
