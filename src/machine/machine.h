// On what a program runs: processors, scheduler, and the costs of scheduling. A plain value; the TOML
// form is docs/formats/machine.md, its reader machine/machine_toml.h. Schedulers are described in
// docs/schedulers.md.

#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/result.h"
#include "core/time.h"

namespace parcast {

// Processor sharing with infinitely small slices: n ready threads on P processors run at rate
// min(1, P/n) each. Ignores priorities and affinity.
struct IdealScheduler {
    friend bool operator==(IdealScheduler const&, IdealScheduler const&) = default;
};

// A queue a processor, fair shares by virtual run time, after Linux's fair class; SCHED_FIFO above it.
struct LinuxScheduler {
    Duration slice{2'800'000};                // longest uninterrupted run while others wait
    Duration wake_up_granularity{1'000'000};  // virtual-time lead that a woken thread needs to preempt
    Duration balance_interval{4'000'000};     // how often a busy processor looks for a longer queue
    friend bool operator==(LinuxScheduler const&, LinuxScheduler const&) = default;
};

using Scheduler = std::variant<IdealScheduler, LinuxScheduler>;

// What an unlock does when threads wait.
enum class LockPolicy : std::uint8_t {
    barging,   // frees the lock and wakes one waiter, which competes again (futex mutexes, Linux)
    hand_off,  // gives the lock to the first waiter
};

// Every cost is processor time of `overhead`, not of the program's work.
struct Costs {
    Duration context_switch{0};  // on the processor that changes threads
    Duration wake_up{0};         // latency from release until a thread on another, idle processor runs
    Duration create_thread{0};   // in the creator, on top of what was recorded
    friend bool operator==(Costs const&, Costs const&) = default;
};

struct Machine {
    std::string name = "ideal";
    std::uint32_t cpus = 1;  // 1..65536
    Scheduler scheduler = IdealScheduler{};
    LockPolicy lock_policy = LockPolicy::hand_off;
    Costs costs;
    friend bool operator==(Machine const&, Machine const&) = default;
};

// The two machines that `--scheduler` names. Linux: barging locks, and costs as measured on one
// Linux 6.18 machine (docs/schedulers.md says how); `parcast calibrate` is not there yet.
Machine ideal_machine(std::uint32_t cpus);
Machine linux_machine(std::uint32_t cpus);

// "ideal" or "linux".
char const* name_of(Scheduler const& scheduler);

// Errors: out_of_range, with the field and its limits.
Result<void> check(Machine const& machine);

}  // namespace parcast
