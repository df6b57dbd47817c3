// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): numbers that follow each other become numbers
// that look random, the same on every machine.

#pragma once

#include <cstdint>

namespace parcast {

inline constexpr std::uint64_t split_mix_step = 0x9e3779b97f4a7c15;  // between the states of its stream

constexpr std::uint64_t split_mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

}  // namespace parcast
