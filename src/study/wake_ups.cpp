#include "study/wake_ups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "calibrate/probes.h"
#include "calibrate/statistics.h"
#include "measure/affinity.h"
#include "measure/host_description.h"

namespace parcast::study {

namespace {

// How long the woken thread has slept: the longer, the deeper its CPU sleeps, too. Most waits of programs
// are of the second kind, for which `calibrate` gives its value.
struct Sleep {
    Duration idle;
    std::size_t wake_ups;  // in a batch
    int batches;
};
constexpr std::array sleeps{Sleep{{20'000}, 10, 3}, Sleep{{200'000}, 10, 4}, Sleep{{3'000'000}, 2, 2}};
constexpr std::size_t usual_sleep = 1;
constexpr std::size_t hand_offs_made = 40;

using Times = std::array<double, sleeps.size()>;  // ns, by sleep

double median_of(std::vector<double> const& samples) {
    return calibrate::summarize(samples).median;
}

// The value, and between which ones it is after other sleeps.
Sensed among(Times const& times) {
    auto const [low, high] = std::ranges::minmax(times);
    return {times[usual_sleep], low, high};
}

// The quickest of some batches.
double creation_on(unsigned creator, unsigned child) {
    constexpr std::size_t threads = 10;
    constexpr int batches = 3;
    double best = std::numeric_limits<double>::max();
    for (int batch = 0; batch < batches; ++batch)
        best = std::min(best, median_of(calibrate::thread_lives(creator, child, threads).creations_ns));
    return best;
}

}  // namespace

std::optional<WakeUpTimes> sense_wake_ups() {
    auto const cpus = measure::describe_host().cpus;
    if (cpus.size() < 2 || measure::first_unusable({cpus[0], cpus[1]}))
        return std::nullopt;
    auto const on_same = calibrate::hand_offs(cpus[0], hand_offs_made);
    if (on_same.wake_calls_ns.empty())
        return std::nullopt;
    double const same_call = median_of(on_same.wake_calls_ns);
    Times latencies{};
    Times calls{};
    for (std::size_t i = 0; i < sleeps.size(); ++i) {
        // Other programs only lengthen wake-ups, so the quickest batch counts.
        latencies[i] = std::numeric_limits<double>::max();
        for (int batch = 0; batch < sleeps[i].batches; ++batch) {
            auto const made = calibrate::wake_ups(cpus[0], cpus[1], sleeps[i].idle, sleeps[i].wake_ups);
            if (double const latency = std::round(median_of(made.latencies_ns)); latency < latencies[i]) {
                latencies[i] = latency;
                calls[i] = std::round(std::max(0.0, median_of(made.wake_calls_ns) - same_call));
            }
        }
    }
    double const creation =
        std::round(std::max(0.0, creation_on(cpus[0], cpus[1]) - creation_on(cpus[0], cpus[0])));
    return WakeUpTimes{among(latencies), among(calls), creation};
}

}  // namespace parcast::study
