// Which ready task of a task graph does an idle process take? The usual list schedules, and the policies of
// Adve 1993, section 4.3.2, with the changes to his five programs in chapter 7. All are non-preemptive but
// processor sharing. One row each in `ready_policies`; options, machine files, help and the page read that
// table. What a policy does is model/deterministic, docs/taskgraphs.md describes it.
//
// Ties go to the lowest task id; idle processes take in ascending order; tasks that become ready together
// enter a queue in ascending order.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.h"

namespace parcast {

namespace ready {

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

// How a process takes its tasks: the first that is ready, or strictly in their order in the graph.
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

}  // namespace ready

using ReadyPolicy = std::variant<ready::Fifo, ready::Lpt, ready::ListOrder, ready::StaticBlock,
                                 ready::StaticCyclic, ready::Batch, ready::SeveralQueues, ready::SplitLoops,
                                 ready::Explicit, ready::ProcessorSharing>;

// How a policy is written: "fifo", "batch:4".
struct ReadyPolicyRow {
    enum class Number : std::uint8_t { none, may_follow, must_follow };

    std::string_view word;
    Number number = Number::none;
    std::string_view meaning;  // for a list of them
    ReadyPolicy policy;        // without its number
};

inline constexpr auto ready_policies = [] {
    using enum ReadyPolicyRow::Number;
    using namespace ready;
    return std::array<ReadyPolicyRow, 17>{{
        {"fifo", none, "one queue, first in, first out", Fifo{}},
        {"lpt", none, "longest task first", Lpt{}},
        {"lpt-estimate", none, "longest task first, by its estimate", Lpt{Lpt::By::estimate}},
        {"list", none, "lowest task id first", ListOrder{}},
        {"critical-path", none, "longest way to the end of the graph first",
         ListOrder{ListOrder::First::longest_path}},
        {"block", none, "a block of each loop for each process", StaticBlock{}},
        {"block-in-order", none, "block, and a process keeps the order of its tasks",
         StaticBlock{Start::in_order}},
        {"cyclic", none, "the tasks of each loop to the processes in turn", StaticCyclic{}},
        {"cyclic-in-order", none, "cyclic, and a process keeps the order of its tasks",
         StaticCyclic{Start::in_order}},
        {"batch", must_follow, "one queue, so many tasks at once", Batch{}},
        {"guided", may_follow, "one queue, an even share of it at once, at least so many tasks",
         Batch{Batch::Kind::guided, 1}},
        {"queues", none, "several queues, with stealing", SeveralQueues{}},
        {"queues-lpt", none, "several queues, with stealing, longest estimate first in each",
         SeveralQueues{SeveralQueues::Order::longest_first}},
        {"split", none, "loops split between subsets of the processes", SplitLoops{}},
        {"pinned", none, "each task on the process that the graph gives", Explicit{}},
        {"pinned-in-order", none, "pinned, and a process keeps the order of its tasks",
         Explicit{Start::in_order}},
        {"ps", may_follow, "processor sharing, by so many processes (without a number: one a task)",
         ProcessorSharing{}},
    }};
}();

// Errors: malformed, naming what may be written.
Result<ReadyPolicy> parse_ready_policy(std::string_view text);
std::string name_of(ReadyPolicy const& policy);

// No processor is idle while a task is ready: what the bounds by average parallelism assume.
bool is_work_conserving(ReadyPolicy const& policy);

// Tasks that finish at the same instant: the algorithm as printed retires one and lets idle processes take
// tasks before the next retires. The rule decides (Graham's anomaly: 10 or 13 for the same graph).
enum class Retire : std::uint8_t { one, all };

inline constexpr std::array<std::string_view, 2> retire_words = {"one", "all"};  // in the order of Retire

// How a machine gives the tasks of a graph to its processors.
struct ReadyTasks {
    ReadyPolicy policy = ready::Fifo{};
    Retire retire = Retire::one;
    // What a process pays before it runs what it took from a shared queue: if it alone is busy, if two are,
    // and so on; the last stands for more. Empty: nothing. It delays the start and is not spread over the
    // task.
    std::vector<double> fetch_ns = {};

    friend bool operator==(ReadyTasks const&, ReadyTasks const&) = default;
};

}  // namespace parcast
