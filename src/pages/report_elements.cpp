#include "pages/report_elements.h"

#include <algorithm>
#include <cstdint>
#include <future>
#include <limits>
#include <span>
#include <utility>

#include "core/bytes_text.h"
#include "core/counted.h"
#include "forecast/results_of.h"
#include "page/content.h"
#include "report/prediction.h"
#include "view/execution.h"
#include "view/message_program.h"
#include "view/program_bytes.h"

namespace parcast::pages {

namespace {

// A browser holds the program several times over while it unpacks it, and replays it at half our speed.
constexpr std::int64_t most_operations = 5'000'000;

constexpr std::size_t most_intervals_of_run = 4'000'000;
constexpr std::size_t packed_bytes_of_task = 32;  // 40 and 55 in large generated graphs

constexpr std::size_t large_document = 50'000'000;  // no mail takes it, and a browser takes its time
constexpr std::string_view recorded_element = "execution-recorded-1";

std::vector<PackedExecution> packed_executions(forecast::Forecast& forecast, unsigned workers) {
    std::vector<std::packaged_task<PackedExecution()>> tasks;
    // Of steps, the last row is the one that is replayed.
    auto const rows = forecast.answer.has_messages() ? std::span(forecast.answer.rows).last(1)
                                                     : std::span(forecast.answer.rows);
    for (auto& row : rows)
        tasks.emplace_back([&] { return packed_execution(forecast, row); });
    auto executions = forecast::results_of(tasks, workers);
    // On many CPUs first, under each schedule.
    std::ranges::reverse(executions);
    std::ranges::stable_sort(executions, {}, &PackedExecution::schedule);
    return executions;
}

void add_simulator(ReportElements& report, forecast::Forecast const& forecast) {
    if (forecast.answer.has_messages()) {
        auto const& messages = forecast.answer.messages();
        report.elements.push_back({"program", page::packed(view::message_program_bytes(
                                                  std::get<MessageProgram>(forecast.program),
                                                  messages.nodes.node_of_rank, messages.cpu_speed))});
        report.elements.push_back({"module", page::packed(page::module_bytes())});
        return;
    }
    // A program whose command sets its number of threads makes no more when it sees more CPUs: as if it had
    // seen enough.
    auto const recorded = circumstances_of(forecast.answer);
    auto const shown_cpus =
        recorded.is_told_its_threads ? std::numeric_limits<std::int64_t>::max() : recorded.shown_cpus;
    report.elements.push_back(
        {"program", page::packed(view::program_bytes(forecast.threads(), forecast.machine, forecast.pairing,
                                                     shown_cpus))});
    report.elements.push_back({"module", page::packed(page::module_bytes())});
}

// Whether it is not too large.
bool add_recorded(ReportElements& report, view::RecordedExecution const& recorded) {
    if (recorded.run.timeline->intervals->size() > most_intervals_of_run) {
        report.notes.push_back(
            "What was recorded on one CPU is too large to lie in this report. See it with: parcast view "
            "FILE");
        return false;
    }
    report.elements.push_back(
        {std::string(recorded_element), page::packed(view::recorded_execution_bytes(recorded))});
    return true;
}

// Whether there is any.
bool add_sources(ReportElements& report, PageContent const& content) {
    auto const& recording = content.forecast.answer.recording();
    auto const sources =
        sources_of(recording.catalogue, working_directory(content.forecast.answer), content.read_text);
    if (!sources.is_complete)
        report.notes.push_back("The source text of some places is left out: there are too many.");
    if (!sources.excerpts.empty())
        report.elements.push_back({"sources", page::packed(report::sources_json(sources.excerpts))});
    return !sources.excerpts.empty();
}

bool can_replay(forecast::Forecast const& forecast, ReportElements& report) {
    if (forecast.answer.form() == Form::task_graph)
        return false;
    auto const operations =
        forecast.answer.has_messages()
            ? static_cast<std::int64_t>(std::get<MessageProgram>(forecast.program).operations())
            : operation_count(forecast.threads());
    if (operations <= most_operations)
        return true;
    report.notes.push_back("This program has " + counted(operations, "operation") +
                           ", too many to replay in a page: it shows only what was computed. For "
                           "others: parcast view FILE");
    return false;
}

}  // namespace

std::size_t most_intervals_of_report(Form form) {
    return form == Form::task_graph ? most_packed_bytes / packed_bytes_of_task : most_intervals_of_run;
}

ReportElements report_elements(PageContent content, std::optional<view::RecordedExecution> const& recorded,
                               unsigned workers) {
    auto& forecast = content.forecast;
    ReportElements report;
    auto offer = page_offer(content);
    offer.simulate = can_replay(forecast, report);
    add_executions(report, packed_executions(forecast, workers), offer.simulate);
    if (offer.simulate)
        add_simulator(report, forecast);
    offer.recorded = recorded && add_recorded(report, *recorded);
    offer.source_text = offer.source_text && add_sources(report, content);
    offer.notes = report.notes;
    if (offer.graph && !forecast.answer.graph().overhead_ns.empty())
        offer.notes.push_back(report::baseline_of(forecast.answer));
    report.elements.insert(report.elements.begin(),
                           {"overview", page::packed(overview_json(content, offer))});
    return report;
}

std::string size_note(std::size_t document_bytes, std::vector<page::Element> const& elements) {
    if (document_bytes < large_document)
        return {};
    std::size_t executions = 0;
    std::size_t recorded = 0;
    for (auto const& [id, packed] : elements)
        if (id == recorded_element)
            recorded += packed.size();
        else if (id.starts_with("execution-"))
            executions += packed.size();
    return "the report takes " + bytes_text(document_bytes) + ": " + bytes_text(executions) +
           " for predicted executions, " + bytes_text(recorded) + " for the recorded one, " +
           bytes_text(document_bytes - executions - recorded) +
           " for the rest. With fewer CPU counts it is smaller: --cpus LIST";
}

}  // namespace parcast::pages
