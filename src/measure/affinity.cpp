#include "calibrate/affinity.h"

#include <array>
#include <utility>

#include <sched.h>

namespace parcast::calibrate {

namespace {

// 8192 processors: the most that Linux can be built for.
using CpuMask = std::array<cpu_set_t, 8>;

}  // namespace

std::vector<unsigned> allowed_cpus() {
    CpuMask mask{};
    std::vector<unsigned> allowed;
    if (sched_getaffinity(0, sizeof mask, mask.data()) == 0) {
        for (unsigned cpu = 0; cpu < sizeof mask * 8; ++cpu) {
            if (CPU_ISSET_S(cpu, sizeof mask, mask.data()))
                allowed.push_back(cpu);
        }
    }
    return allowed;
}

bool pin_to(unsigned cpu) {
    CpuMask mask{};
    CPU_SET_S(cpu, sizeof mask, mask.data());
    return sched_setaffinity(0, sizeof mask, mask.data()) == 0;
}

Pinned::Pinned(unsigned cpu) : former_(allowed_cpus()), is_pinned_(pin_to(cpu)) {}

Pinned::~Pinned() {
    CpuMask mask{};
    for (unsigned const cpu : former_)
        CPU_SET_S(cpu, sizeof mask, mask.data());
    sched_setaffinity(0, sizeof mask, mask.data());
}

std::jthread thread_on(unsigned cpu, std::function<void()> body) {
    return std::jthread([cpu, run = std::move(body)] {
        static_cast<void>(pin_to(cpu));
        run();
    });
}

std::optional<unsigned> first_unusable(std::vector<unsigned> const& cpus) {
    for (unsigned const cpu : cpus) {
        if (!Pinned(cpu).is_pinned())
            return cpu;
    }
    return std::nullopt;
}

}  // namespace parcast::calibrate
