// What scheduling and waiting cost on a machine.

#pragma once

#include <array>
#include <cstdint>

#include "core/time.h"
#include "machine/field.h"

namespace parcast {

// What an unlock does when threads wait.
enum class LockPolicy : std::uint8_t {
    barging,   // frees the lock and wakes one waiter, which competes again (futex mutexes, Linux)
    hand_off,  // gives the lock to the first waiter
};

// What scheduling costs. All of it is processor time of `overhead`, not of the program's work, but for
// `wake_up`, during which a processor is idle.
struct Costs {
    Duration context_switch{0};  // on the processor that changes threads
    Duration wake_up{0};         // latency from release until a thread on another, idle processor runs
    Duration wake_waiter{0};     // in the releaser, for each thread that it wakes on an idle processor, on
                                 // top of what waking one on the same took when it was recorded; may be < 0
    // Both of a processor that has been idle for 20 us or less, if it then wakes more quickly than after 200;
    // in between, in proportion. wake_up_soon is 0 where nobody knows.
    Duration wake_up_soon{0};
    Duration wake_waiter_soon{0};
    Duration wake_up_same_cpu{0};  // of a thread that waited and then queued for a processor: its way into
                                   // sleep and out of it, on top of the context switch
    Duration create_thread{0};     // in the creator, on several processors, on top of what was recorded
    Duration event_delay{0};   // until a thread that waited on another processor hears that it was released
                               // (Broberg 2002, paper VII: t; paper I: the communication delay)
    Duration hot_handover{0};  // until a processor has the line of a lock that another one has just used

    static constexpr auto fields() {
        return std::array<Field<Costs>, 9>{{
            {"context_switch_ns", cost_limits, &Costs::context_switch},
            {"wake_up_ns", cost_limits, &Costs::wake_up},
            {"wake_waiter_ns", difference_limits, &Costs::wake_waiter},
            {"wake_up_soon_ns", cost_limits, &Costs::wake_up_soon},
            {"wake_waiter_soon_ns", difference_limits, &Costs::wake_waiter_soon},
            {"wake_up_same_cpu_ns", cost_limits, &Costs::wake_up_same_cpu},
            {"create_thread_ns", cost_limits, &Costs::create_thread},
            {"event_delay_ns", cost_limits, &Costs::event_delay},
            {"hot_handover_ns", cost_limits, &Costs::hot_handover},
        }};
    }
    friend bool operator==(Costs const&, Costs const&) = default;
};

// What a thread does while it waits for others: it spins so long, on its processor, before it sleeps.
// 0 is passive waiting. An adaptive mutex spins before it sleeps. pthread spin locks spin without end, joins
// never do.
struct Waiting {
    // Threads of OpenMP teams: at their barriers, and until the next region. With a processor for each thread
    // of all teams libgomp turns 300,000 times in a loop with a PAUSE, with more threads 100 times, unless
    // OMP_WAIT_POLICY says otherwise (env.c: gomp_spin_count_var, gomp_throttled_spin_count_var).
    Duration team_spin{10'000'000};
    Duration crowded_team_spin{3'200};
    Duration barrier_spin{0};    // barriers, also those made of a mutex and a condition
    Duration lock_spin{0};       // mutexes and reader-writer locks
    Duration condition_spin{0};  // conditions and semaphores

    static constexpr auto fields() {
        return std::array<Field<Waiting>, 5>{{
            {"team_spin_ns", spin_limits, &Waiting::team_spin},
            {"crowded_team_spin_ns", spin_limits, &Waiting::crowded_team_spin},
            {"barrier_spin_ns", spin_limits, &Waiting::barrier_spin},
            {"lock_spin_ns", spin_limits, &Waiting::lock_spin},
            {"condition_spin_ns", spin_limits, &Waiting::condition_spin},
        }};
    }
    friend bool operator==(Waiting const&, Waiting const&) = default;
};

// What serves input and output.
struct Devices {
    std::int64_t at_once = 0;  // so many requests, first come, first served; 0: any number

    static constexpr auto fields() {
        return std::array<Field<Devices>, 1>{{{"at_once", at_once_limits, &Devices::at_once}}};
    }
    friend bool operator==(Devices const&, Devices const&) = default;
};

}  // namespace parcast
