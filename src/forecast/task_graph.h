// How long a task graph takes under each schedule on each number of CPUs.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "answer/question.h"
#include "core/result.h"
#include "model/deterministic/deterministic.h"
#include "model/deterministic/policy.h"
#include "program/task_graph.h"

namespace parcast::forecast {

// An answer together with its graph and how it was executed, for callers that execute it again.
struct TaskGraphForecast {
    TaskGraph graph;
    std::unique_ptr<model::ContentionLaw const> law;  // null: tasks do not disturb each other
    model::Options options;                           // under that law
    std::vector<model::Policy> policies;              // that were executed
    std::vector<std::uint32_t> cpus;                  // on which they were
    Answer answer;
};

// The machine that a graph is executed on, but for its processors and its schedule.
struct TaskMachine {
    model::Options options;                           // without a law
    std::unique_ptr<model::ContentionLaw const> law;  // null: tasks do not disturb each other
};

// REQUIRES: the graph passes its check; question.cpus is not empty. Errors: unasked (a schedule that there is not, or
// that the graph says too little for), those of the law.
Result<TaskGraphForecast> forecast_task_graph(std::string const& file, std::string const& format,
                                              TaskGraph graph, TaskMachine machine, Question const& question);

}  // namespace parcast::forecast
