// Naps of which a recording does not show whether they pass time or wait for what others do.

#pragma once

#include "core/result.h"
#include "forecast/forecast.h"

namespace parcast::forecast {

// The rows' ranges reach to where the program is without them. Errors: those of the replays.
Result<void> reach_without_open_naps(Forecast& forecast);

}  // namespace parcast::forecast
