// The schedulers of recorded programs, one row each. A scheduler is a struct of its parameters, a place in
// `Scheduler` and a row of `schedulers`; options, machine files, JSON, the page and its module read this
// table. Its rules are in simulate/<name>.h and docs/schedulers.md.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "core/time.h"
#include "machine/costs.h"
#include "machine/field.h"

namespace parcast {

// Processor sharing with infinitely small slices: n ready threads on P processors run at rate
// min(1, P/n) each. Ignores priorities and affinity.
struct IdealScheduler {
    static constexpr auto fields() { return std::array<Field<IdealScheduler>, 0>{}; }
    friend bool operator==(IdealScheduler const&, IdealScheduler const&) = default;
};

// A queue a processor, fair shares by virtual run time, after Linux's fair class; SCHED_FIFO and SCHED_RR
// above it.
struct LinuxScheduler {
    Duration slice{2'800'000};                // longest uninterrupted run while others wait
    Duration wake_up_granularity{1'000'000};  // virtual-time lead that a woken thread needs to preempt
    Duration balance_interval{4'000'000};     // a tick: docs/schedulers.md says who looks at which
    Duration migration_cost{500'000};         // who ran so lately is not taken to an idle processor
    std::int64_t idle_search_percent =
        85;  // utilisation from which wake-ups search no idle processor; 0: always
    std::int64_t idle_pull_percent = 50;  // odds that a processor looks for threads as it becomes idle
    // The fair class. 1: by virtual deadlines, as since Linux 6.6. 0: CFS with slices of one length. 2: CFS
    // as it was up to Linux 6.5: a slice is a thread's part of a period of eight `slice`; both, and the
    // granularity, are those of one CPU, and grow with the CPUs.
    std::int64_t eevdf = 0;
    Duration real_time_slice{100'000'000};  // a turn of SCHED_RR

    static constexpr auto fields() {
        return std::array<Field<LinuxScheduler>, 8>{{
            {"slice_ns", slice_limits, &LinuxScheduler::slice},
            {"wake_up_granularity_ns", granularity_limits, &LinuxScheduler::wake_up_granularity},
            {"balance_interval_ns", balance_limits, &LinuxScheduler::balance_interval},
            {"migration_cost_ns", granularity_limits, &LinuxScheduler::migration_cost},
            {"idle_search_percent", percent_limits, &LinuxScheduler::idle_search_percent},
            {"idle_pull_percent", percent_limits, &LinuxScheduler::idle_pull_percent},
            {"eevdf", LimitsNs{0, 2}, &LinuxScheduler::eevdf},
            {"real_time_slice_ns", slice_limits, &LinuxScheduler::real_time_slice},
        }};
    }
    friend bool operator==(LinuxScheduler const&, LinuxScheduler const&) = default;
};

// Ready threads by turn, higher real-time levels first.
struct RoundRobinScheduler {
    Duration slice{10'000'000};      // longest run while others wait; 0: until the thread waits itself
    std::int64_t queue_per_cpu = 0;  // 1: every thread stays on one processor

    static constexpr auto fields() {
        return std::array<Field<RoundRobinScheduler>, 2>{{
            {"slice_ns", LimitsNs{0, slice_limits.high_ns}, &RoundRobinScheduler::slice},
            {"queue_per_cpu", LimitsNs{0, 1}, &RoundRobinScheduler::queue_per_cpu},
        }};
    }
    friend bool operator==(RoundRobinScheduler const&, RoundRobinScheduler const&) = default;
};

// One list of runnable threads, counters of ticks and goodness, after Linux 2.2.
struct Linux22Scheduler {
    Duration tick{10'000'000};
    std::int64_t refill_ticks = 20;         // the priority of nice 0, and what a refill adds
    std::int64_t change_penalty = 15;       // ticks that staying on its processor is worth to a thread
    std::int64_t clone_shares_counter = 0;  // 1: a new thread has half of what its creator had left

    static constexpr auto fields() {
        return std::array<Field<Linux22Scheduler>, 4>{{
            {"tick_ns", slice_limits, &Linux22Scheduler::tick},
            {"refill_ticks", LimitsNs{1, 1'000}, &Linux22Scheduler::refill_ticks},
            {"change_penalty", LimitsNs{0, 1'000}, &Linux22Scheduler::change_penalty},
            {"clone_shares_counter", LimitsNs{0, 1}, &Linux22Scheduler::clone_shares_counter},
        }};
    }
    friend bool operator==(Linux22Scheduler const&, Linux22Scheduler const&) = default;
};

// Threads on LWPs on processors, after Solaris 2: a pool of LWPs for the threads that are not bound, and one
// LWP of its own for each thread that is.
struct TwoLevelScheduler {
    std::int64_t lwps = 0;                    // in the pool; 0: as the next says
    std::int64_t lwps_per_cpu = 0;            // 0: one LWP in all
    std::int64_t time_slices = 1;             // 0: an LWP runs until it waits
    Duration rechoose_interval{30'000'000};   // who ran so lately waits for its processor
    Duration boost_interval{1'000'000'000};   // so often those that wait are raised; 0: never
    Duration create{0};                       // what the recording has for creating an unbound thread
    Duration synchronise{0};                  // and for what that does to a lock, a condition, a thread
    std::int64_t bound_create_percent = 670;  // of it, for a bound one
    std::int64_t bound_synchronise_percent = 590;

    static constexpr auto fields() {
        constexpr LimitsNs up_to_thousandfold{100, 100'000};
        return std::array<Field<TwoLevelScheduler>, 9>{{
            {"lwps", LimitsNs{0, most_cpus}, &TwoLevelScheduler::lwps},
            {"lwps_per_cpu", LimitsNs{0, 64}, &TwoLevelScheduler::lwps_per_cpu},
            {"time_slices", LimitsNs{0, 1}, &TwoLevelScheduler::time_slices},
            {"rechoose_interval_ns", granularity_limits, &TwoLevelScheduler::rechoose_interval},
            {"boost_interval_ns", granularity_limits, &TwoLevelScheduler::boost_interval},
            {"create_ns", cost_limits, &TwoLevelScheduler::create},
            {"synchronise_ns", cost_limits, &TwoLevelScheduler::synchronise},
            {"bound_create_percent", up_to_thousandfold, &TwoLevelScheduler::bound_create_percent},
            {"bound_synchronise_percent", up_to_thousandfold, &TwoLevelScheduler::bound_synchronise_percent},
        }};
    }
    friend bool operator==(TwoLevelScheduler const&, TwoLevelScheduler const&) = default;
};

using Scheduler =
    std::variant<IdealScheduler, LinuxScheduler, RoundRobinScheduler, Linux22Scheduler, TwoLevelScheduler>;

struct SchedulerRow {
    std::string_view word;     // as it is written everywhere
    std::string_view meaning;  // for a list of them
    Scheduler scheduler;       // with the parameters of its built-in machine,
    LockPolicy lock_policy;    // and what that has beside them
    Costs costs = {};
    bool knows_rates = false;     // busy processors may slow each other down
    bool knows_spinning = false;  // threads may wait on their processors (Waiting)
};

// In the order of Scheduler, then presets. Costs of linux: measured on one Linux 6.18 (docs/schedulers.md
// says how); creating a thread is part of the creator's recorded work already.
// Where they come from: docs/schedulers.md.
inline constexpr Costs linux_costs{.context_switch = {1'900}, .wake_up = {10'000}, .hot_handover = {130}};

inline constexpr std::array<SchedulerRow, std::variant_size_v<Scheduler> + 3> schedulers{{
    {"ideal", "processor sharing without costs", IdealScheduler{}, LockPolicy::hand_off, Costs{}, true},
    {"linux", "a queue a CPU with fair shares, slices and wake-up costs", LinuxScheduler{},
     LockPolicy::barging, linux_costs, true, true},
    {"round-robin", "threads by turn, higher real-time levels first, without costs", RoundRobinScheduler{},
     LockPolicy::hand_off},
    {"linux-2.2", "one list of threads with counters and goodness, as until 2001, without costs",
     Linux22Scheduler{}, LockPolicy::hand_off},
    {"two-level", "threads on LWPs (--lwps), which the kernel schedules by classes, as Solaris 2 did",
     TwoLevelScheduler{}, LockPolicy::barging},
    {"solaris", "two-level, and what bound threads cost more",
     TwoLevelScheduler{.create = {10'000}, .synchronise = {50}}, LockPolicy::barging},
    {"fibers", "two-level as today's runtimes: an LWP a CPU, until they wait, cheap switches",
     TwoLevelScheduler{.lwps_per_cpu = 1, .time_slices = 0}, LockPolicy::barging,
     Costs{.context_switch = {200}, .wake_up = {10'000}}},
    {"eevdf", "linux, whose fair class goes by deadlines, as since Linux 6.6", LinuxScheduler{.eevdf = 1},
     LockPolicy::barging, linux_costs, true, true},
}};

// Which row of `schedulers`.
using SchedulerNumber = std::uint8_t;

// Whether it is the preset, but for what one may set beside it: the number of LWPs; the values of linux.
constexpr bool is_preset(TwoLevelScheduler const& two_level, TwoLevelScheduler preset) {
    preset.lwps = two_level.lwps;
    return preset == two_level;
}
constexpr bool is_preset(LinuxScheduler const& scheduler, LinuxScheduler const& preset) {
    return scheduler.eevdf == preset.eevdf;
}

// Its preset's, else that of its kind.
constexpr SchedulerNumber number_of(Scheduler const& scheduler) {
    auto const number_among_presets = [](auto const& kind) {
        for (auto row = std::variant_size_v<Scheduler>; row < schedulers.size(); ++row)
            if constexpr (requires { is_preset(kind, kind); })
                if (auto const* preset =
                        std::get_if<std::remove_cvref_t<decltype(kind)>>(&schedulers[row].scheduler);
                    preset != nullptr && is_preset(kind, *preset))
                    return row;
        return schedulers.size();
    };
    auto const preset = std::visit(number_among_presets, scheduler);
    return static_cast<SchedulerNumber>(preset < schedulers.size() ? preset : scheduler.index());
}
constexpr std::string_view name_of(Scheduler const& scheduler) {
    return schedulers[number_of(scheduler)].word;
}
constexpr std::optional<SchedulerNumber> scheduler_named(std::string_view word) {
    for (std::size_t row = 0; row < schedulers.size(); ++row)
        if (schedulers[row].word == word)
            return static_cast<SchedulerNumber>(row);
    return std::nullopt;
}

// Under which a recording is replayed if nothing else is asked for.
inline constexpr SchedulerNumber usual_scheduler = number_of(LinuxScheduler{});

// All words, the usual one first: as they are offered.
inline constexpr auto scheduler_words = [] {
    std::array<std::string_view, schedulers.size()> words{schedulers[usual_scheduler].word};
    std::size_t next = 1;
    for (std::size_t row = 0; row < schedulers.size(); ++row)
        if (row != usual_scheduler)
            words[next++] = schedulers[row].word;
    return words;
}();

static_assert(
    [] {
        for (std::size_t row = 0; row < schedulers.size(); ++row)
            if (number_of(schedulers[row].scheduler) != row)
                return false;
        return true;
    }(),
    "the rows are in the order of Scheduler, and no two presets are alike");

}  // namespace parcast
