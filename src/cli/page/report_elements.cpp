#include "cli/page/report_elements.h"

#include <utility>

#include "cli/files/source_text.h"
#include "cli/page/packed_execution.h"
#include "cli/version.h"
#include "core/counted.h"
#include "page/assets.h"
#include "page/packing.h"
#include "report/json/view_json.h"
#include "view/execution.h"
#include "view/program_bytes.h"

namespace parcast::cli {

namespace {

// A browser holds the program several times over while it unpacks it, and replays it at half our speed.
constexpr std::int64_t most_operations = 5'000'000;

std::int64_t shown_cpus(forecast::Forecast const& predicted) {
    return predicted.answer.recording().provenance.pretended_cpus.value_or(1);
}

void add_simulator(ReportElements& report, forecast::Forecast const& predicted) {
    auto const program =
        view::program_bytes(predicted.threads(), predicted.machine, predicted.pairing, shown_cpus(predicted));
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
bool add_sources(ReportElements& report, forecast::Forecast const& predicted) {
    auto const sources =
        sources_of(predicted.threads().catalogue, predicted.answer.recording().provenance.working_directory);
    if (!sources.is_complete)
        report.notes.push_back("The source text of some places is left out: there are too many.");
    if (!sources.excerpts.empty())
        report.elements.push_back({"sources", page::packed(report::sources_json(sources.excerpts))});
    return !sources.excerpts.empty();
}

}  // namespace

ReportElements report_elements(forecast::Forecast const& predicted, ReportContent content) {
    ReportElements report;
    auto const operations = operation_count(predicted.threads());
    report::PageOffer offer;
    offer.schedulers.assign(scheduler_words.begin(), scheduler_words.end());
    offer.simulate = operations <= most_operations;
    if (!offer.simulate) {
        report.notes.push_back(
            "This program has " + counted(operations, "operation") +
            ", too many to replay in a page: it shows the computed CPU counts only. For others: "
            "parcast view FILE");
    }
    add_executions(report, std::move(content.executions), offer.simulate);
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
