// How long a task graph takes under each schedule on each number of CPUs.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "answer/question.h"
#include "core/result.h"
#include "machine/machine.h"
#include "model/deterministic/deterministic.h"
#include "program/task_graph.h"

namespace parcast::forecast {

// An answer together with its graph and how it was executed, for callers that execute it again.
struct TaskGraphForecast {
    TaskGraph graph;
    Machine machine;                                  // but for its processors and its policy
    std::unique_ptr<model::ContentionLaw const> law;  // null: tasks do not disturb each other
    std::vector<ReadyPolicy> policies;                // that were executed
    std::vector<std::uint32_t> cpus;                  // on which they were
    Answer answer;
};

// The machine that a graph is executed on: its policy counts if the question names no schedule.
struct TaskMachine {
    Machine machine;
    std::unique_ptr<model::ContentionLaw const> law;  // null: as the machine says
};

// The graph of the forecast on its machine, once more. Errors: those of model::execute.
Result<model::GraphExecution> execute(TaskGraphForecast const& forecast, std::uint32_t cpus,
                                      ReadyPolicy const& policy, model::Keep keep);

// REQUIRES: the graph passes its check; question.cpus is not empty. Errors: unasked (a schedule that there is
// not, or that the graph says too little for), those of the law.
Result<TaskGraphForecast> forecast_task_graph(std::string const& file, std::string const& format,
                                              TaskGraph graph, TaskMachine machine, Question const& question);

}  // namespace parcast::forecast
