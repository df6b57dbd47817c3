// What a report carries.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/answer.h"
#include "answer/signature.h"
#include "answer/tuning.h"
#include "core/result.h"
#include "forecast/forecast.h"
#include "page/content.h"
#include "pages/packed_execution.h"
#include "pages/page_content.h"
#include "report/chart/measured_point.h"
#include "view/recorded.h"

namespace parcast::pages {

// Which measurements of `parcast scale --json --measure` belong beside the prediction of a recording?

// Those of the recorded command with the recorded threads, on one CPU and on several; rising. Refuses a file
// without any, and says whether it is another program, another number of threads or no measurement at all.
// `text`: of the file, which is named in messages.
Result<std::vector<report::MeasuredPoint>> measured_points(Result<std::string> const& text,
                                                           std::string const& file, Answer const& prediction);

// The page of a search: one HTML document with its curves and the table of its points. What `tune` prints
// lies in it too, for readers without scripts.
std::string tuning_page(Tuning const& tuning, std::string_view parcast_version);

// The data of the page of a series of recordings, with a row for each thread of each.
page::Element signature_element(SignatureAnswer const& answer, std::string_view parcast_version);

// The page with its data. What `signature` prints lies in it too, for readers without scripts.
std::string signature_page(SignatureAnswer const& answer, page::Element const& data);

// The data of a report, packed as elements of its page (web/src/report_source.ts reads them).

// What a report's question asks for (Question::most_intervals). A run of a recording with more takes the
// browser seconds to unpack; more timelines of a task graph hardly fit into the file.
std::size_t most_intervals_of_report(Form form);

// `overview` first, then the executions of the rows: on many CPUs first, since the page begins with them;
// timelines as long as they fit, totals of the others. For a small recording a simulator beside them, so
// that the report answers for any number of CPUs. Packs so many executions at once.
ReportElements report_elements(PageContent content, std::optional<view::RecordedExecution> const& recorded,
                               unsigned workers);

// Before a large file is written: how large, what takes the room, and how to get a smaller one. Empty for a
// file of the usual size.
std::string size_note(std::size_t document_bytes, std::vector<page::Element> const& elements);

}  // namespace parcast::pages
