// Measures this machine for a while: rounds that others disturbed are left out, and notes say what makes the
// others doubtful.

#pragma once

#include <string>

#include "answer/calibration.h"
#include "core/notice.h"
#include "core/result.h"

namespace parcast::calibrate {

// At least one round, after up to 5 s of waiting for a quiet machine. Errors, with advice: not_permitted (the
// CPUs that may be used are not known, or change), out_of_range (fit()).
Result<CalibrationAnswer> calibrate_host(unsigned seconds, std::string const& parcast_version,
                                         Listener const& tell);

}  // namespace parcast::calibrate
