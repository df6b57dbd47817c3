// Numbers as people read them: three significant digits and a unit that fits. One place for all output,
// so that the same time looks the same in every table.

#pragma once

#include <cstdint>
#include <string>

#include "core/counted.h"
#include "core/percent_text.h"
#include "core/three_digits.h"
#include "core/time_text.h"

namespace parcast::report {

using parcast::count_text;
using parcast::counted;
using parcast::percent_text;
using parcast::three_digits;
using parcast::time_text;

// "412 bytes", "4.12 kB", "1.50 GB": decimal units, as disks and networks are sold.
std::string bytes_text(std::uint64_t bytes);

// "6.97", "12.3", "63.9"; a slow-down with as many decimals as a speed-up: "0.97".
std::string speed_up_text(double speed_up);

}  // namespace parcast::report
