// The rate law: how fast each of k busy processors works, relative to one that works alone. Processors share
// power, caches and memory, so that two of them may do less than twice the work of one.
//
//     speed(k) = 1 / ((1 - m) / compute(k) + m / memory(k))
//
// where m is the share of its time that a thread alone spends on memory: times add up, not speeds. A list's
// last entry holds for all larger k; an empty list is 1 throughout.

#pragma once

#include <cstdint>
#include <vector>

namespace parcast {

struct Rates {
    std::vector<double> compute;  // compute[k - 1]: of work within the processor; the first is 1
    std::vector<double> memory;   // of work limited by memory
    double memory_share = 0;      // m, 0..1

    friend bool operator==(Rates const&, Rates const&) = default;
};

// REQUIRES: busy >= 1.
double speed(Rates const& rates, std::uint32_t busy);

// speed(k) for k = 1, 2, ... as far as it changes; empty if it is 1 throughout.
std::vector<double> speeds(Rates const& rates);

// Whether every number of busy processors up to `processors` works at full speed.
bool is_flat(Rates const& rates, std::uint32_t processors);

}  // namespace parcast
