// The program as another run of it might have been: its segments take a little more or less time, each by
// itself, so that threads come to locks and processors in another order; and its operations cost a little
// more or less than was taken off the recording for them.

#pragma once

#include <cmath>
#include <cstdint>

#include "core/id.h"
#include "core/split_mix.h"

namespace parcast::simulate {

struct Variation {
    std::uint64_t seed = 0;
    double jitter = 0;    // a segment takes up to this share of it more or less, all lengths alike. [0, 1]
    double waking = 1;    // a barrier's price of waking a thread, by that of the program
    double event_ns = 0;  // more CPU time before each operation; less, as far as there is some, if negative

    // The CPU time before an operation of which the program says `planned`.
    std::int64_t work_ns(ThreadId thread, std::uint32_t operation, std::int64_t planned) const {
        auto const place = std::uint64_t{thread.value} << 32 | operation;
        auto const drawn = static_cast<double>(split_mix(seed + place * split_mix_step) >> 11) * 0x1p-53;
        auto const work = static_cast<double>(planned) * (1 + jitter * (2 * drawn - 1)) + event_ns;
        return work > 0 ? std::llround(work) : 0;
    }
    std::int64_t waking_ns(std::int64_t planned) const {
        return std::llround(static_cast<double>(planned) * waking);
    }
};

}  // namespace parcast::simulate
