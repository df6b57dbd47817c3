// How many processors does a wake-up search for an idle one? Linux searches the fewer, the busier they were
// lately, and none from some utilisation on: a search of busy processors costs time and finds nothing
// (SIS_UTIL, Linux 6.0). So a thread may queue while a processor idles.
//
//     limit = P (1 - (U / U0)^2)     U: utilisation of all P processors, U0: where the search stops
//
// U is the number of busy processors, averaged with a half-life (Linux's per-entity load tracking; the sum
// over processors is all that is needed, since averaging is linear). The limit is looked at anew once an
// interval, so that it lags behind.
//
// Whole numbers only, so that every host finds the same. Cost: O(1) a change.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace parcast::simulate {

class IdleSearch {
public:
    // `stops_percent`: U0 of one processor; 0: every search is of all processors.
    IdleSearch(std::uint32_t processors, std::int64_t stops_percent, std::int64_t interval_ns)
        : processors_(processors),
          stops_percent_(stops_percent),
          interval_ns_(interval_ns),
          limit_(processors) {}

    void processor_starts(std::int64_t now) {
        advance(now);
        bool const has_been_idle = busy_++ == 0;
        if (has_been_idle && is_due(now))
            look(now);
    }
    void processor_stops(std::int64_t now) {
        advance(now);
        --busy_;
    }
    // Linux expects of a new thread half of what is left of its processor, which is like the others here.
    void thread_begins() { utilisation_ += (whole * processors_ - utilisation_) / (2 * processors_); }

    // Processors to be searched now.
    std::uint32_t limit(std::int64_t now) {
        if (is_due(now))
            look(now);
        return limit_;
    }

private:
    static constexpr std::int64_t whole = std::int64_t{1} << 20;  // one processor, fully used
    // In an interval that lasts an eighth of the half-life: 32 ms of 4 ms ticks.
    static constexpr std::int64_t intervals_a_half_life = 8;
    static constexpr int share_bits = 16;

    // 2^(-k/8), 16 fractional bits.
    static constexpr std::array<std::int64_t, 8> fractions = {65536, 60097, 55109, 50535,
                                                              46341, 42495, 38968, 35734};

    bool is_due(std::int64_t now) const { return stops_percent_ > 0 && now - looked_ >= interval_ns_; }

    void advance(std::int64_t now) {
        busy_ns_ += (now - counted_) * busy_;
        counted_ = now;
    }

    void look(std::int64_t now) {
        advance(now);
        auto const elapsed = now - looked_;
        auto const busy = mean_busy(elapsed);
        utilisation_ = busy + (((utilisation_ - busy) * kept_share(elapsed / interval_ns_)) >> share_bits);
        busy_ns_ = 0;
        looked_ = now;
        set_limit();
    }

    // Processors busy since `looked_`, times `whole`. Long times lose their last bits, not the first ones.
    std::int64_t mean_busy(std::int64_t elapsed) const {
        constexpr int exact_bits = 42;
        auto const bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(elapsed)));
        auto const shift = std::max(0, bits - exact_bits);
        auto const time = elapsed >> shift;
        auto const used = busy_ns_ >> shift;
        return used / time * whole + used % time * whole / time;
    }

    static std::int64_t kept_share(std::int64_t intervals) {
        auto const halvings = std::min<std::int64_t>(intervals / intervals_a_half_life, 62);
        return fractions[static_cast<std::size_t>(intervals % intervals_a_half_life)] >> halvings;
    }

    void set_limit() {
        auto const stops_at = whole * processors_ * stops_percent_ / 100;
        auto const used = std::min(whole, utilisation_ * whole / stops_at);
        limit_ = static_cast<std::uint32_t>(processors_ * (whole * whole - used * used) / (whole * whole));
    }

    std::int64_t processors_;
    std::int64_t stops_percent_;
    std::int64_t interval_ns_;
    std::int64_t utilisation_ = 0;
    std::int64_t busy_ns_ = 0;  // processor time since `looked_`, up to `counted_`
    std::int64_t counted_ = 0;
    std::int64_t looked_ = 0;
    std::int64_t busy_ = 0;
    std::uint32_t limit_;
};

}  // namespace parcast::simulate
