// The data of a report, packed as elements of its page (web/src/report_source.ts reads them).

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/page/packed_execution.h"
#include "forecast/forecast.h"
#include "report/chart/measured_point.h"
#include "view/recorded_execution.h"

namespace parcast::cli {

// What a report has beside the prediction.
struct ReportContent {
    std::optional<view::RecordedExecution> recorded;
    std::vector<report::MeasuredPoint> measured;
    bool source_text = true;
    std::vector<PackedExecution> executions;  // by the rows of the answer
};

// `overview` first. With a simulator in it the report answers for any number of CPUs; the executions of the
// predicted counts lie beside it for browsers that run no WebAssembly.
ReportElements report_elements(forecast::Forecast const& predicted, ReportContent content);

}  // namespace parcast::cli
