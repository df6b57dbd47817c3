// parcast predict FILE: how long the recorded program takes on other numbers of CPUs, and why.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parcast::cli {

enum class SchedulerName : std::uint8_t { ideal, linux_fair };

enum class ModelName : std::uint8_t {
    automatic,  // direct, unless it deadlocks
    direct,
    strict,
};

enum class TasksName : std::uint8_t {
    automatic,  // pieces of work go to the thread that is free first, where it is clear what they are
    recorded,   // to the thread that got them on one CPU
};

struct PredictArguments {
    std::string file;
    std::optional<std::vector<std::uint32_t>> cpus;  // absent: the machine file's, or a usual list
    std::optional<SchedulerName> scheduler;  // absent: linux
    ModelName model = ModelName::automatic;
    TasksName tasks = TasksName::automatic;
    std::optional<std::string> machine_file;  // "default": none, not the host's own either
    std::optional<unsigned> jobs;  // replays at once; absent: as many as this machine has CPUs
    bool threads_table = false;
    bool assumptions = false;
    bool json = false;
};

// Returns an exit status.
int predict(PredictArguments const& arguments);

}  // namespace parcast::cli
