// Weights of the nice values and virtual run time: CPU time divided by the weight, so that equal virtual
// run times are fair shares.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace parcast::simulate {

inline constexpr std::int64_t nice_zero_weight = 1024;

// Linux's sched_prio_to_weight (kernel/sched/core.c): a factor of about 1.25 a level, so that one
// level more or less shifts 10 % of a processor between two threads.
inline constexpr std::array<std::int64_t, 40> weight_of_nice = {
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,  // -20..-11
    9548,  7620,  6100,  4904,  3906,  3121,  2501,  1991,  1586,  1277,   // -10..-1
    1024,  820,   655,   526,   423,   335,   272,   215,   172,   137,    // 0..9
    110,   87,    70,    56,    45,    36,    29,    23,    18,    15,     // 10..19
};

inline std::int64_t weight(int nice) {
    return weight_of_nice[static_cast<std::size_t>(std::clamp(nice, -20, 19) + 20)];
}

inline std::int64_t virtual_run_time(std::int64_t run_ns, std::int64_t thread_weight) {
    if (thread_weight == nice_zero_weight)
        return run_ns;
    return static_cast<std::int64_t>(static_cast<__int128>(run_ns) * nice_zero_weight / thread_weight);
}

}  // namespace parcast::simulate
