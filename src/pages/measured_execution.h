// A run that was measured, as a page draws it: its lanes and their sums. There is no program in it that could
// be replayed, no event and no object.

#pragma once

#include <string_view>

#include "core/catalogue.h"
#include "pages/packed_execution.h"
#include "report/json/view_json.h"
#include "timeline/run.h"

namespace parcast::pages {

struct MeasuredExecution {
    report::MeasuredExecutionFacts facts;
    Catalogue catalogue;  // its threads
    Run run;              // with intervals; too many for a page are left out
};

// `overview` and one execution, which stands where a replay stands, under the scheduler "measured".
ReportElements measured_elements(MeasuredExecution measured, std::string_view parcast_version);

}  // namespace parcast::pages
