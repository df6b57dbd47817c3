// One execution of a task graph for the page: the columns that a replay of a recording has, with a task where
// that has a thread.

#pragma once

#include <cstddef>
#include <cstdint>

#include "answer/answer.h"
#include "core/result.h"
#include "model/deterministic/deterministic.h"
#include "model/deterministic/policy.h"
#include "program/task_graph.h"
#include "simulate/simulate.h"
#include "view/replay_on_demand.h"
#include "view/sections.h"

namespace parcast::cli {

// A browser keeps names, accounts and a lane of each. Beyond these it would need gigabytes.
inline constexpr std::size_t most_tasks_in_page = 2'000'000;

// What `execution`, whose schedule was kept, gives: accounts and a timeline. Latency and contention are work
// that took longer; idle processors while a task is ready are told from those that find no task.
Run run_of(TaskGraph const& graph, model::Execution const& execution);

// As bytes (docs/formats/execution.md). With totals alone there are neither tasks nor lanes. Its sentences
// compare it with what was predicted.
view::Bytes execution_bytes(Run const& run, view::Detail detail, Answer const& prediction);

// What it gives under a policy; for totals without a timeline and tasks where these say nothing more. Errors:
// those of model::execute; out_of_range (longer than an Instant holds).
Result<Run> executed_run(TaskGraph const& graph, std::uint32_t cpus, model::Policy const& policy,
                         model::Options options, view::Detail detail);

// As bytes. Errors: those of model::execute; out_of_range (longer than an Instant holds).
Result<view::Bytes> executed_bytes(TaskGraph const& graph, std::uint32_t cpus, model::Policy const& policy,
                                   model::Options options, view::Detail detail, Answer const& prediction);

}  // namespace parcast::cli
