// The parameters of a machine that are times or shares, by their key in a machine file
// (docs/formats/machine.md): one list for reading, writing, checking and reporting.

#pragma once

#include <array>

#include "machine/limits.h"
#include "machine/machine.h"

namespace parcast {

template <class Part>
struct DurationField {
    char const* key;
    LimitsNs limits;
    Duration Part::* member;
};

inline constexpr std::array<DurationField<LinuxScheduler>, 4> scheduler_fields = {{
    {"slice_ns", slice_limits, &LinuxScheduler::slice},
    {"wake_up_granularity_ns", granularity_limits, &LinuxScheduler::wake_up_granularity},
    {"balance_interval_ns", balance_limits, &LinuxScheduler::balance_interval},
    {"migration_cost_ns", granularity_limits, &LinuxScheduler::migration_cost},
}};

// Parameters that are shares, in percent.
struct PercentField {
    char const* key;
    std::int64_t LinuxScheduler::* member;
};

inline constexpr std::array<PercentField, 2> percent_fields = {{
    {"idle_search_percent", &LinuxScheduler::idle_search_percent},
    {"idle_pull_percent", &LinuxScheduler::idle_pull_percent},
}};

inline constexpr std::array<DurationField<Costs>, 5> cost_fields = {{
    {"context_switch_ns", cost_limits, &Costs::context_switch},
    {"wake_up_ns", cost_limits, &Costs::wake_up},
    {"wake_waiter_ns", difference_limits, &Costs::wake_waiter},
    {"wake_up_same_cpu_ns", cost_limits, &Costs::wake_up_same_cpu},
    {"create_thread_ns", cost_limits, &Costs::create_thread},
}};

inline constexpr std::array<DurationField<Waiting>, 3> waiting_fields = {{
    {"barrier_spin_ns", spin_limits, &Waiting::barrier_spin},
    {"lock_spin_ns", spin_limits, &Waiting::lock_spin},
    {"condition_spin_ns", spin_limits, &Waiting::condition_spin},
}};

}  // namespace parcast
