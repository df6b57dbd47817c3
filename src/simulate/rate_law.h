// The rate law of a machine as a replay needs it: the speed of each of k busy processors as a fraction, for
// k up to the number of processors. Fixed point with 20 fractional bits: measured rates have three digits.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/rates.h"

namespace parcast::simulate {

class RateLaw {
public:
    RateLaw(Rates const& rates, std::uint32_t processors) {
        if (parcast::is_flat(rates, processors))
            return;
        speeds_.push_back(one);  // nothing is busy
        auto const listed = std::max(rates.compute.size(), rates.memory.size());
        auto const last = static_cast<std::uint32_t>(std::min<std::size_t>(processors, listed));
        for (std::uint32_t busy = 1; busy <= last; ++busy)
            speeds_.push_back(static_cast<std::int64_t>(std::llround(speed(rates, busy) * one)));
    }

    // Whether every processor always works at full speed.
    bool is_flat() const { return speeds_.empty(); }
    // In units of 1 / one. REQUIRES: not flat.
    std::int64_t of(std::uint32_t busy) const {
        return speeds_[std::min<std::size_t>(busy, speeds_.size() - 1)];
    }

    static constexpr std::int64_t one = std::int64_t{1} << 20;

private:
    std::vector<std::int64_t> speeds_;  // by number of busy processors; empty if flat
};

}  // namespace parcast::simulate
