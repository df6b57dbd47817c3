#include "measure/affinity.h"

#include <utility>

namespace parcast::measure {

CpuMask::CpuMask(std::vector<unsigned> const& cpus) {
    for (unsigned const cpu : cpus)
        CPU_SET_S(cpu, bytes(), sets());
}

std::vector<unsigned> allowed_cpus() {
    CpuMask mask;
    std::vector<unsigned> allowed;
    if (sched_getaffinity(0, CpuMask::bytes(), mask.sets()) == 0) {
        for (unsigned cpu = 0; cpu < CpuMask::bytes() * 8; ++cpu)
            if (CPU_ISSET_S(cpu, CpuMask::bytes(), mask.sets()))
                allowed.push_back(cpu);
    }
    return allowed;
}

bool pin_to(CpuMask const& cpus) {
    return sched_setaffinity(0, CpuMask::bytes(), cpus.sets()) == 0;
}

bool pin_to(unsigned cpu) {
    CpuMask mask;
    CPU_SET_S(cpu, CpuMask::bytes(), mask.sets());
    return pin_to(mask);
}

Pinned::Pinned(std::vector<unsigned> const& cpus) {
    is_pinned_ = sched_getaffinity(0, CpuMask::bytes(), former_.sets()) == 0 &&
                 sched_setaffinity(0, CpuMask::bytes(), CpuMask(cpus).sets()) == 0;
}

Pinned::~Pinned() {
    if (is_pinned_)
        sched_setaffinity(0, CpuMask::bytes(), former_.sets());
}

std::jthread thread_on(unsigned cpu, std::function<void()> body) {
    return std::jthread([cpu, run = std::move(body)] {
        static_cast<void>(pin_to(cpu));
        run();
    });
}

std::optional<unsigned> first_unusable(std::vector<unsigned> const& cpus) {
    for (unsigned const cpu : cpus)
        if (!Pinned(cpu).is_pinned())
            return cpu;
    return std::nullopt;
}

}  // namespace parcast::measure
