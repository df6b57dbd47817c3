#include "calibrate/pressure.h"

#include <pthread.h>
#include <time.h>

#include "calibrate/loops.h"
#include "measure/affinity.h"
#include "measure/clock.h"

namespace parcast::calibrate {

namespace {

std::int64_t cpu_ns_of(std::jthread& thread) {
    clockid_t clock{};
    return pthread_getcpuclockid(thread.native_handle(), &clock) == 0 ? measure::clock_ns(clock) : 0;
}

template <class Loop>
double round_ns(Loop loop, Duration window) {
    loop.round();
    std::int64_t const start = measure::thread_cpu_ns();
    std::int64_t const end = measure::wall_ns() + window.ns;
    std::int64_t rounds = 0;
    do {
        loop.round();
        ++rounds;
    } while (measure::wall_ns() < end);
    auto const used = static_cast<double>(measure::thread_cpu_ns() - start);
    [[maybe_unused]] std::uint64_t const volatile kept = loop.result();
    return used / static_cast<double>(rounds);
}

}  // namespace

MemoryPressure::MemoryPressure(std::vector<unsigned> const& cpus, Arrays& arrays) {
    for (std::size_t place = 0; place < cpus.size(); ++place) {
        auto& presser = *pressers_.emplace_back(std::make_unique<Presser>());
        presser.thread = measure::thread_on(cpus[place], [this, &presser, &arrays, place] {
            MemoryLoop loop(arrays.array(place));
            loop.round();
            presser.rounds = 1;
            presser.rounds.notify_one();
            while (!ends_.load(std::memory_order_relaxed)) {
                loop.round();
                presser.rounds.fetch_add(1, std::memory_order_relaxed);
            }
            presser.result = loop.result();
        });
    }
    for (auto const& presser : pressers_)
        presser->rounds.wait(0);
    static_cast<void>(read());
}

MemoryPressure::~MemoryPressure() {
    ends_ = true;
}

MemoryPressure::Reading MemoryPressure::read() {
    Reading reading;
    std::int64_t const now = measure::wall_ns();
    auto const elapsed = static_cast<double>(now - wall_ns_before_);
    auto const count = static_cast<double>(pressers_.size());
    for (auto const& presser : pressers_) {
        std::int64_t const rounds = presser->rounds.load(std::memory_order_relaxed);
        std::int64_t const cpu_ns = cpu_ns_of(presser->thread);
        auto const made = static_cast<double>(rounds - presser->rounds_before);
        auto const used = static_cast<double>(cpu_ns - presser->cpu_ns_before);
        reading.round_ns += made > 0 ? used / made / count : 0;
        reading.cpu_share += used / elapsed / count;
        presser->rounds_before = rounds;
        presser->cpu_ns_before = cpu_ns;
    }
    wall_ns_before_ = now;
    return reading;
}

double loop_round_ns(LoopKind kind, unsigned cpu, Duration window, Arrays& arrays, std::size_t place) {
    double result = 0;
    measure::thread_on(cpu, [&] {
        result = kind == LoopKind::compute ? round_ns(ComputeLoop(), window)
                                           : round_ns(MemoryLoop(arrays.array(place)), window);
    }).join();
    return result;
}

}  // namespace parcast::calibrate
