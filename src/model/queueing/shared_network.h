// What running tasks share as a closed queueing network: its stations, what each class of tasks does there,
// and how long the tasks of a set of running classes delay each other. A cycle is a nanosecond of CPU time.
//
// Exact mean value analysis where it is small; else Schweitzer's approximation, and whoever solves says so
// (is_solved_exactly).

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "machine/memory.h"
#include "model/deterministic/contention.h"
#include "model/queueing/closed_network.h"

namespace parcast::model {

// A station as the law sees it, and the parameter that says how often it is visited.
struct Server {
    std::string rate;  // "memory.rate"
    double service_ns = 0;
    std::uint32_t servers = 1;
    StationKind kind = StationKind::queue;
    UncontendedTime uncontended = UncontendedTime::in_cpu_time;
};

std::vector<Server> servers_of(SharedResources const& resources);

// What a class of tasks does in a nanosecond of its CPU time.
struct ClassUse {
    std::vector<double> rates;  // by server
    double think = 1;           // of that nanosecond, not at a server; below 0: more than all of it is there
    double alone = 0;           // at servers, if nobody else is there
    double in_cpu_time = 0;     // of that, what the nanosecond contains
};

ClassUse use_of(std::vector<Server> const& servers, std::vector<double> rates);

// Delay per ns of CPU time of each of so many tasks of one class. Errors: those of exact_mva.
Result<double> delay_of_one_class(std::vector<Server> const& servers, ClassUse const& use,
                                  std::uint32_t tasks);

// The same by running class, as ContentionLaw::Solve. Classes that visit no station neither wait nor are
// waited for. uses: by class.
Result<void> solve_stations(std::vector<Server> const& servers, std::vector<ClassUse> const& uses,
                            std::span<RunningClass const> running, std::span<double> delay);

bool is_solved_exactly(std::vector<Server> const& servers, std::vector<ClassUse> const& uses,
                       std::span<RunningClass const> running);

}  // namespace parcast::model
