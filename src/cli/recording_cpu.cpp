#include "cli/recording_cpu.h"

#include <array>
#include <string>
#include <vector>

#include <sched.h>

#include "cli/exit_status.h"

namespace parcast::cli {

namespace {

// 8192 processors: the most that Linux can be built for.
using CpuMask = std::array<cpu_set_t, 8>;

std::vector<unsigned> allowed_cpus() {
    CpuMask mask{};
    std::vector<unsigned> allowed;
    if (sched_getaffinity(0, sizeof mask, mask.data()) == 0) {
        for (unsigned cpu = 0; cpu < sizeof mask * 8; ++cpu) {
            if (CPU_ISSET_S(cpu, sizeof mask, mask.data())) {
                allowed.push_back(cpu);
            }
        }
    }
    return allowed;
}

// "0-3,8"
std::string ranges_of(std::vector<unsigned> const& cpus) {
    std::string text;
    for (std::size_t first = 0; first < cpus.size();) {
        std::size_t last = first;
        while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) {
            ++last;
        }
        text += (text.empty() ? "" : ",") + std::to_string(cpus[first]);
        if (last > first) {
            text += "-" + std::to_string(cpus[last]);
        }
        first = last + 1;
    }
    return text;
}

}  // namespace

tl::expected<unsigned, Refusal> choose_cpu(std::optional<unsigned> wanted) {
    std::vector<unsigned> const allowed = allowed_cpus();
    if (allowed.empty()) {
        return tl::unexpected(Refusal{exit_not_recorded, "the system does not say which CPUs may be used.",
                                      "Allow the system call sched_getaffinity in this container."});
    }
    if (!wanted) {
        return allowed.back();
    }
    for (unsigned const cpu : allowed) {
        if (cpu == *wanted) {
            return cpu;
        }
    }
    return tl::unexpected(Refusal{exit_not_recorded,
                                  "CPU " + std::to_string(*wanted) + " may not be used here.",
                                  "Choose one of --cpu " + ranges_of(allowed) + ", or leave --cpu away."});
}

bool pin_to(unsigned cpu) {
    CpuMask mask{};
    CPU_SET_S(cpu, sizeof mask, mask.data());
    return sched_setaffinity(0, sizeof mask, mask.data()) == 0;
}

}  // namespace parcast::cli
