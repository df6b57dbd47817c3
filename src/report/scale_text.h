// `parcast scale` as text: a table of predictions, a table of measurements beside them, and why they differ.

#pragma once

#include <string>

#include "report/layout.h"
#include "report/scale_report.h"

namespace parcast::report {

std::string scale_text(ScaleReport const& report, Layout const& layout);

}  // namespace parcast::report
