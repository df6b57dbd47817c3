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
#include "machine/machine.h"
#include "model/deterministic/contention.h"
#include "program/task_graph.h"
#include "timeline/run.h"

namespace parcast::model {

enum class Keep : std::uint8_t { totals, schedule, timeline };  // each with what comes before it

struct ExecutionOptions {
    Keep keep = Keep::totals;
    // Lent: how running tasks delay each other, solved before. Null: as the machine says (machine_law).
    ContentionLaw const* contention = nullptr;
};

struct ScheduledTask {
    TaskId task;
    std::uint32_t process = 0;
    double ready_ns = 0;  // when all that it waits for is done
    double taken_ns = 0;  // from a queue: until the start its process pays for that (ReadyTasks::fetch_ns)
    double start_ns = 0;
    double finish_ns = 0;

    friend bool operator==(ScheduledTask const&, ScheduledTask const&) = default;
};

// The exact times, and the same as a run in whole ns. Conserved: work + all that is lost = processors * time.
struct GraphExecution {
    double time_ns = 0;
    double work_ns = 0;
    LostTime lost;
    bool has_approximate_delays = false;  // ContentionLaw::is_approximate of a state that was met
    double mean_busy = 0;                 // processors, over the time; 0 if that is 0
    std::vector<double> busy_for_ns;      // by number of busy processors
    std::vector<ScheduledTask> schedule;  // in the order in which tasks finish; if kept
    // Its threads are the tasks, if the schedule is kept. Latency and contention are work that was slowed.
    Run run;
};

// On machine.cpus processors under machine.ready_tasks. REQUIRES: the graph passes its check.
// Errors: out_of_range (no processors, processor time that no account holds), inconsistent (a policy that the
// graph says too little for, a law that gives no number), and those of the law.
Result<GraphExecution> execute(TaskGraph const& graph, Machine const& machine,
                               ExecutionOptions const& options = {});

}  // namespace parcast::model
