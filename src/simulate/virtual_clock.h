// The clock of processor sharing: it advances at the rate min(1, P/n) at which each of n running threads
// works on P processors. A thread that has w ns of work to do at virtual time V finishes at V + w,
// however often n changes meanwhile, so that a change moves no pending event.
//
// Rounding: virtual time has 32 fractional bits and is rounded to nearest once per change of n. A real
// completion is rounded up to a whole nanosecond, so that it never precedes its work; a 1024th of a
// nanosecond is forgiven, which absorbs the roundings of virtual time.

#pragma once

#include <cstdint>

#include "simulate/event_key.h"

namespace parcast::simulate {

using VirtualTime = __int128;  // ns, 32 fractional bits

class VirtualClock {
public:
    explicit VirtualClock(std::uint32_t processors) : processors_(processors) {}

    std::uint32_t running() const { return running_; }

    // `now` must not lie before the last change.
    void set_running(std::uint32_t running, std::int64_t now) {
        if (running_ > processors_ || running > processors_) {
            virtual_anchor_ = at(now);
            real_anchor_ = now;
        }
        running_ = running;
    }

    VirtualTime at(std::int64_t now) const {
        auto const elapsed = static_cast<VirtualTime>(now - real_anchor_);
        if (running_ <= processors_)
            return virtual_anchor_ + (elapsed << bits);
        return virtual_anchor_ + ((elapsed * processors_ << bits) + running_ / 2) / running_;
    }

    // The first whole nanosecond at which virtual time `finish` is reached. REQUIRES: not before the anchor.
    std::int64_t real(VirtualTime finish) const {
        auto const ahead = finish - virtual_anchor_ - forgiven;
        if (ahead <= 0)
            return real_anchor_;
        if (running_ <= processors_) {
            return real_anchor_ + static_cast<std::int64_t>((ahead + (one - 1)) >> bits);
        }
        auto const processors = one * processors_;
        return real_anchor_ + static_cast<std::int64_t>((ahead * running_ + (processors - 1)) / processors);
    }

    VirtualTime after(std::int64_t now, std::int64_t work_ns) const {
        return at(now) + (static_cast<VirtualTime>(work_ns) << bits);
    }

    // As an event key: whole nanoseconds, then the fraction, then the slot.
    static EventKey key(VirtualTime time, std::uint32_t slot) {
        return {static_cast<std::int64_t>(time >> bits), static_cast<std::uint64_t>(time) << bits | slot};
    }
    static VirtualTime time(EventKey key) {
        return static_cast<VirtualTime>(key.time) << bits | (key.order >> bits);
    }

private:
    static constexpr int bits = 32;
    static constexpr VirtualTime one = VirtualTime{1} << bits;
    static constexpr VirtualTime forgiven = one >> 10;

    VirtualTime virtual_anchor_ = 0;  // virtual time at real_anchor_
    std::int64_t real_anchor_ = 0;
    std::uint32_t processors_;
    std::uint32_t running_ = 0;
};

}  // namespace parcast::simulate
