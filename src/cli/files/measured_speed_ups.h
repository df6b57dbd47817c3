// The speed-ups that `parcast scale --json --measure` measured: of the program told to use one CPU, over the
// one told to use as many as it ran on.

#pragma once

#include <string>
#include <vector>

#include "answer/signature.h"
#include "core/result.h"

namespace parcast::cli {

// By rising number of threads. Errors: those of read_text; malformed (another text), inconsistent (nothing
// was measured).
Result<std::vector<SpeedUpMeasuredWith>> read_measured_speed_ups(std::string const& file);

}  // namespace parcast::cli
