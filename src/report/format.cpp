#include "report/format.h"

#include <fmt/core.h>

#include "core/bytes_text.h"

namespace parcast::report {

std::string bytes_text(std::uint64_t bytes) {
    return parcast::bytes_text(bytes);
}

std::string speed_up_text(double speed_up) {
    bool const is_slow_down = speed_up >= 0.1 && speed_up < 1;
    return is_slow_down ? fmt::format("{:.2f}", speed_up) : three_digits(speed_up);
}

}  // namespace parcast::report
