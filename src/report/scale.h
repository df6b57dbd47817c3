// The answer of `parcast scale`, for people (a table of predictions, a table of measurements beside them, and
// why they differ) and as JSON (docs/formats/scale.schema.json).

#pragma once

#include <string>
#include <string_view>

#include "answer/cpu_times.h"
#include "answer/scale.h"
#include "report/layout.h"

namespace parcast::report {

std::string scale_text(ScaleAnswer const& report, Layout const& layout);
std::string scale_json(ScaleAnswer const& report, std::string_view version);

// Of --cpu-times (docs/formats/cpu-times.schema.json). REQUIRES: one CPU is among the counts.
std::string cpu_times_text(CpuTimes const& times, unsigned runs, Layout const& layout);
std::string cpu_times_json(CpuTimes const& times, unsigned runs, std::string_view version);

}  // namespace parcast::report
