// Which measurements of `parcast scale --json --measure` belong beside the prediction of a recording?

#pragma once

#include <string>
#include <vector>

#include "answer/answer.h"
#include "core/result.h"
#include "report/chart/measured_point.h"

namespace parcast::cli {

// Those of the recorded command with the recorded threads, on one CPU and on several; rising. Refuses a file
// without any, and says whether it is another program, another number of threads or no measurement at all.
// `file` is for messages.
Result<std::vector<report::MeasuredPoint>> measured_points(std::string const& text, std::string const& file,
                                                           Answer const& prediction);

// The same, of a file.
Result<std::vector<report::MeasuredPoint>> measured_file(std::string const& file, Answer const& prediction);

}  // namespace parcast::cli
