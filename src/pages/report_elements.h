// The data of a report, packed as elements of its page (web/src/report_source.ts reads them).

#pragma once

#include <cstddef>
#include <optional>

#include "pages/packed_execution.h"
#include "pages/page_content.h"
#include "view/recorded.h"

namespace parcast::pages {

// What a report's question asks for (Question::most_intervals). A run of a recording with more takes the
// browser seconds to unpack; more timelines of a task graph hardly fit into the file.
std::size_t most_intervals_of_report(Form form);

// `overview` first, then the executions of the rows: on many CPUs first, since the page begins with them;
// timelines as long as they fit, totals of the others. For a small recording a simulator beside them, so
// that the report answers for any number of CPUs. Packs so many executions at once.
ReportElements report_elements(PageContent content, std::optional<view::RecordedExecution> const& recorded,
                               unsigned workers);

}  // namespace parcast::pages
