// On what a program runs: processors, scheduler, and the costs of scheduling. A plain value; the TOML
// form is docs/formats/machine.md, its reader machine/machine_toml.h. Schedulers are described in
// docs/schedulers.md.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/result.h"
#include "core/time.h"
#include "machine/calibration.h"
#include "machine/rates.h"

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
    Duration balance_interval{4'000'000};     // a tick: docs/schedulers.md says who looks at which
    Duration migration_cost{500'000};         // who ran so lately is not taken to an idle processor
    std::int64_t idle_search_percent =
        85;  // utilisation from which wake-ups search no idle processor; 0: always
    std::int64_t idle_pull_percent = 50;  // odds that a processor looks for threads as it becomes idle
    friend bool operator==(LinuxScheduler const&, LinuxScheduler const&) = default;
};

using Scheduler = std::variant<IdealScheduler, LinuxScheduler>;

// What an unlock does when threads wait.
enum class LockPolicy : std::uint8_t {
    barging,   // frees the lock and wakes one waiter, which competes again (futex mutexes, Linux)
    hand_off,  // gives the lock to the first waiter
};

// What scheduling costs. All of it is processor time of `overhead`, not of the program's work, but for
// `wake_up`, during which a processor is idle.
struct Costs {
    Duration context_switch{0};    // on the processor that changes threads
    Duration wake_up{0};           // latency from release until a thread on another, idle processor runs
    Duration wake_waiter{0};       // in the releaser, for each thread that it wakes on an idle processor, on
                                   // top of what waking one on the same took when it was recorded; may be < 0
    Duration wake_up_same_cpu{0};  // of a thread that waited and then queued for a processor: its way into
                                   // sleep and out of it, on top of the context switch
    Duration create_thread{0};     // in the creator, on top of what was recorded
    friend bool operator==(Costs const&, Costs const&) = default;
};

// What a thread does while it waits for others: it spins so long, on its processor, before it sleeps.
// 0 is passive waiting. An OpenMP runtime with OMP_WAIT_POLICY=active spins at barriers, an adaptive
// mutex before it sleeps. pthread spin locks spin without end, joins never do.
struct Waiting {
    Duration barrier_spin{0};    // barriers, also those made of a mutex and a condition
    Duration lock_spin{0};       // mutexes and reader-writer locks
    Duration condition_spin{0};  // conditions and semaphores
    friend bool operator==(Waiting const&, Waiting const&) = default;
};

struct Machine {
    std::string name = "ideal";
    std::uint32_t cpus = 1;  // 1..65536
    Scheduler scheduler = IdealScheduler{};
    LockPolicy lock_policy = LockPolicy::hand_off;
    Costs costs;
    Waiting waiting;
    Rates rates;
    std::optional<Calibration> calibration;  // where the values come from, if they were measured
    friend bool operator==(Machine const&, Machine const&) = default;
};

// The two machines that `--scheduler` names. Linux: barging locks, and costs as measured on one
// Linux 6.18 machine (docs/schedulers.md says how).
Machine ideal_machine(std::uint32_t cpus);
Machine linux_machine(std::uint32_t cpus);

// "ideal" or "linux".
char const* name_of(Scheduler const& scheduler);

// Errors: out_of_range, with the field and its limits.
Result<void> check(Machine const& machine);

}  // namespace parcast
