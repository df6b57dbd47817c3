// The answer of `parcast calibrate` as text: what disturbed it first, then a row a quantity, then the machine
// that follows.

#pragma once

#include <string>

#include "answer/calibration.h"
#include "report/layout.h"

namespace parcast::report {

std::string calibration_text(CalibrationAnswer const& answer, Layout const& layout);

}  // namespace parcast::report
