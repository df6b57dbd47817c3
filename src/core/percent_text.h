// A share as people read it: whole percents, and one decimal where it is less than one.

#pragma once

#include <string>

namespace parcast {

// A share of one as text: "82 %", "0.4 %", "<0.1 %", "0 %". REQUIRES: finite.
std::string percent_text(double share);

}  // namespace parcast
