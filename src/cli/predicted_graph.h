// From the file of a task graph to its prediction: the first half of `predict`, `view` and `report` of a task
// graph.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/predict_command.h"
#include "core/result.h"
#include "model/deterministic/deterministic.h"
#include "model/deterministic/policy.h"
#include "program/task_graph.h"
#include "report/task_graph_prediction.h"

namespace parcast::cli {

struct PredictedGraph {
    TaskGraph graph;
    std::unique_ptr<model::ContentionLaw const> law;  // null: tasks do not disturb each other
    model::Options options;                           // under that law
    std::vector<model::Policy> policies;              // that were predicted
    std::vector<std::uint32_t> cpus;                  // on which they were
    report::TaskGraphPrediction prediction;
};

// What is wrong with a graph for what is to be done with it, before it is executed.
using GraphCheck = std::optional<Error> (*)(TaskGraph const& graph, std::string const& file);

// Reads the graph and executes it under each schedule on each number of CPUs. Refuses what cannot be read,
// what `check` refuses, options of recordings, and schedules that the graph says too little for.
Result<PredictedGraph> predicted_graph(PredictArguments const& arguments, GraphCheck check = nullptr);

// Without a law of contention.
model::Options options_of(TaskGraphArguments const& arguments);

// Options that mean something for recordings only, or for task graphs only: the first that was given.
std::optional<std::string> option_of_recordings(PredictArguments const& arguments);
std::optional<std::string> option_of_task_graphs(PredictArguments const& arguments);

}  // namespace parcast::cli
