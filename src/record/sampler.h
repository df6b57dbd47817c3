// Which functions a program runs, without its help: the kernel looks at it after each period of CPU time and
// notes who called whom (perf_event_open, the task clock of each thread, one ring for the one CPU). Needs no
// privileges up to /proc/sys/kernel/perf_event_paranoid 2. Containers often forbid it.
//
// Assumptions: 1. The program runs on one CPU, as recorded ones do; threads and processes that it starts are
// looked at, too. 2. Time in the kernel is not sampled. 3. The innermost function is right. Its callers are
// found by frame pointers, where the program keeps them. 4. Each thread has a timer of its own, so that one
// that runs for less than a period has no sample.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <sys/types.h>

#include "core/result.h"
#include "core/time.h"
#include "record/perf_ring.h"

namespace parcast::record {

// An address in a program, and the one that called it.
struct SampledStack {
    std::uint32_t caller = 0xffffffff;  // its number; all ones: the outermost that was found
    std::uint64_t address = 0;
    friend bool operator==(SampledStack const&, SampledStack const&) = default;
};

struct Sample {
    std::int64_t monotonic_ns = 0;
    std::uint32_t process = 0;
    std::uint32_t kernel_thread = 0;
    std::uint32_t stack = 0;  // of Samples::stacks
};

struct Samples {
    std::int64_t period_ns = 0;
    std::int64_t lost = 0;
    std::vector<SampledStack> stacks;  // callers before those whom they call
    std::vector<Sample> samples;       // by time
};

class Sampler {
public:
    explicit Sampler(Duration period) : period_(period) {}

    // From when the process executes its program on. Errors: not_recorded, with what forbids it.
    Result<void> attach(pid_t process, unsigned cpu);
    // Takes what there is out of the ring. At least so often, and when `ring` can be read; nothing if it is
    // not attached.
    void drain();
    static constexpr Duration longest_pause{100'000'000};
    int ring() const { return ring_.descriptor(); }

    Samples const& samples() const { return samples_; }

private:
    struct HashStack {
        std::size_t operator()(SampledStack const& stack) const {
            return (stack.address ^ stack.caller * std::uint64_t{0x9e3779b97f4a7c15}) * 0xc2b2ae3d27d4eb4fu >>
                   13;
        }
    };
    void take(std::span<std::byte const> record);
    std::uint32_t number_of(std::uint32_t caller, std::uint64_t address);

    Duration period_;
    PerfRing ring_;
    std::unordered_map<SampledStack, std::uint32_t, HashStack> numbers_;
    Samples samples_;
};

}  // namespace parcast::record
