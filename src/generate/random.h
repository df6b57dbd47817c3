// Numbers that vary and are the same on every machine: SplitMix64 (Steele, Lea, Flood 2014).

#pragma once

#include <cstddef>
#include <cstdint>

namespace parcast::generate {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    // From 0 to below 1.
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    double between(double low, double high) { return low + (high - low) * unit(); }
    // From 0 to below `end`.
    std::size_t below(std::size_t end) { return static_cast<std::size_t>(unit() * static_cast<double>(end)); }

private:
    std::uint64_t next() {
        std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31);
    }

    std::uint64_t state_;
};

}  // namespace parcast::generate
