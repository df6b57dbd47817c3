// The answer of `parcast calibrate --json`: docs/formats/calibrate.schema.json.

#pragma once

#include <string>
#include <string_view>

#include "report/calibration.h"

namespace parcast::report {

std::string calibration_json(CalibrationReport const& report, std::string_view version);

}  // namespace parcast::report
