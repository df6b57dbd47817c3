// Measures what the operations of blocked Gaussian elimination take on this machine, with caches warm and
// cold, by the edge of a block (Rugina and Schauser 1998, figure 6).

#pragma once

#include <array>
#include <string>

#include "answer/calibration.h"
#include "core/notice.h"
#include "core/result.h"

namespace parcast::calibrate {

// The paper's.
inline constexpr std::array<unsigned, 14> measured_edges = {10, 12, 16, 20, 24, 30,  40,
                                                            48, 60, 64, 80, 96, 120, 160};

// As calibrate_host(), on one CPU. Errors: not_permitted.
Result<CalibrationAnswer> calibrate_block_operations(unsigned seconds, std::string const& parcast_version,
                                                     Listener const& tell);

}  // namespace parcast::calibrate
