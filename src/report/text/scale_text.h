// `parcast scale` as text: a table of predictions, a table of measurements beside them, and why they differ.

#pragma once

#include <string>

#include "answer/scale.h"
#include "report/layout.h"

namespace parcast::report {

std::string scale_text(ScaleAnswer const& report, Layout const& layout);

}  // namespace parcast::report
