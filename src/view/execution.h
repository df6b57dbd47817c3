// One execution as the page draws it: accounts, lanes, parallelism, events, critical path, deadlock and
// sentences, in the columns of docs/formats/execution.md.

#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "answer/messages.h"
#include "answer/run_sentences.h"
#include "machine/machine.h"
#include "program/task_graph.h"
#include "program/thread_program.h"
#include "simulate/simulate.h"
#include "view/sections.h"

namespace parcast::view {

// Beyond these a page would take gigabytes: the execution then has accounts, but no lanes or no events.
inline constexpr std::size_t most_intervals = 64'000'000;
inline constexpr std::int64_t most_events = 4'000'000;

// What a replay that is to be drawn has to keep.
simulate::ReplayOptions options_for_view(ThreadProgram const& program, simulate::Pairing pairing);

// What an execution means, in sentences. Empty: it has none, as one that was recorded.
using Meaning = std::function<RunSentences(RunFacts const&)>;

// `recorded`: but for its model and its machine, which are those of the replay.
Meaning meaning_of_replays(Machine const& machine, simulate::Pairing pairing, Circumstances recorded);

// What a replay of the program on the machine gave. Without run.timeline its lanes are empty, without
// arrivals its events. REQUIRES: fewer than 65 536 processors. Cost: time O(intervals * log(intervals) +
// events * log(events)); memory about twice the result.
Bytes execution_bytes(Run const& run, ThreadProgram const& program, Machine const& machine,
                      simulate::Pairing pairing, Meaning const& meaning = {});

// What a replay of a message program gave: its threads are the CPUs of ranks, its objects what they wait for
// (timeline/run_of_messages.h). `times`: of the same run, for its sentences.
Bytes message_execution_bytes(Run const& run, MessageTimes const& times,
                              std::span<std::uint32_t const> node_of_rank);

// What was measured, without operations and objects. The catalogue names its threads. REQUIRES: run.timeline.
Bytes measured_execution_bytes(Run const& run, Catalogue const& catalogue);

// What the execution of a task graph gave: its threads are the tasks, without operations and objects.
Bytes graph_execution_bytes(Run const& run, TaskGraph const& graph, Meaning const& meaning = {});

}  // namespace parcast::view
