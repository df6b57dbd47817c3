#include "cli/task_graph_elements.h"

#include <future>
#include <utility>

#include "cli/packed_execution.h"
#include "cli/page_of_graph.h"
#include "cli/results_of.h"
#include "cli/task_graph_execution.h"
#include "cli/version.h"
#include "page/packing.h"
#include "report/task_graph_view_json.h"

namespace parcast::cli {

namespace {

Result<PackedExecution> packed_execution(PredictedGraph const& predicted, model::Policy const& policy,
                                         std::uint32_t cpus) {
    auto const bytes_of = [&](view::Detail detail) {
        return executed_bytes(predicted.graph, cpus, policy, predicted.options, detail);
    };
    auto const whole = bytes_of(view::Detail::timeline);
    auto const totals = bytes_of(view::Detail::totals);
    if (!whole || !totals) {
        return tl::unexpected<Error>((whole ? totals : whole).error());
    }
    return PackedExecution{model::name_of(policy), cpus, true, page::packed(*whole), page::packed(*totals)};
}

Result<std::vector<PackedExecution>> packed_executions(PredictedGraph const& predicted, unsigned workers) {
    std::vector<std::packaged_task<Result<PackedExecution>()>> tasks;
    for (auto const& policy : predicted.policies) {
        for (auto const cpus : predicted.cpus) {
            tasks.emplace_back([&, cpus] { return packed_execution(predicted, policy, cpus); });
        }
    }
    std::vector<PackedExecution> executions;
    for (auto& execution : results_of(tasks, workers)) {
        if (!execution) {
            return pass_on(execution);
        }
        executions.push_back(std::move(*execution));
    }
    return executions;
}

}  // namespace

Result<ReportElements> task_graph_elements(PredictedGraph const& predicted, unsigned workers) {
    auto executions = packed_executions(predicted, workers);
    if (!executions) {
        return pass_on(executions);
    }
    ReportElements report;
    add_executions(report, std::move(*executions), false);
    report::GraphPageOffer offer;
    offer.simulate = false;
    for (auto const& policy : predicted.policies) {
        offer.schedules.push_back(model::name_of(policy));
    }
    offer.notes = report.notes;
    auto const overview =
        report::task_graph_view_json(predicted.prediction, groups_of(predicted.graph), offer, version);
    report.elements.insert(report.elements.begin(), {"overview", page::packed(overview)});
    return report;
}

}  // namespace parcast::cli
