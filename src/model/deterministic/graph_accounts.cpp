#include "model/deterministic/execution_parts.h"

#include <algorithm>

#include "core/time.h"

namespace parcast::model {

namespace {

void fill_processors(GraphExecution const& execution, Accounts& accounts) {
    accounts.completion = {whole_ns(execution.time_ns)};
    auto left = accounts.completion.ns * std::int64_t{accounts.cpus};
    auto const take = [&left](std::int64_t ns) {
        auto const taken = std::clamp<std::int64_t>(ns, 0, left);
        left -= taken;
        return Duration{taken};
    };
    auto const& lost = execution.lost;
    accounts.busy = take(whole_ns(execution.work_ns));
    accounts.slowed = take(whole_ns(lost.latency_ns + lost.contention_ns));
    accounts.overhead = take(whole_ns(lost.overhead_ns));
    accounts.idle.ready = take(accounts.idle.ready.ns);
    accounts.idle.no_thread = take(left);
    accounts.path_busy = accounts.completion;  // the path begins at 0 and has no gaps
}

// A task without a processor of its own has its share of all for its CPU time; for the rest it is ready.
ThreadAccount account_of(ScheduledTask const& task, bool has_own_processor, double cpu_ns) {
    ThreadAccount account;
    Instant const ready{whole_ns(task.ready_ns)};
    Instant const start{whole_ns(task.start_ns)};
    Instant const finish{whole_ns(task.finish_ns)};
    if (finish <= ready)
        return account;
    Instant const taken{has_own_processor ? whole_ns(task.taken_ns) : start.ns};
    auto const running = finish - start;
    auto const with_it = has_own_processor ? running : std::min(running, Duration{whole_ns(cpu_ns)});
    account.created = ready;
    account.ended = finish;
    account[ThreadState::ready] = (taken - ready) + (running - with_it);
    account[ThreadState::switching] = start - taken;
    account[ThreadState::running] = with_it;
    return account;
}

}  // namespace

bool has_own_processors(GraphExecution const& execution) {
    return std::ranges::all_of(execution.schedule, [&](ScheduledTask const& task) {
        return task.process < execution.run.accounts.cpus;
    });
}

void fill_accounts(TaskGraph const& graph, GraphExecution& execution) {
    auto& accounts = execution.run.accounts;
    fill_processors(execution, accounts);
    bool const are_own = has_own_processors(execution);
    accounts.threads.resize(execution.schedule.size());
    for (auto const& task : execution.schedule)
        accounts.threads[task.task.index()] = account_of(task, are_own, graph.cpu_ns[task.task.index()]);
}

}  // namespace parcast::model
