// Random numbers that are the same on every machine: xoshiro256++ (Blackman and Vigna 2019), a stream of its
// own for each run of a seed, begun by SplitMix64 (Steele, Lea and Flood 2014).

#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/split_mix.h"

namespace parcast::ensemble {

class RandomStream {
public:
    RandomStream(std::uint64_t seed, std::uint64_t run) {
        std::uint64_t mix = seed * 0xd1342543de82ef95 + run;
        for (auto& word : state_)
            word = split_mix(mix += split_mix_step);
    }

    // In (0, 1): neither end, so that a law without bounds has a value there.
    double unit() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1p-53; }

private:
    std::uint64_t next() {
        std::uint64_t const result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        std::uint64_t const shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    std::array<std::uint64_t, 4> state_;
};

}  // namespace parcast::ensemble
