// What is tried of a program of messages, in words.

#pragma once

#include <string>

#include "answer/advice.h"

namespace parcast {

// "computing of rank 3", without a name "computing of all ranks", "messages with tag 5", "latency (L)".
std::string message_work_label(ChangeableWork const& work);

// A change of it as `predict --what-if` takes it: "rank:3*0.5", "tag:5=free", "L*0.9".
std::string change_text(ChangeableWork const& work, double factor);

// Whether without any of it the program gains much less than with a part of it: another order of messages
// decides the time, and what was tried says little. REQUIRES: at.time_ns.
bool is_erratic(AdviceOnCpus const& at, AdviceRow const& row);

}  // namespace parcast
