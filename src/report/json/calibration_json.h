// The answer of `parcast calibrate --json`: docs/formats/calibrate.schema.json.

#pragma once

#include <string>
#include <string_view>

#include "answer/calibration.h"

namespace parcast::report {

std::string calibration_json(CalibrationAnswer const& answer, std::string_view version);

}  // namespace parcast::report
