// The classes of Solaris: how long an LWP of a level runs, and where its level goes. LWPs are of class TS; or
// of IA, which is TS ten levels up; or, with a real-time level, of RT, above both.
//
// Source: the default tables of ts_dptbl and rt_dptbl, from general knowledge; Broberg 2002, papers I to III,
// name only the ends of the quanta, 20 and 200 ms.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace parcast::simulate {

inline constexpr int last_ts_level = 59;
inline constexpr int first_ts_level = 29;  // of a new LWP
inline constexpr int interactive_boost = 10;
inline constexpr std::int64_t ms_ns = 1'000'000;

constexpr std::int64_t ts_quantum_ns(int level) {
    constexpr std::array<std::int64_t, 6> by_decade_ms = {200, 160, 120, 80, 40, 40};
    return (level == last_ts_level ? 20 : by_decade_ms[static_cast<std::size_t>(level) / 10]) * ms_ns;
}

// It has used up its quantum.
constexpr int ts_level_after_quantum(int level) {
    return std::max(0, level - 10);
}

// It has slept.
constexpr int ts_level_after_sleep(int level) {
    if (level < 30)
        return 50 + level / 10;
    if (level < 45)
        return 53 + (level - 30) / 5;
    if (level < last_ts_level)
        return std::min(58, 56 + level - 45);
    return last_ts_level;
}

// It has waited for a processor when the levels are looked at, once a second.
constexpr int ts_level_after_waiting(int level) {
    return level >= 49 ? last_ts_level : ts_level_after_sleep(level);
}

// What it may wait before that.
constexpr std::int64_t ts_longest_wait_ns(int level) {
    return level == last_ts_level ? 32'000 * 1'000 * ms_ns : 0;
}

constexpr std::int64_t rt_quantum_ns(int level) {
    constexpr std::array<std::int64_t, 6> by_decade_ms = {1000, 800, 600, 400, 200, 100};
    return by_decade_ms[static_cast<std::size_t>(std::min(level / 10, 5))] * ms_ns;
}

}  // namespace parcast::simulate
