// The answer of `parcast calibrate`: docs/formats/calibrate.schema.json.

#pragma once

#include <string>
#include <string_view>

#include "answer/calibration.h"
#include "report/layout.h"

namespace parcast::report {

// The answer of `parcast calibrate` as text: what disturbed it first, then a row a quantity, then the machine
// that follows.
std::string calibration_text(CalibrationAnswer const& answer, Layout const& layout);

// The answer of `parcast calibrate --json`: docs/formats/calibrate.schema.json.
std::string calibration_json(CalibrationAnswer const& answer, std::string_view version);

}  // namespace parcast::report
