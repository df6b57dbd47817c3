#include "cli/task_graph_execution.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "machine/machine.h"
#include "model/deterministic/timeline_of.h"
#include "program/thread_program.h"
#include "report/task_graph_sentences.h"
#include "view/execution.h"
#include "view/parallelism.h"

namespace parcast::cli {

namespace {

constexpr double longest_ns = 9.2e18;  // that an Instant holds

std::int64_t whole_ns(double ns) {
    return static_cast<std::int64_t>(std::llround(ns));
}

// Of the processors that tasks share no interval says when they fetch.
std::int64_t overhead_in_no_interval(Timeline const& timeline, std::int64_t overhead_ns) {
    auto const& rows = *timeline.intervals;
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (rows.state[row] == ThreadState::switching)
            overhead_ns -= (rows.end[row] - rows.begin[row]).ns;
    return std::max<std::int64_t>(0, overhead_ns);
}

// Processor time that is idle while a task is ready. A fetch that is in no interval looks like that, and is
// none.
std::int64_t idle_beside_ready_tasks(Timeline const& timeline, std::int64_t overhead_ns) {
    auto const steps = view::parallelism(*timeline.intervals, timeline.cpus, timeline.length);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        auto const end_ns = i + 1 < steps.size() ? steps[i + 1].begin.ns : timeline.length.ns;
        auto const idle = timeline.cpus - steps[i].running;
        sum += (end_ns - steps[i].begin.ns) * std::min(idle, steps[i].ready);
    }
    return std::max<std::int64_t>(0, sum - overhead_in_no_interval(timeline, overhead_ns));
}

// Tasks that share processors have theirs for their CPU time; otherwise they are ready.
std::vector<ThreadAccount> accounts_of_tasks(TaskGraph const& graph, Timeline const& timeline) {
    std::vector<ThreadAccount> tasks(graph.tasks());
    auto const& rows = *timeline.intervals;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        auto const task = rows.thread[row].index();
        auto& account = tasks[task];
        if (account.ended == Instant{})
            account.created = rows.begin[row];
        account.ended = rows.end[row];
        auto const length = rows.end[row] - rows.begin[row];
        bool const is_shared = rows.state[row] == ThreadState::running && rows.cpu[row].is_none();
        Duration const with_it =
            is_shared ? std::min(length, Duration{whole_ns(graph.cpu_ns[task])}) : length;
        account[rows.state[row]] += with_it;
        account[ThreadState::ready] += length - with_it;
    }
    return tasks;
}

// Conserved in whole nanoseconds: what rounding leaves is with the processors that found no task.
Accounts processor_time(model::Execution const& execution, Duration length,
                        std::int64_t idle_beside_ready_ns) {
    Accounts accounts;
    accounts.cpus = execution.processors;
    accounts.completion = length;
    auto left = length.ns * std::int64_t{execution.processors};
    auto const take = [&left](std::int64_t ns) {
        auto const taken = std::clamp<std::int64_t>(ns, 0, left);
        left -= taken;
        return Duration{taken};
    };
    accounts.busy = take(whole_ns(execution.work_ns));
    accounts.slowed = take(whole_ns(execution.lost.latency_ns + execution.lost.contention_ns));
    accounts.overhead = take(whole_ns(execution.lost.overhead_ns));
    accounts.idle.ready = take(idle_beside_ready_ns);
    accounts.idle.no_thread = take(left);
    accounts.path_busy = length;  // the path begins at 0 and has no gaps
    return accounts;
}

// Under these no processor is idle while a task is ready, so that the sums say all without a timeline.
bool leaves_no_task_waiting(model::Policy const& policy) {
    return model::is_work_conserving(policy) && !std::holds_alternative<model::ProcessorSharing>(policy);
}

// What the writer of the columns looks up of a program: no operation is one of its own.
ThreadProgram without_operations(std::size_t tasks) {
    ThreadProgram program;
    program.lists.resize(tasks);
    return program;
}

}  // namespace

Run run_of(TaskGraph const& graph, model::Execution const& execution) {
    Run run;
    run.timeline = model::timeline_of(graph, execution);
    run.timeline->arrivals.resize(graph.tasks());
    auto const& timeline = *run.timeline;
    auto const idle_ns = idle_beside_ready_tasks(timeline, whole_ns(execution.lost.overhead_ns));
    run.accounts = processor_time(execution, timeline.length, idle_ns);
    run.accounts.threads = accounts_of_tasks(graph, timeline);
    return run;
}

view::Bytes execution_bytes(Run const& run, view::Detail detail, Answer const& prediction) {
    auto const machine = ideal_machine(run.accounts.cpus);
    auto const meaning = [&](RunFacts const& facts) {
        return report::task_graph_sentences(facts, prediction);
    };
    if (detail == view::Detail::timeline)
        return view::execution_bytes(run, without_operations(run.accounts.threads.size()), machine,
                                     simulate::Pairing::any, meaning);
    Run totals;
    totals.accounts = run.accounts;
    totals.accounts.threads.clear();
    return view::execution_bytes(totals, without_operations(0), machine, simulate::Pairing::any, meaning);
}

Result<Run> executed_run(TaskGraph const& graph, std::uint32_t cpus, model::Policy const& policy,
                         model::Options options, view::Detail detail) {
    bool const needs_schedule = detail == view::Detail::timeline || !leaves_no_task_waiting(policy);
    options.keep = needs_schedule ? model::Keep::schedule : model::Keep::totals;
    auto const execution = model::execute(graph, cpus, policy, options);
    if (!execution)
        return pass_on(execution);
    if (execution->time_ns * cpus > longest_ns)
        return fail(ErrorCode::out_of_range, "its processors together take more than 292 years");
    if (needs_schedule)
        return run_of(graph, *execution);
    Run sums;
    sums.accounts = processor_time(*execution, Duration{whole_ns(execution->time_ns)}, 0);
    return sums;
}

Result<view::Bytes> executed_bytes(TaskGraph const& graph, std::uint32_t cpus, model::Policy const& policy,
                                   model::Options options, view::Detail detail, Answer const& prediction) {
    auto const run = executed_run(graph, cpus, policy, std::move(options), detail);
    if (!run)
        return pass_on(run);
    return execution_bytes(*run, detail, prediction);
}

}  // namespace parcast::cli
