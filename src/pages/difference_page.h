// The page of two sides that are compared: both as their reports have them, one below the other, and how they
// differ.

#pragma once

#include <string>
#include <string_view>

#include "answer/difference.h"
#include "pages/packed_execution.h"

namespace parcast::pages {

// The second side's elements have "b-" before their ids (web/src/embedded.ts); the simulator is there once.
// What `compare` prints lies in it too, for readers without scripts. REQUIRES: two sides.
std::string difference_page(ComparedSides const& compared, ReportElements first, ReportElements second,
                            std::string_view parcast_version);

}  // namespace parcast::pages
