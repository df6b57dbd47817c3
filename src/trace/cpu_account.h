// The CPU time of one thread, attributed to the segments between its events.
//
// Between two readings of the thread's CPU clock (sync), elapsed time is taken for CPU time: the
// recorder guarantees a reading after every switch, but for those in waits that it leaves unread. A reading
// corrects the segment that is open. When the correction is larger than the open segment, the rest is a debt
// that the next segments pay, so no segment is negative. Invariant:
//     everything taken + the open segment - debt = last reading - first one + what has elapsed since
//
// Unread waits: what the thread used from one reading to the next, less the segments between, is what the
// waits between took together; each gets the same. Only if the segment that ends with the reading was
// switched itself is there one unknown too many: then a wait is taken to have cost what those before did.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace parcast::trace {

class CpuAccount {
public:
    // What is known of the open segment when the clock is read: its elapsed time is its CPU time; it was
    // switched; or it is the inside of a wait, and switched.
    enum class Open : std::uint8_t { ran, switched, waited };

    void elapse(std::int64_t ns) {
        std::int64_t const paid = std::min(debt_, ns);
        debt_ -= paid;
        open_ += ns - paid;
    }

    // Was there a reading yet?
    bool is_started() const { return clock_at_zero_.has_value(); }

    // The thread's CPU clock reads `clock_ns` now. Result: what each of the waits took that were left unread
    // since the last reading.
    std::int64_t sync(std::int64_t clock_ns, Open open) {
        std::int64_t const unread = std::exchange(unread_waits_, 0);
        if (!clock_at_zero_) {
            if (taken_ == 0)
                open_ = 0;  // what came before the first reading is the recorder's own start
            clock_at_zero_ = clock_ns - taken_ - open_;
            return 0;
        }
        std::int64_t const used = clock_ns - *clock_at_zero_ - taken_;
        std::int64_t const each = share_of_a_wait(used, unread, open);
        if (open != Open::switched && each > 0) {
            known_waits_ns_ += each;
            ++known_waits_;
        }
        std::int64_t const used_in_open = used - unread * each;
        taken_ += unread * each;
        open_ = std::max<std::int64_t>(used_in_open, 0);
        debt_ = std::max<std::int64_t>(-used_in_open, 0);
        return each;
    }

    // By how much the thread, since the last reading, ran for less than has elapsed, `more_ns` from now, if
    // its CPU clock reads `clock_ns` then: others had the CPU. What unread waits took makes it less.
    std::int64_t away_ns(std::int64_t clock_ns, std::int64_t more_ns) const {
        return clock_at_zero_ ? more_ns + open_ - debt_ - (clock_ns - *clock_at_zero_ - taken_) : 0;
    }

    // The segment that began when the account was `before` is a wait that was left unread.
    void leave_unread(CpuAccount const& before) {
        *this = before;
        ++unread_waits_;
    }

    // What the open segment has used so far, ns.
    std::int64_t open() const { return open_; }

    // Closes the open segment: its CPU time, ns.
    std::int64_t take() {
        std::int64_t const segment = open_;
        taken_ += segment;
        open_ = 0;
        return segment;
    }

    // Part of the last segment belongs to the next one. REQUIRES: it was at least as long.
    void put_back(std::int64_t ns) {
        taken_ -= ns;
        open_ += ns;
    }

    // CPU time that was attributed, but not used: to be given back by the last segments at the end.
    std::int64_t debt() const { return debt_; }

private:
    std::int64_t share_of_a_wait(std::int64_t used, std::int64_t unread, Open open) const {
        std::int64_t const usable = std::max<std::int64_t>(used, 0);
        switch (open) {
            case Open::waited: return usable / (unread + 1);
            case Open::ran: return unread == 0 ? 0 : std::max<std::int64_t>(used - open_ + debt_, 0) / unread;
            case Open::switched: break;
        }
        if (unread == 0 || known_waits_ == 0)
            return 0;
        return std::min(known_waits_ns_ / known_waits_, usable / unread);
    }

    std::optional<std::int64_t> clock_at_zero_;
    std::int64_t taken_ = 0;
    std::int64_t open_ = 0;
    std::int64_t debt_ = 0;
    std::int64_t unread_waits_ = 0;
    std::int64_t known_waits_ = 0;
    std::int64_t known_waits_ns_ = 0;
};

}  // namespace parcast::trace
