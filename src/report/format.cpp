#include "report/format.h"

#include "core/time.h"

namespace parcast::report {

std::string task_time_text(double ns) {
    constexpr double hour_ns = 3600e9;
    return ns < longest_ns ? time_text(Duration{whole_ns(ns)}) : three_digits(ns / hour_ns) + " h";
}

}  // namespace parcast::report
