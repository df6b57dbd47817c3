// What the extraction took for granted, in sentences for the user of a prediction.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "extract/hand_outs.h"
#include "extract/plan.h"
#include "extract/segments.h"
#include "timeline/timeline.h"

namespace parcast::extract {

std::vector<std::string> assumptions(Timeline const& recorded, Plan const& plan, CpuBalance const& balance,
                                     std::span<HandOut const> handed_out_anew);

}  // namespace parcast::extract
