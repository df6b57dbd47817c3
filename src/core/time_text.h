// A duration for people: three significant digits and a unit that fits, "4.97 s", "112 ms", "13 ns".

#pragma once

#include <string>

#include "core/time.h"

namespace parcast {

std::string time_text(Duration duration);

}  // namespace parcast
