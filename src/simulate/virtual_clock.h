// The clock of work: it advances at the rate at which each of n running threads works. Processor sharing on P
// processors works at min(1, P/n), and the machine's rate law slows min(n, P) busy processors down. A thread
// that has w ns of work to do at virtual time V finishes at V + w, however often the rate changes meanwhile,
// so that a change moves no pending event.
//
// Rounding: virtual time has 32 fractional bits and is rounded to nearest once per change of the rate. A real
// completion is rounded up to a whole nanosecond, so that it never precedes its work; a 1024th of a
// nanosecond is forgiven, which absorbs the roundings of virtual time.
//
// The largest products are 2^50 ns of work (most_work_ns) x 2^24 running threads (most_threads) x 2^20 (rate
// law) x 2^32: within 128 bits. While nothing runs the rate is 1.

#pragma once

#include <algorithm>
#include <cstdint>

#include "simulate/event_key.h"
#include "simulate/rate_law.h"

namespace parcast::simulate {

using VirtualTime = __int128;  // ns, 32 fractional bits

class VirtualClock {
public:
    explicit VirtualClock(std::uint32_t processors, Rates const& rates = {})
        : law_(rates, processors), processors_(processors) {}

    std::uint32_t running() const { return running_; }
    bool is_flat() const { return law_.is_flat(); }

    // `now` must not lie before the last change.
    void set_running(std::uint32_t running, std::int64_t now) {
        bool const stays_full = running_ <= processors_ && running <= processors_ && law_.is_flat();
        if (!stays_full) {
            virtual_anchor_ = at(now);
            real_anchor_ = now;
            set_rate(running);
        }
        running_ = running;
    }

    VirtualTime at(std::int64_t now) const {
        auto const elapsed = static_cast<VirtualTime>(now - real_anchor_);
        if (rate_.work == rate_.time)
            return virtual_anchor_ + (elapsed << bits);
        return virtual_anchor_ + ((elapsed * rate_.work << bits) + rate_.time / 2) / rate_.time;
    }

    // The first whole nanosecond at which virtual time `finish` is reached; not before the last change of the
    // rate.
    std::int64_t real(VirtualTime finish) const {
        auto const ahead = finish - virtual_anchor_ - forgiven;
        if (ahead <= 0)
            return real_anchor_;
        if (rate_.work == rate_.time)
            return real_anchor_ + static_cast<std::int64_t>((ahead + (one - 1)) >> bits);
        auto const work = one * rate_.work;
        return real_anchor_ + static_cast<std::int64_t>((ahead * rate_.time + (work - 1)) / work);
    }

    static VirtualTime span(std::int64_t work_ns) { return static_cast<VirtualTime>(work_ns) << bits; }
    VirtualTime after(std::int64_t now, std::int64_t work_ns) const { return at(now) + span(work_ns); }

    // Rounded up: work that is left is not lost; none is left beyond the end.
    static std::int64_t whole_ns(VirtualTime span) {
        return static_cast<std::int64_t>(std::max<VirtualTime>(span - forgiven + (one - 1), 0) >> bits);
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

    struct Rate {  // so much work in so much time
        std::int64_t work = 1;
        std::int64_t time = 1;
    };

    void set_rate(std::uint32_t running) {
        auto const busy = std::min(running, processors_);
        rate_ = running > processors_ ? Rate{processors_, running} : Rate{};
        if (!law_.is_flat())
            rate_ = {rate_.work * law_.of(busy), rate_.time * RateLaw::one};
    }

    VirtualTime virtual_anchor_ = 0;  // virtual time at real_anchor_
    std::int64_t real_anchor_ = 0;
    RateLaw law_;
    Rate rate_;
    std::uint32_t processors_;
    std::uint32_t running_ = 0;
};

}  // namespace parcast::simulate
