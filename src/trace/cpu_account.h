// The CPU time of one thread, attributed to the segments between its events.
//
// Between two readings of the thread's CPU clock (sync), elapsed time is taken for CPU time: the
// recorder guarantees a reading after every switch. A reading corrects the segment that is open. When
// the correction is larger than the open segment, the rest is a debt that the next segments pay, so no
// segment is negative. Invariant: everything taken + the open segment - debt = last reading - first one
// + what has elapsed since.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace parcast::trace {

class CpuAccount {
public:
    void elapse(std::int64_t ns) {
        std::int64_t const paid = std::min(debt_, ns);
        debt_ -= paid;
        open_ += ns - paid;
    }

    // Was there a reading yet?
    bool is_started() const { return clock_at_zero_.has_value(); }

    // The thread's CPU clock reads `clock_ns` now.
    void sync(std::int64_t clock_ns) {
        if (!clock_at_zero_) {
            if (taken_ == 0) {
                open_ = 0;  // what came before the first reading is the recorder's own start
            }
            clock_at_zero_ = clock_ns - taken_ - open_;
            return;
        }
        std::int64_t const used_in_open = clock_ns - *clock_at_zero_ - taken_;
        open_ = std::max<std::int64_t>(used_in_open, 0);
        debt_ = std::max<std::int64_t>(-used_in_open, 0);
    }

    // Closes the open segment: its CPU time, ns.
    std::int64_t take() {
        std::int64_t const segment = open_;
        taken_ += segment;
        open_ = 0;
        return segment;
    }

    // CPU time that was attributed, but not used: to be given back by the last segments at the end.
    std::int64_t debt() const { return debt_; }

private:
    std::optional<std::int64_t> clock_at_zero_;
    std::int64_t taken_ = 0;
    std::int64_t open_ = 0;
    std::int64_t debt_ = 0;
};

}  // namespace parcast::trace
