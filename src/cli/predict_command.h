// parcast predict FILE: how long the recorded program takes on other numbers of CPUs, and why. Of a task
// graph: how long that takes under a schedule. Of a model in the PAMELA language: the moments of its time.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/model_arguments.h"
#include "cli/task_graph_file.h"
#include "machine/schedulers.h"
#include "model/deterministic/deterministic.h"

namespace parcast::cli {

enum class ModelName : std::uint8_t {
    automatic,  // direct, but strict where it deadlocks
    direct,
    strict,
};

enum class TasksName : std::uint8_t {
    automatic,  // pieces of work go to the thread that is free first, where it is clear what they are
    recorded,   // to the thread that got them on one CPU
};

// For task graphs only.
struct TaskGraphArguments {
    TaskGraphReading reading;
    std::vector<std::string> schedules;  // as they are written; empty: fifo
    model::Retire retire = model::Retire::one;
    bool compare = false;             // other theories beside the first schedule
    std::vector<double> overhead_ns;  // of taking a task from a shared queue: model::Options::fetch_ns
};

struct PredictArguments {
    std::string file;
    std::optional<std::vector<std::uint32_t>> cpus;  // absent: the machine file's, or a usual list
    std::optional<SchedulerNumber> scheduler;        // absent: usual_scheduler
    ModelName model = ModelName::automatic;
    TasksName tasks = TasksName::automatic;
    std::optional<std::string> machine_file;  // "default": none, not the host's own either
    std::optional<std::string> memory;        // file or preset of what is shared; absent: the machine's
    std::optional<unsigned> jobs;             // replays at once; absent: as many as this machine has CPUs
    bool threads_table = false;
    bool assumptions = false;
    bool json = false;
    TaskGraphArguments graph;
    ModelArguments model_file;  // --set is among the task graph's
};

// Returns an exit status.
int predict(PredictArguments const& arguments);

}  // namespace parcast::cli
