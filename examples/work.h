// CPU time on demand, the same on every run: `rounds` steps of the generator xorshift64* (Vigna 2016).
// Every step needs the result of the one before, so no compiler or processor shortens the chain.
// For C and C++.

#pragma once

#include <stdint.h>

static inline uint64_t work(uint64_t seed, long rounds) {
    uint64_t state = seed + UINT64_C(0x9e3779b97f4a7c15);
    state += state == 0;  // zero would stay zero
    for (long round = 0; round < rounds; ++round) {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state *= UINT64_C(0x2545f4914f6cdd1d);
    }
    return state;
}
