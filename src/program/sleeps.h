// When the sleeps of a thread end.

#pragma once

#include <algorithm>
#include <cstdint>

#include "program/operation.h"

namespace parcast {

class Sleeps {
public:
    void begin(std::int64_t now) { until_ns_ = now; }
    // The end of the delay that the thread comes to; `now`: it does not wait. REQUIRES: is_delay, and in the
    // order of time.
    std::int64_t end_of(Operation const& delay, std::int64_t now) {
        if (delay.kind() == OperationKind::sleep_until)
            return std::max(until_ns_ += delay.value, now);
        if (delay.kind() == OperationKind::delay)
            return until_ns_ = now + delay.value;
        return now + delay.value;
    }
    std::int64_t until_ns() const { return until_ns_; }

private:
    std::int64_t until_ns_ = 0;  // the last one was to end, or the thread began
};

}  // namespace parcast
