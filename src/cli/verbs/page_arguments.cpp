#include "cli/verbs/page_arguments.h"

#include <utility>

#include "cli/files/files.h"
#include "cli/version.h"
#include "pages/message_page.h"
#include "pages/report_elements.h"

namespace parcast::cli {

Result<pages::PageContent> page_content(Input input, PageArguments const& arguments) {
    auto asked = arguments.replay;
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
    if (arguments.measured) {
        auto const& file = *arguments.measured;
        auto points = pages::measured_points(read_text(file), file, content.forecast.answer);
        if (!points)
            return pass_on(points);
        content.measured = std::move(*points);
    }
    return content;
}

}  // namespace parcast::cli
