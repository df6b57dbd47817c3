#include "cli/verbs/page_arguments.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/files/files.h"
#include "cli/files/json_text.h"
#include "cli/version.h"
#include "forecast/binding_limits.h"
#include "pages/message_page.h"
#include "pages/report_elements.h"
#include "program/checked_program.h"

namespace parcast::cli {

namespace {

// None where a replay found a deadlock: the bounds are of programs that end.
Result<std::vector<BindingOnCpus>> binding_limits(forecast::Forecast const& forecast) {
    auto const& rows = forecast.answer.rows;
    if (std::ranges::any_of(rows, [](Row const& row) { return row.run.deadlock.has_value(); }))
        return std::vector<BindingOnCpus>();
    auto const program = CheckedProgram::of(forecast.threads());
    if (!program)
        return pass_on(program);
    auto limits = forecast::binding_limits(*program, forecast);
    if (!limits)
        return pass_on(limits);
    return std::move(limits->counts);
}

}  // namespace

Result<pages::PageContent> page_content(Input input, PageArguments const& arguments) {
    auto asked = arguments.replay;
    asked.question.ranges.is_asked = true;
    auto& schedules = asked.question.schedule.schedules;
    if (schedules.empty())
        schedules = pages::usual_schedules();
    if (auto const* const graph = std::get_if<ImportedGraph>(&input.content)) {
        if (auto checked = pages::check_size(graph->graph, input.file); !checked)
            return pass_on(checked);
    }
    if (asked.question.messages.collectives.compare)
        return fail(make_error(ErrorCode::unasked,
                               "a page shows collective operations by one choice of algorithms",
                               "Leave --collectives compare out."));
    auto forecast = forecast_input(std::move(input), asked);
    if (!forecast)
        return pass_on(forecast);
    if (networked_forms.has(forecast->answer.form()))
        if (auto const prepared = pages::prepare_messages(*forecast); !prepared)
            return pass_on(prepared);
    pages::PageContent content{std::move(*forecast), {}, {}, arguments.source_text, read_text, version};
    content.schedulers = pages::schedulers_of(content.forecast);
    if (content.forecast.answer.is_replayed()) {
        auto limits = binding_limits(content.forecast);
        if (!limits)
            return pass_on(limits);
        content.bindings = std::move(*limits);
    }
    if (arguments.measured) {
        auto const& file = *arguments.measured;
        auto points = pages::measured_points(read_json_text(file), file, content.forecast.answer);
        if (!points)
            return pass_on(points);
        content.measured = std::move(*points);
    }
    return content;
}

}  // namespace parcast::cli
