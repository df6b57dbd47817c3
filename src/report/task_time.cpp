#include "report/task_time.h"

#include <cmath>

#include "core/three_digits.h"
#include "core/time_text.h"

namespace parcast::report {

std::string task_time_text(double ns) {
    constexpr double hour_ns = 3600e9;
    constexpr double longest_duration_ns = 9.2e18;
    return ns < longest_duration_ns ? time_text(Duration{std::llround(ns)})
                                    : three_digits(ns / hour_ns) + " h";
}

}  // namespace parcast::report
