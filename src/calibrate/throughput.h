// How fast k CPUs work when all k are busy, against one alone. Two hardware threads of a core share its
// units, all cores share the memory: so a loop that only computes and one that only moves memory are
// measured.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/time.h"

namespace parcast::calibrate {

enum class LoopKind : std::uint8_t {
    compute,  // integer arithmetic in registers, several independent chains
    memory,   // reads and writes an array that is larger than the caches, from begin to end, again and again
};

// Counts of CPUs to measure, of `cpus`: all up to four, then powers of two, and the last.
std::vector<std::size_t> counts_to_measure(std::size_t cpus);

// Arrays for the memory loop, one a CPU, larger than the last-level cache where the memory allows it.
class Arrays {
public:
    // Nothing is allocated before an array is used. A cache of 0 bytes is one of unknown size.
    Arrays(std::size_t count, std::size_t last_level_cache_bytes);

    std::size_t bytes_each() const { return words_ * sizeof(std::uint64_t); }
    // The first call fills it, which places its pages near the calling CPU.
    std::span<std::uint64_t> array(std::size_t index);

private:
    std::size_t words_;
    std::vector<std::unique_ptr<std::uint64_t[]>> arrays_;
};

struct Throughput {
    double each_per_second = 0;  // loop rounds of one CPU, mean over the CPUs
    double least_cpu_share = 1;  // CPU time over wall time of the thread that had the least
};

// All of `cpus` run the loop at once for so long.
Throughput throughput(LoopKind kind, std::span<unsigned const> cpus, Duration window, Arrays& arrays);

}  // namespace parcast::calibrate
