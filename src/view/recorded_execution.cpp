#include "view/recorded.h"

#include <algorithm>
#include <optional>

#include "machine/machine.h"
#include "simulate/ledger.h"
#include "view/columns.h"
#include "view/execution.h"

namespace parcast::view {

namespace {

using simulate::Ledger;

// None: the page does not show it.
std::optional<OperationKind> kind_of(Event const& event) {
    switch (event.kind) {
        case EventKind::thread_create: return OperationKind::create;
        case EventKind::thread_join: return OperationKind::join;
        case EventKind::lock:
        case EventKind::try_lock:
        case EventKind::timed_lock: return OperationKind::lock;
        case EventKind::unlock: return OperationKind::unlock;
        case EventKind::read_lock:
        case EventKind::try_read_lock:
        case EventKind::timed_read_lock: return OperationKind::read_lock;
        case EventKind::write_lock:
        case EventKind::try_write_lock:
        case EventKind::timed_write_lock: return OperationKind::write_lock;
        case EventKind::read_write_unlock: return OperationKind::read_write_unlock;
        case EventKind::condition_wait:
        case EventKind::timed_condition_wait:
        case EventKind::futex_wait:
        case EventKind::timed_futex_wait: return OperationKind::condition_wait;
        case EventKind::condition_signal:
        case EventKind::condition_broadcast:
        case EventKind::futex_wake: return OperationKind::condition_signal;
        case EventKind::barrier_wait: return OperationKind::barrier_wait;
        case EventKind::semaphore_wait:
        case EventKind::try_semaphore_wait:
        case EventKind::timed_semaphore_wait: return OperationKind::semaphore_wait;
        case EventKind::semaphore_post: return OperationKind::semaphore_post;
        case EventKind::sleep: return OperationKind::delay;
        case EventKind::yield: return OperationKind::yield;
        case EventKind::input:
        case EventKind::output:
        case EventKind::poll:
        case EventKind::open_close:
        case EventKind::sync: return OperationKind::input_output;
        case EventKind::set_affinity: return OperationKind::set_affinity;
        case EventKind::set_priority: return OperationKind::set_priority;
        case EventKind::set_concurrency: return OperationKind::set_concurrency;
        case EventKind::thread_end:
        case EventKind::process_exit: return OperationKind::end;
        default: return std::nullopt;
    }
}

// Whether the account of its object counts it: releases of locks are not, as in a replay.
bool is_counted(OperationKind kind) {
    return !names_thread(kind) && kind != OperationKind::unlock && kind != OperationKind::read_write_unlock;
}

ThreadProgram as_operations(Timeline const& recorded, std::vector<std::vector<Instant>>& arrivals) {
    ThreadProgram program;
    program.catalogue = recorded.catalogue;
    program.objects.resize(recorded.catalogue.objects.size());
    program.parameters.resize(recorded.catalogue.threads.size());
    program.lists.resize(recorded.events.size());
    arrivals.resize(recorded.events.size());
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread) {
        for (Event const& event : recorded.events[thread]) {
            auto const kind = kind_of(event);
            if (!kind)
                continue;
            auto const subject = names_thread(*kind) ? event.related : event.object.value;
            program.lists[thread].push_back(
                make_operation(*kind, event.cpu_ns, subject, event.value, event.site));
            arrivals[thread].push_back({event.wall_ns});
        }
    }
    return program;
}

void enter(Ledger& ledger, IntervalColumns const& rows, std::size_t row) {
    auto const thread = rows.thread[row];
    auto const now = rows.begin[row].ns;
    switch (rows.state[row]) {
        case ThreadState::running: return ledger.runs(thread, now, rows.cpu[row]);
        case ThreadState::ready: return ledger.is_ready(thread, now);
        default: return ledger.waits(thread, rows.state[row], now, rows.object[row], rows.site[row]);
    }
}

// A row's beginning, or a lane's end, in the order of time.
struct Change {
    std::int64_t when_ns;
    std::size_t row;
    bool ends_lane;
};

std::vector<Change> changes(IntervalColumns const& rows) {
    std::vector<Change> all;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        all.push_back({rows.begin[row].ns, row, false});
        bool const is_last = row + 1 == rows.size() || rows.thread[row + 1] != rows.thread[row];
        if (is_last)
            all.push_back({rows.end[row].ns, row, true});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](Change const& a, Change const& b) { return a.when_ns < b.when_ns; });
    return all;
}

void count_operations(Ledger& ledger, Timeline const& recorded) {
    for (auto const& events : recorded.events) {
        for (Event const& event : events) {
            auto const kind = kind_of(event);
            if (!kind || !is_counted(*kind) || event.object.is_none())
                continue;
            ledger.counts_operation(event.object);
            if (event.blocked)
                ledger.counts_blocked(event.object);
        }
    }
}

Accounts accounts_of(Timeline const& recorded, ThreadProgram const& program, IntervalColumns const& rows) {
    Ledger ledger(program, 1, Ledger::Sharing::exclusive, Ledger::Speed::full, {});
    std::vector<bool> has_begun(program.lists.size());
    for (auto const& change : changes(rows)) {
        auto const thread = rows.thread[change.row];
        if (change.ends_lane) {
            ledger.ends(thread, change.when_ns);
            continue;
        }
        if (!has_begun[thread.index()])
            ledger.begins(thread, change.when_ns);
        has_begun[thread.index()] = true;
        enter(ledger, rows, change.row);
    }
    count_operations(ledger, recorded);
    ledger.executed(operation_count(program));
    return ledger.close(ledger.last_change());
}

}  // namespace

RecordedExecution recorded_execution(Timeline const& recorded) {
    RecordedExecution result;
    auto& timeline = result.run.timeline.emplace();
    timeline.origin = Origin::recorded;
    timeline.catalogue = recorded.catalogue;
    timeline.provenance = recorded.provenance;
    timeline.cpus = 1;
    timeline.intervals = recorded_intervals(recorded);
    result.program = as_operations(recorded, timeline.arrivals);
    result.run.accounts = accounts_of(recorded, result.program, *timeline.intervals);
    timeline.length = result.run.accounts.completion;
    return result;
}

Bytes recorded_execution_bytes(RecordedExecution const& execution) {
    return execution_bytes(execution.run, execution.program, linux_machine(1), simulate::Pairing::any);
}

Bytes recorded_execution_bytes(Timeline const& recorded) {
    return recorded_execution_bytes(recorded_execution(recorded));
}

}  // namespace parcast::view
