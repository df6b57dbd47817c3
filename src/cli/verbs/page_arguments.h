// What `view` and `report` of a recording or a task graph have in common: options, and the content of the
// page.

#pragma once

#include <optional>
#include <string>

#include "cli/input.h"
#include "cli/verbs/predict.h"
#include "cli/verbs/signature.h"
#include "core/result.h"
#include "pages/page_content.h"

namespace parcast::cli {

struct PageArguments {
    PredictArguments replay;              // the input, the CPU counts, and how it is executed
    std::optional<std::string> measured;  // answer of parcast scale --json --measure
    SeriesArguments series;               // of a folder
    bool source_text = true;

    friend bool operator==(PageArguments const&, PageArguments const&) = default;
};

// Under the usual schedules if none are named. Errors: those of forecast_input, those of
// pages::measured_points, inconsistent (more tasks than a browser has room for).
Result<pages::PageContent> page_content(Input input, PageArguments const& arguments);

}  // namespace parcast::cli
