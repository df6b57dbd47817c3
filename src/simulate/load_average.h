// How many threads of a processor were runnable lately, or how much of the time a thread was: an average with
// a half-life, as Linux's per-entity load tracking (Linux 3.8) without its 1 ms steps. Whole numbers only, so
// that every host finds the same. Cost: O(1).

#pragma once

#include <algorithm>
#include <cstdint>

namespace parcast::simulate {

class LoadAverage {
public:
    static constexpr std::int64_t one_thread = std::int64_t{1} << 20;

    // `runnable` threads were there since the last call.
    void advance(std::int64_t now, std::int64_t runnable, std::int64_t half_life_ns) {
        auto const elapsed = now - until_;
        if (elapsed == 0)
            return;
        until_ = now;
        auto const aim = runnable * one_thread;
        value_ = aim + (((value_ - aim) * kept_share(elapsed, half_life_ns)) >> share_bits);
    }

    void restart(std::int64_t now, std::int64_t value) {
        until_ = now;
        value_ = value;
    }
    void add(std::int64_t value) { value_ = std::max<std::int64_t>(0, value_ + value); }
    std::int64_t value() const { return value_; }

private:
    static constexpr int share_bits = 16;

    // 2^(-elapsed/half-life), by its expansion within a half-life (error below 0.5 %, none at both ends).
    static std::int64_t kept_share(std::int64_t elapsed, std::int64_t half_life_ns) {
        auto const halvings = elapsed / half_life_ns;
        if (halvings > share_bits)
            return 0;
        auto const part = ((elapsed - halvings * half_life_ns) << share_bits) / half_life_ns;
        auto const third_power = 15744 - ((3088 * part) >> share_bits);
        auto const square = 45424 - ((third_power * part) >> share_bits);
        return ((std::int64_t{1} << share_bits) - ((square * part) >> share_bits)) >> halvings;
    }

    std::int64_t value_ = 0;
    std::int64_t until_ = 0;
};

}  // namespace parcast::simulate
