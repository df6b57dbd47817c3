#include "cli/verbs/page_report.h"

#include <optional>
#include <string>
#include <utility>

#include "cli/exit_status.h"
#include "page/content.h"
#include "pages/report_elements.h"
#include "report/json/view_json.h"
#include "view/recorded.h"

namespace parcast::cli {

SignatureArguments series_in_folder(PageArguments const& page) {
    SignatureArguments asked;
    asked.files = {page.replay.file};
    asked.replay = page.replay;
    asked.series = page.series;
    asked.series.measured = page.measured;
    return asked;
}

Result<Report> report_of_runs(PageArguments asked, Input input, std::string const& view) {
    asked.replay.question.detail = RunDetail::operations;
    asked.replay.question.most_intervals = pages::most_intervals_of_report(input.form());
    std::optional<view::RecordedExecution> recorded;
    if (auto const* const timeline = std::get_if<Timeline>(&input.content))
        recorded = view::recorded_execution(*timeline);
    auto content = page_content(std::move(input), asked);
    if (!content)
        return pass_on(content);
    std::optional<std::string> signature;
    if (recorded) {
        auto made = recording_signature_json(asked.replay.file, asked.replay);
        content->signature = made.has_value();
        if (made)
            signature = std::move(*made);
    }
    auto const& answer = content->forecast.answer;
    auto const title = report::title_of(answer);
    Report report;
    report.input = report::input_json(answer);
    if (has_deadlock(answer))
        report.no_prediction = impossible(answer);
    auto data = pages::report_elements(std::move(*content), recorded, workers(asked.replay));
    if (signature)
        data.elements.push_back({"thread-signature", page::packed(*signature)});
    if (!view.empty())
        data.elements.push_back({"view", page::packed(view)});
    report.document = page::with_data(page::template_page(), title, data.elements);
    report.size_note = pages::size_note(report.document.size(), data.elements);
    for (auto const& element : data.elements)
        report.elements.push_back({{"id", element.id}, {"bytes", element.packed.size()}});
    report.notes = report.warnings = data.notes;
    return report;
}

}  // namespace parcast::cli
