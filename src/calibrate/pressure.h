// Pressure on caches and memory: the loop that moves memory, on some CPUs, beside something else on another.
// How fast it gets on tells what the other does to it (Bubble-Up's reporter: Mars, Tang, Hundt, Skadron and
// Soffa 2011).

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "calibrate/probes.h"
#include "core/time.h"

namespace parcast::calibrate {

class MemoryPressure {
public:
    // When it returns, each of `cpus` moves the array of its place in `arrays`, which must outlive this.
    // REQUIRES: at least one CPU, and as many arrays.
    MemoryPressure(std::vector<unsigned> const& cpus, Arrays& arrays);
    ~MemoryPressure();
    MemoryPressure(MemoryPressure const&) = delete;
    MemoryPressure& operator=(MemoryPressure const&) = delete;

    struct Reading {
        double round_ns = 0;   // CPU time of a round of the loop, mean; 0: there was none
        double cpu_share = 0;  // CPU time over wall time, mean
    };
    // Since the last reading, or since the beginning.
    Reading read();

private:
    struct Presser {
        std::atomic<std::int64_t> rounds = 0;
        std::atomic<std::uint64_t> result = 0;  // keeps the compiler from leaving the loop out
        std::jthread thread;
        std::int64_t rounds_before = 0;
        std::int64_t cpu_ns_before = 0;
    };

    std::atomic<bool> ends_ = false;
    std::vector<std::unique_ptr<Presser>> pressers_;
    std::int64_t wall_ns_before_ = 0;
};

// CPU time of a round of the loop on that CPU, which it takes for so long; with the array of that place.
double loop_round_ns(LoopKind kind, unsigned cpu, Duration window, Arrays& arrays, std::size_t place);

}  // namespace parcast::calibrate
