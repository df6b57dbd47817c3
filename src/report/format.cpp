#include "report/format.h"

#include <fmt/core.h>

#include "core/time.h"

namespace parcast::report {

std::string speed_up_text(double speed_up) {
    bool const is_slow_down = speed_up >= 0.1 && speed_up < 1;
    return is_slow_down ? fmt::format("{:.2f}", speed_up) : three_digits(speed_up);
}

std::string task_time_text(double ns) {
    constexpr double hour_ns = 3600e9;
    return ns < longest_ns ? time_text(Duration{whole_ns(ns)}) : three_digits(ns / hour_ns) + " h";
}

}  // namespace parcast::report
