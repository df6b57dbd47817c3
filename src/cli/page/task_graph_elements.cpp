#include "cli/page/task_graph_elements.h"

#include <algorithm>
#include <future>
#include <span>
#include <utility>
#include <vector>

#include "cli/page/packed_execution.h"
#include "cli/page/page_of_graph.h"
#include "cli/version.h"
#include "forecast/results_of.h"
#include "page/packing.h"
#include "report/json/view_json.h"
#include "report/text/task_graph_text.h"
#include "view/execution.h"

namespace parcast::cli {

namespace {

Result<PackedExecution> packed_execution(forecast::Forecast const& predicted, Machine const& machine,
                                         RunDetail detail) {
    auto run = forecast::execute(predicted, machine, detail);
    if (!run)
        return pass_on(run);
    PackedExecution packed{
        name_of(machine.ready_tasks.policy), machine.cpus, detail == RunDetail::timeline, {}, {}};
    if (packed.has_timeline)
        packed.packed = page::packed(view::graph_execution_bytes(*run, meaning_of(predicted.answer)));
    run->timeline.reset();
    run->accounts.threads.clear();
    packed.without_timeline = page::packed(view::graph_execution_bytes(*run, meaning_of(predicted.answer)));
    return packed;
}

using Executions = std::vector<Result<PackedExecution>>;

Executions packed_executions(forecast::Forecast const& predicted, std::span<Machine const> machines,
                             RunDetail detail, unsigned workers) {
    std::vector<std::packaged_task<Result<PackedExecution>()>> tasks;
    for (auto const& machine : machines)
        tasks.emplace_back([&, detail] { return packed_execution(predicted, machine, detail); });
    return forecast::results_of(tasks, workers);
}

// Timelines until one does not fit any more, and sums of the others: which these are does not hang on the
// number of workers. A timeline of a million tasks takes seconds, so that no more than a worker's are made in
// vain.
Executions packed_as_they_fit(forecast::Forecast const& predicted, std::span<Machine const> machines,
                              unsigned workers) {
    Executions executions;
    std::size_t left = most_packed_bytes;
    while (executions.size() < machines.size()) {
        auto const rest = machines.subspan(executions.size());
        auto const next = left > 0 ? rest.first(std::min<std::size_t>(workers, rest.size())) : rest;
        auto const detail = left > 0 ? RunDetail::timeline : RunDetail::totals;
        for (auto& execution : packed_executions(predicted, next, detail, workers)) {
            auto const size = execution ? execution->packed.size() : 0;
            bool const fits = size <= left;
            left = fits ? left - size : 0;
            if (!fits) {
                execution->has_timeline = false;
                execution->packed.clear();
            }
            executions.push_back(std::move(execution));
        }
    }
    return executions;
}

// In the order of the schedules, of each from the most CPUs on: the page begins with many.
Result<std::vector<Machine>> machines_of(forecast::Forecast const& predicted) {
    std::vector<Machine> machines;
    for (auto const& [schedule, is_work_conserving, rows] : by_schedule(predicted.answer)) {
        for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
            auto machine = forecast::machine_with(predicted, row->cpus, schedule);
            if (!machine)
                return pass_on(machine);
            machines.push_back(std::move(*machine));
        }
    }
    return machines;
}

Result<std::vector<PackedExecution>> packed_executions(forecast::Forecast const& predicted,
                                                       unsigned workers) {
    auto const machines = machines_of(predicted);
    if (!machines)
        return pass_on(machines);
    std::vector<PackedExecution> executions;
    for (auto& execution : packed_as_they_fit(predicted, *machines, workers)) {
        if (!execution)
            return pass_on(execution);
        executions.push_back(std::move(*execution));
    }
    return executions;
}

}  // namespace

Result<ReportElements> task_graph_elements(forecast::Forecast const& predicted, unsigned workers) {
    auto executions = packed_executions(predicted, workers);
    if (!executions)
        return pass_on(executions);
    ReportElements report;
    add_executions(report, std::move(*executions), false);
    report::PageOffer offer = page_offer(predicted);
    offer.simulate = false;
    for (auto const& schedule : predicted.answer.graph().schedules)
        offer.schedulers.push_back(schedule.name);
    offer.notes = report.notes;
    if (!predicted.answer.graph().overhead_ns.empty())
        offer.notes.push_back(report::baseline_of(predicted.answer));
    auto const overview = report::view_json(predicted.answer, offer, version);
    report.elements.insert(report.elements.begin(), {"overview", page::packed(overview)});
    return report;
}

}  // namespace parcast::cli
