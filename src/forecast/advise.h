// What to change first in a program on each number of CPUs of its forecast.

#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "answer/advice.h"
#include "core/result.h"
#include "forecast/forecast.h"

namespace parcast::forecast {

struct AdviceQuestion {
    std::size_t top = 3;  // functions and locks that are tried on each count
    bool segments = false;
    // Only what the first sentence says: the first counts, and half of the first on the last one of them.
    bool first_sentence = false;
    unsigned workers = 1;
    // Told what is being done, by several threads at once; may be empty.
    std::function<void(std::string const&)> progress = {};
};

// All work by its share of the extended critical path, and of the first functions and locks, or groups of
// tasks, what less of them brings when the program is executed. It is empty where the program deadlocks. A
// large program is changed in place while a change is tried, and is as it was afterwards.
// Errors: unasked (a graph that depends on the number of CPUs), those of the replays. REQUIRES: not a model.
Result<Advice> advise(Forecast& forecast, AdviceQuestion const& question);

}  // namespace parcast::forecast
