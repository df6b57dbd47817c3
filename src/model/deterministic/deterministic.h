// How long does a task graph take on so many processors under a scheduling policy, if every task takes
// exactly its mean time? The deterministic model of Adve 1993, chapter 4: the basic one, where tasks do not
// disturb each other, and the full one, where running tasks delay each other by a law of contention.
//
// Assumptions: (1) task times do not vary; (2) a process runs one task to its end before it takes another
// (but for processor sharing, where processors are divided evenly); (3) delay is spread evenly over the rest
// of a task; (4) a state of contention is in equilibrium from its first moment.
//
// With whole times, the basic model is exact to 2^53 ns. Rates of the full model and of processor sharing
// round: relative error about 1e-15 a state. Cost: time O(tasks * log(processors) + edges), with contention
// times the classes that run together; memory 12 bytes a task and 16 a group, and what the policy needs (at
// most 12 bytes a task), beside the graph.

#pragma once

#include <cstdint>
#include <vector>

#include "answer/lost_time.h"
#include "core/result.h"
#include "model/deterministic/contention.h"
#include "model/deterministic/policy.h"
#include "program/task_graph.h"

namespace parcast::model {

// Tasks that finish at the same instant: the algorithm as printed retires one and lets idle processes take
// tasks before the next retires. The rule decides (Graham's anomaly: 10 or 13 for the same graph).
enum class Retire : std::uint8_t { one, all };

enum class Keep : std::uint8_t { totals, schedule };

struct Options {
    Retire retire = Retire::one;
    Keep keep = Keep::totals;
    // What a process pays before it runs what it took from a shared queue: if it alone is busy, if two are,
    // and so on; the last stands for more. Empty: nothing. It delays the start and is not spread over the
    // task.
    std::vector<double> fetch_ns = {};
    ContentionLaw const* contention = nullptr;  // lent; null: the basic model
};

struct ScheduledTask {
    TaskId task;
    std::uint32_t process = 0;
    double start_ns = 0;
    double finish_ns = 0;
    double taken_ns = 0;  // from a queue: until the start its process pays for that (Options::fetch_ns)

    friend bool operator==(ScheduledTask const&, ScheduledTask const&) = default;
};

// Conserved: work + all that is lost = processors * time.
struct Execution {
    std::uint32_t processors = 0;
    double time_ns = 0;
    double work_ns = 0;
    LostTime lost;
    double mean_busy = 0;                 // processors, over the time; 0 if that is 0
    std::vector<double> busy_for_ns;      // by number of busy processors
    std::vector<ScheduledTask> schedule;  // in the order in which tasks finish; if kept

    friend bool operator==(Execution const&, Execution const&) = default;
};

// REQUIRES: the graph passes its check.
// Errors: out_of_range (no processors), inconsistent (a policy that the graph says too little for, a law that
// gives no number), and those of the law.
Result<Execution> execute(TaskGraph const& graph, std::uint32_t processors, Policy const& policy,
                          Options const& options = {});

// The number of busy processors over time: steps of a kept schedule.
struct BusyStep {
    double from_ns = 0;
    std::uint32_t busy = 0;  // running tasks

    friend bool operator==(BusyStep const&, BusyStep const&) = default;
};
std::vector<BusyStep> busy_over_time(Execution const& execution);

}  // namespace parcast::model
