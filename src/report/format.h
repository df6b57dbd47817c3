// Numbers as people read them: three significant digits and a unit that fits. One place for all output,
// so that the same time looks the same in every table.

#pragma once

#include <string>

#include "core/bytes_text.h"
#include "core/counted.h"
#include "core/percent_text.h"
#include "core/three_digits.h"
#include "core/time_text.h"

namespace parcast::report {

// A time of a task graph: as time_text() says it, beyond the 292 years of a Duration "51200000 h".
// REQUIRES: finite, not negative.
std::string task_time_text(double ns);

}  // namespace parcast::report
