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

struct Wanted {
    ReadyPolicy policy;
    std::uint32_t cpus = 1;
};

Result<PackedExecution> packed_execution(forecast::TaskGraphForecast const& predicted, Wanted const& wanted,
                                         model::Keep keep) {
    auto execution = forecast::execute(predicted, wanted.cpus, wanted.policy, keep);
    if (!execution)
        return pass_on(execution);
    auto& run = execution->run;
    PackedExecution packed{name_of(wanted.policy), wanted.cpus, keep == model::Keep::timeline, {}, {}};
    if (packed.has_timeline)
        packed.packed = page::packed(view::graph_execution_bytes(run, meaning_of(predicted.answer)));
    run.timeline.reset();
    run.accounts.threads.clear();
    packed.without_timeline = page::packed(view::graph_execution_bytes(run, meaning_of(predicted.answer)));
    return packed;
}

using Executions = std::vector<Result<PackedExecution>>;

Executions packed_executions(forecast::TaskGraphForecast const& predicted, std::span<Wanted const> wanted,
                             model::Keep keep, unsigned workers) {
    std::vector<std::packaged_task<Result<PackedExecution>()>> tasks;
    for (auto const& each : wanted)
        tasks.emplace_back([&, keep] { return packed_execution(predicted, each, keep); });
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
        auto const keep = left > 0 ? model::Keep::timeline : model::Keep::totals;
        for (auto& execution : packed_executions(predicted, next, keep, workers)) {
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
        offer.schedulers.push_back(name_of(policy));
    offer.notes = report.notes;
    if (!predicted.answer.graph().overhead_ns.empty())
        offer.notes.push_back(report::baseline_of(predicted.answer));
    auto const overview = report::view_json(predicted.answer, offer, version);
    report.elements.insert(report.elements.begin(), {"overview", page::packed(overview)});
    return report;
}

}  // namespace parcast::cli
