// How many threads of a processor were runnable lately, or how much of the time a thread was: an average with
// a half-life, as Linux's per-entity load tracking (Linux 3.8) without its 1 ms steps. Whole numbers only, so
// that every host finds the same. Cost: O(1).

#pragma once

#include <algorithm>
#include <cstdint>

namespace parcast::simulate {

// What a thread, or all threads of a processor, did lately, in shares of one processor or thread.
struct Loads {
    std::int64_t load = 0;      // runnable threads; a new one counts as if it had always been (load_avg)
    std::int64_t runnable = 0;  // the same; a new one counts as what it is expected to use (runnable_avg)
    std::int64_t used = 0;      // threads that ran (util_avg)

    Loads& operator+=(Loads const& other) {
        load += other.load;
        runnable += other.runnable;
        used += other.used;
        return *this;
    }
    Loads& operator-=(Loads const& other) {
        load = std::max<std::int64_t>(0, load - other.load);
        runnable = std::max<std::int64_t>(0, runnable - other.runnable);
        used = std::max<std::int64_t>(0, used - other.used);
        return *this;
    }
};

class LoadAverage {
public:
    static constexpr std::int64_t one_thread = std::int64_t{1} << 20;

    // `runnable` threads were there since the last call, and `running` of them ran.
    void advance(std::int64_t now, std::int64_t runnable, std::int64_t running, std::int64_t half_life_ns) {
        auto const elapsed = now - until_;
        if (elapsed == 0)
            return;
        until_ = now;
        auto const kept = kept_share(elapsed, half_life_ns);
        auto const average = [kept](std::int64_t& value, std::int64_t threads) {
            auto const aim = threads * one_thread;
            value = aim + (((value - aim) * kept) >> share_bits);
        };
        average(loads_.load, runnable);
        average(loads_.runnable, runnable);
        average(loads_.used, running);
    }

    void restart(std::int64_t now, Loads const& loads) {
        until_ = now;
        loads_ = loads;
    }
    void add(Loads const& loads) { loads_ += loads; }
    void subtract(Loads const& loads) { loads_ -= loads; }
    Loads const& loads() const { return loads_; }

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

    Loads loads_;
    std::int64_t until_ = 0;
};

}  // namespace parcast::simulate
