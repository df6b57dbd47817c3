// What the predictions from one recording rest on: the model that replayed it, the machine, and how much of
// its work is replayed.

#pragma once

#include <string>

#include "answer/answer.h"
#include "report/layout.h"

namespace parcast::report {

// "replayed by the direct model · scheduler linux · machine calibrated on build7, 2026-11-21"
std::string replayed_by(Answer const& prediction);

// "note: the direct model deadlocks on 4 CPUs (see below), so ...": a paragraph that `note` begins. Empty if
// no model was replaced.
std::string replacement_text(Answer const& prediction, std::string const& note, Layout const& layout);

// "8.00 s of that is replayed; 2.00 s is what ...": who compares the time on one CPU with a stopwatch must
// know. Empty if next to nothing is left out.
std::string work_left_out(Answer const& prediction);

}  // namespace parcast::report
