// The data of a report, packed as elements of its page (web/src/report_source.ts reads them).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "forecast/recording.h"
#include "page/document.h"
#include "report/measured_point.h"
#include "simulate/simulate.h"
#include "view/recorded_execution.h"

namespace parcast::cli {

// What a report has beside the prediction.
struct ReportContent {
    std::optional<view::RecordedExecution> recorded;
    std::vector<report::MeasuredPoint> measured;
    bool source_text = true;
    unsigned workers = 1;  // replays at once
};

struct ReportElements {
    std::vector<page::Element> elements;
    std::vector<std::string> notes;  // what is left out, and what that means to a reader; sentences
};

// `overview` first. With a simulator in it the report answers for any number of CPUs; the executions of the
// predicted counts lie beside it for browsers that run no WebAssembly. Errors: a bug in parcast.
Result<ReportElements> report_elements(forecast::RecordingForecast const& predicted, ReportContent content);

}  // namespace parcast::cli
