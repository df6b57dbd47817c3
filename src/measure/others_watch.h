// Who else uses the CPUs meanwhile? Other processes, and the host of a virtual machine (stolen time).

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/time.h"

namespace parcast::measure {

class OthersWatch {
public:
    // Watches from now on.
    explicit OthersWatch(std::vector<unsigned> cpus);

    // Share of the CPUs' time that others used since; 0 where the system does not tell.
    double share() const;

private:
    std::vector<unsigned> cpus_;
    std::int64_t start_ns_;
    std::optional<Duration> idle_;
    Duration own_;
};

// Waits until others use less than `most`, at most so long. The share that they used last.
double wait_until_quiet(std::vector<unsigned> const& cpus, double most, Duration longest);

}  // namespace parcast::measure
