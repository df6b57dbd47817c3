#include "cli/task_graph_elements.h"

#include <algorithm>
#include <future>
#include <span>
#include <utility>
#include <vector>

#include "cli/packed_execution.h"
#include "cli/page_of_graph.h"
#include "cli/task_graph_execution.h"
#include "cli/version.h"
#include "forecast/results_of.h"
#include "page/packing.h"
#include "report/task_graph_text.h"
#include "report/view_json.h"

namespace parcast::cli {

namespace {

struct Wanted {
    model::Policy policy;
    std::uint32_t cpus = 1;
};

Result<PackedExecution> packed_execution(forecast::TaskGraphForecast const& predicted, Wanted const& wanted,
                                         view::Detail detail) {
    auto const run = executed_run(predicted.graph, wanted.cpus, wanted.policy, predicted.options, detail);
    if (!run)
        return pass_on(run);
    bool const has_timeline = detail == view::Detail::timeline;
    return PackedExecution{model::name_of(wanted.policy), wanted.cpus, has_timeline,
                           has_timeline ? page::packed(execution_bytes(*run, detail, predicted.answer)) : "",
                           page::packed(execution_bytes(*run, view::Detail::totals, predicted.answer))};
}

using Executions = std::vector<Result<PackedExecution>>;

Executions packed_executions(forecast::TaskGraphForecast const& predicted, std::span<Wanted const> wanted,
                             view::Detail detail, unsigned workers) {
    std::vector<std::packaged_task<Result<PackedExecution>()>> tasks;
    for (auto const& each : wanted)
        tasks.emplace_back([&, detail] { return packed_execution(predicted, each, detail); });
    return forecast::results_of(tasks, workers);
}

// Timelines until one does not fit any more, and sums of the others: which these are does not hang on the
// number of workers. A timeline of a million tasks takes seconds, so that no more than a worker's are made in
// vain.
Executions packed_as_they_fit(forecast::TaskGraphForecast const& predicted, std::vector<Wanted> const& wanted,
                              unsigned workers) {
    Executions executions;
    std::size_t left = most_packed_bytes;
    while (executions.size() < wanted.size()) {
        auto const rest = std::span(wanted).subspan(executions.size());
        auto const next = left > 0 ? rest.first(std::min<std::size_t>(workers, rest.size())) : rest;
        auto const detail = left > 0 ? view::Detail::timeline : view::Detail::totals;
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
std::vector<Wanted> wanted_executions(forecast::TaskGraphForecast const& predicted) {
    std::vector<Wanted> wanted;
    for (auto const& policy : predicted.policies)
        for (auto cpus = predicted.cpus.rbegin(); cpus != predicted.cpus.rend(); ++cpus)
            wanted.push_back({policy, *cpus});
    return wanted;
}

Result<std::vector<PackedExecution>> packed_executions(forecast::TaskGraphForecast const& predicted,
                                                       unsigned workers) {
    std::vector<PackedExecution> executions;
    for (auto& execution : packed_as_they_fit(predicted, wanted_executions(predicted), workers)) {
        if (!execution)
            return pass_on(execution);
        executions.push_back(std::move(*execution));
    }
    return executions;
}

}  // namespace

Result<ReportElements> task_graph_elements(forecast::TaskGraphForecast const& predicted, unsigned workers) {
    auto executions = packed_executions(predicted, workers);
    if (!executions)
        return pass_on(executions);
    ReportElements report;
    add_executions(report, std::move(*executions), false);
    report::PageOffer offer = page_offer(predicted);
    offer.simulate = false;
    for (auto const& policy : predicted.policies)
        offer.schedulers.push_back(model::name_of(policy));
    offer.notes = report.notes;
    if (!predicted.answer.graph().overhead_ns.empty())
        offer.notes.push_back(report::baseline_of(predicted.answer));
    auto const overview = report::view_json(predicted.answer, offer, version);
    report.elements.insert(report.elements.begin(), {"overview", page::packed(overview)});
    return report;
}

}  // namespace parcast::cli
