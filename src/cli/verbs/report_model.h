// parcast report MODEL: the prediction of a model in the PAMELA language as one HTML file.

#pragma once

#include <string>

#include "cli/input.h"
#include "cli/verbs/report.h"

namespace parcast::cli {

// Returns an exit status.
int report_model(ReportArguments const& arguments, Input input, std::string const& file);

}  // namespace parcast::cli
