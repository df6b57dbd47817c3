// Which ready task does an idle process take? The scheduling policies of the deterministic model: Adve 1993,
// section 4.3.2, the policies of his five programs and the changes to them in chapter 7, and the usual list
// schedules. All are non-preemptive but processor sharing.
//
// Ties go to the lowest task id; idle processes take in ascending order; tasks that become ready together
// enter a queue in ascending order.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.h"
#include "program/task_graph.h"

namespace parcast::model {

// One queue for all processes, first in, first out.
struct Fifo {
    friend bool operator==(Fifo, Fifo) = default;
};

// One queue, longest processing time first: by the true CPU times, or by what the scheduler believes.
struct Lpt {
    enum class By : std::uint8_t { cpu_time, estimate } by = By::cpu_time;
    friend bool operator==(Lpt, Lpt) = default;
};

// One list with a fixed priority: the lowest task id, or the longest way to the end of the graph.
struct ListOrder {
    enum class First : std::uint8_t { lowest_id, longest_path } first = First::lowest_id;
    friend bool operator==(ListOrder, ListOrder) = default;
};

// Of the tasks that belong to a process: the first that is ready, or strictly in their order in the graph.
enum class Start : std::uint8_t { when_ready, in_order };

// The tasks of a loop are divided before it begins, into one block a process (of n tasks on P processes the
// first n mod P blocks are one longer) or in turn. A group of tasks is a loop; tasks that stand alone and
// have the same number of groups before them on the longest way are divided as one loop. So the fork and the
// join of a loop are on process 0.
struct StaticBlock {
    Start start = Start::when_ready;
    friend bool operator==(StaticBlock, StaticBlock) = default;
};
struct StaticCyclic {
    Start start = Start::when_ready;
    friend bool operator==(StaticCyclic, StaticCyclic) = default;
};

// One queue from which an idle process takes `size` tasks at once, or less if there are less. Guided
// (Polychronopoulos and Kuck 1987): an even share of what is in the queue, rounded up, and at least `size`.
struct Batch {
    enum class Kind : std::uint8_t { fixed, guided } kind = Kind::fixed;
    std::uint32_t size = 1;
    friend bool operator==(Batch, Batch) = default;
};

// Semi-static (section 7.3): a queue for each value q of TaskGraph::queue. Process p begins at queue p modulo
// their number. If its queue is empty it moves to the queue with tasks that the fewest processes belong to,
// of equal ones to the lowest. When all tasks are done and others become ready (a barrier) it is at its first
// queue again.
struct SeveralQueues {
    enum class Order : std::uint8_t { fifo, longest_first } order = Order::fifo;  // longest: by the estimate
    friend bool operator==(SeveralQueues, SeveralQueues) = default;
};

// Loops of a phase split between the processes, each divided in turn (PSIM, section 5.1.1): a loop with
// TaskGraph::subset 0 between all processes, one with subset c of k between those with p mod k = c - 1 (of
// fewer than k processes: on process (c - 1) modulo their number).
struct SplitLoops {
    friend bool operator==(SplitLoops, SplitLoops) = default;
};

// TaskGraph::process modulo the number of processes; tasks of any process wait in a queue for all. If no task
// is pinned: the task's queue modulo the number of processes, which is the static form of SeveralQueues.
struct Explicit {
    Start start = Start::when_ready;
    friend bool operator==(Explicit, Explicit) = default;
};

// More processes than processors: each running task gets the same part of the processors, at most one
// whole. A process runs one task at a time, from one queue.
struct ProcessorSharing {
    std::optional<std::uint32_t> processes;  // none: as many as there are tasks
    friend bool operator==(ProcessorSharing, ProcessorSharing) = default;
};

using Policy = std::variant<Fifo, Lpt, ListOrder, StaticBlock, StaticCyclic, Batch, SeveralQueues, SplitLoops,
                            Explicit, ProcessorSharing>;

// How policies are written: "fifo", "batch:4".
struct PolicyName {
    enum class Number : std::uint8_t { none, may_follow, must_follow };

    std::string_view name;
    Number number = Number::none;
    std::string_view meaning;  // for a list of them
    Policy policy;             // without its number
};
std::span<PolicyName const> policy_names();

// Errors: malformed, naming what may be written.
Result<Policy> parse_policy(std::string_view text);
std::string name_of(Policy const& policy);

// Those that the graph says enough for to differ: the pinned one only if tasks are pinned, and so on. Not
// those that keep the order of a process's tasks.
std::vector<Policy> policies_for(TaskGraph const& graph);

// The others, and what the graph does not say: "no task has a process".
struct PolicyLeftOut {
    Policy policy;
    std::string_view reason;
};
std::vector<PolicyLeftOut> policies_left_out(TaskGraph const& graph);

// No processor is idle while a task is ready: what the bounds by average parallelism assume.
bool is_work_conserving(Policy const& policy);

}  // namespace parcast::model
