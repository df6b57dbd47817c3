#pragma once
// spins the CPU for about us microseconds by counting, not by reading the clock
#include <cstdint>
static inline std::uint64_t churn(std::uint64_t n, std::uint64_t x = 88172645463325252ull) {
    for (std::uint64_t i = 0; i < n; ++i) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}
