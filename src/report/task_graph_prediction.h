// What `parcast predict GRAPH` found out, as values: for each scheduling policy and number of processors how
// long the task graph takes. The text and the JSON are two forms of it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/theories.h"

namespace parcast::report {

struct SpeedUpRange {
    double lower = 1;
    double upper = 1;
};

// Processor time of a run that was no CPU time of tasks.
struct LostProcessorTime {
    double idle_ns = 0;
    double latency_ns = 0;
    double contention_ns = 0;
    double overhead_ns = 0;
};

struct TaskGraphRun {
    std::uint32_t cpus = 1;
    double time_ns = 0;
    double speed_up = 1;  // against TaskGraphPrediction::sequential_ns
    double efficiency = 1;
    std::optional<SpeedUpRange> bounds;  // none: their assumptions do not hold
    LostProcessorTime lost;
    double mean_busy = 0;
    std::vector<double> busy_for_ns;  // by number of busy processors
};

struct ScheduledRuns {
    std::string schedule;  // as it is written: "batch:4"
    bool is_work_conserving = true;
    std::vector<TaskGraphRun> runs;  // by the numbers of processors, the same for all schedules
};

// A schedule that would only repeat another, since the graph says too little.
struct ScheduleLeftOut {
    std::string schedule;
    std::string reason;  // "no task has a process"
};

struct TaskGraphPrediction {
    std::string file;
    std::string format;  // "json", "wfformat", "stg", "dot"
    std::string name;
    std::uint64_t tasks = 0;
    std::uint64_t groups = 0;
    std::uint64_t precedences = 0;  // between groups
    double work_ns = 0;
    double sequential_ns = 0;  // on one processor that pays nothing for taking tasks
    double span_ns = 0;
    double average_parallelism = 1;
    std::uint32_t maximum_parallelism = 1;
    std::string retire;                     // "one" or "all"
    std::optional<std::string> contention;  // the law
    std::vector<double>
        overhead_ns;  // of taking a task from a shared queue, by the number of busy processors
    std::vector<ScheduledRuns> schedules;   // at least one
    std::vector<ScheduleLeftOut> left_out;  // of all that there are, if all were asked for
    std::vector<std::string> assumptions;
    std::optional<Theories> comparison;  // of the first schedule
};

}  // namespace parcast::report
