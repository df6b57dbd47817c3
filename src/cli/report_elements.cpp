#include "cli/report_elements.h"

#include <utility>

#include "cli/packed_execution.h"
#include "cli/page_offer.h"
#include "cli/source_text.h"
#include "cli/version.h"
#include "core/counted.h"
#include "forecast/results_of.h"
#include "page/assets.h"
#include "page/packing.h"
#include "report/view_json.h"
#include "simulate/simulate.h"
#include "view/execution.h"
#include "view/program_bytes.h"

namespace parcast::cli {

namespace {

// A browser holds the program several times over while it unpacks it, and replays it at half our speed.
constexpr std::int64_t most_operations = 5'000'000;
bool has_many_intervals(Run const& run) {
    return run.timeline && run.timeline->intervals && run.timeline->intervals->size() > most_packed_intervals;
}

Result<PackedExecution> packed_execution(forecast::RecordingForecast const& predicted, std::uint32_t cpus) {
    auto const machine = forecast::with_cpus(predicted.machine, cpus);
    auto const bytes_of = [&](Run const& run) {
        return page::packed(view::execution_bytes(run, predicted.program, machine, predicted.pairing));
    };
    auto run = simulate::run(predicted.program, machine,
                             view::options_for_view(predicted.program, predicted.pairing));
    if (!run)
        return pass_on(run);
    PackedExecution execution{
        predicted.answer.recording().machine.scheduler, cpus, !has_many_intervals(*run), {}, {}};
    if (execution.has_timeline)
        execution.packed = bytes_of(*run);
    run->timeline.reset();
    execution.without_timeline = bytes_of(*run);
    return execution;
}

Result<std::vector<PackedExecution>> packed_executions(forecast::RecordingForecast const& predicted,
                                                       unsigned workers) {
    std::vector<std::packaged_task<Result<PackedExecution>()>> tasks;
    for (auto const& run : predicted.answer.rows)
        tasks.emplace_back([&predicted, cpus = run.cpus] { return packed_execution(predicted, cpus); });
    std::vector<PackedExecution> executions;
    for (auto& execution : forecast::results_of(tasks, workers)) {
        if (!execution)
            return pass_on(execution);
        executions.push_back(std::move(*execution));
    }
    return executions;
}

void add_simulator(ReportElements& report, forecast::RecordingForecast const& predicted) {
    auto const program = view::program_bytes(predicted.program, predicted.machine, predicted.pairing);
    report.elements.push_back({"program", page::packed(program)});
    report.elements.push_back({"module", page::packed(page::module_bytes())});
}

// Whether it is not too large.
bool add_recorded(ReportElements& report, view::RecordedExecution const& recorded) {
    if (has_many_intervals(recorded.run)) {
        report.notes.push_back(
            "What was recorded on one CPU is too large to lie in this report. See it with: parcast view "
            "FILE");
        return false;
    }
    report.elements.push_back(
        {"execution-recorded-1", page::packed(view::recorded_execution_bytes(recorded))});
    return true;
}

// Whether there is any.
bool add_sources(ReportElements& report, forecast::RecordingForecast const& predicted) {
    auto const sources =
        sources_of(predicted.program.catalogue, predicted.answer.recording().provenance.working_directory);
    if (!sources.is_complete)
        report.notes.push_back("The source text of some places is left out: there are too many.");
    if (!sources.excerpts.empty())
        report.elements.push_back({"sources", page::packed(report::sources_json(sources.excerpts))});
    return !sources.excerpts.empty();
}

}  // namespace

Result<ReportElements> report_elements(forecast::RecordingForecast const& predicted, ReportContent content) {
    ReportElements report;
    auto const operations = operation_count(predicted.program);
    report::PageOffer offer;
    offer.schedulers.assign(scheduler_words.begin(), scheduler_words.end());
    offer.operations = operation_names();
    offer.simulate = operations <= most_operations;
    if (!offer.simulate) {
        report.notes.push_back(
            "This program has " + counted(operations, "operation") +
            ", too many to replay in a page: it shows the computed CPU counts only. For others: "
            "parcast view FILE");
    }
    auto executions = packed_executions(predicted, content.workers);
    if (!executions)
        return pass_on(executions);
    add_executions(report, std::move(*executions), offer.simulate);
    if (offer.simulate)
        add_simulator(report, predicted);
    offer.recorded = content.recorded && add_recorded(report, *content.recorded);
    offer.source_text = content.source_text && add_sources(report, predicted);
    offer.measured = std::move(content.measured);
    offer.notes = report.notes;
    auto const overview = report::view_json(predicted.answer, offer, version);
    report.elements.insert(report.elements.begin(), {"overview", page::packed(overview)});
    return report;
}

}  // namespace parcast::cli
