// Measures in a process of its own. What goes wrong there (it throws, cannot make a thread, hangs, gets no
// CPU) ends that process, and nothing else.

#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/time.h"

namespace parcast::measure {

// The numbers that `measure` returns in a fork of this process. None if it fails, does not return in time, or
// a signal comes that is to end this process (ending_signals.h). `measure` has only the thread that runs it;
// what it changes or prints is lost.
std::optional<std::vector<double>> measured_by_helper(std::function<std::vector<double>()> const& measure,
                                                      Duration longest);

}  // namespace parcast::measure
