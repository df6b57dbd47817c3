// Which measurements of `parcast scale --json --measure` belong beside the prediction of a recording?

#pragma once

#include <string>
#include <vector>

#include "answer/answer.h"
#include "core/result.h"
#include "report/chart/measured_point.h"

namespace parcast::pages {

// Those of the recorded command with the recorded threads, on one CPU and on several; rising. Refuses a file
// without any, and says whether it is another program, another number of threads or no measurement at all.
// `text`: of the file, which is named in messages.
Result<std::vector<report::MeasuredPoint>> measured_points(Result<std::string> const& text,
                                                           std::string const& file, Answer const& prediction);

}  // namespace parcast::pages
