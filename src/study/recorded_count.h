// The recording for one count of CPUs, and the forecast from it.

#pragma once

#include <cstdint>

#include "answer/scale.h"
#include "core/result.h"
#include "study/runs.h"

namespace parcast::study {

// Records with `cpus` pretended, and predicts one CPU, `cpus`, and those that it can be compared on here. If
// it is going to be compared, the recording is made on a quiet machine and again if others disturbed it.
Result<ScaledCount> record_and_predict(ScaleSetting const& setting, std::uint32_t cpus);

}  // namespace parcast::study
