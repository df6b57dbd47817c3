#include "study/wake_ups.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <thread>
#include <vector>

#include "calibrate/probes.h"
#include "calibrate/statistics.h"
#include "measure/affinity.h"
#include "measure/helper_process.h"
#include "measure/host_description.h"
#include "measure/others_watch.h"

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

constexpr Duration longest_sensing{500'000'000};
constexpr int most_attempts = 4;
constexpr std::chrono::milliseconds pause{30};
constexpr double most_of_others =
    0.25;  // of both CPUs' time, which the system counts in hundredths of a second

using Times = std::array<double, sleeps.size()>;  // ns, by sleep

double median_of(std::vector<double> const& samples) {
    return calibrate::summarize(samples).median;
}

// That after the usual sleep; `low` after a shorter, `high` after a longer one, no less and no more.
Sensed among(Times const& times) {
    double const usual = times[usual_sleep];
    return {usual, std::min(usual, times.front()), std::max(usual, times.back())};
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

WakeUpTimes times_on(unsigned waker, unsigned sleeper) {
    double const same_call = median_of(calibrate::hand_offs(waker, hand_offs_made).wake_calls_ns);
    Times latencies{};
    Times calls{};
    for (std::size_t i = 0; i < sleeps.size(); ++i) {
        // Other programs mostly lengthen wake-ups, so the quickest batch counts.
        latencies[i] = std::numeric_limits<double>::max();
        for (int batch = 0; batch < sleeps[i].batches; ++batch) {
            auto const made = calibrate::wake_ups(waker, sleeper, sleeps[i].idle, sleeps[i].wake_ups);
            if (double const latency = std::round(median_of(made.latencies_ns)); latency < latencies[i]) {
                latencies[i] = latency;
                calls[i] = std::round(std::max(0.0, median_of(made.wake_calls_ns) - same_call));
            }
        }
    }
    double const creation =
        std::round(std::max(0.0, creation_on(waker, sleeper) - creation_on(waker, waker)));
    return {among(latencies), among(calls), creation};
}

std::vector<double> numbers_of(WakeUpTimes const& times) {
    auto const& [latency, call, creation] = times;
    return {latency.value, latency.low, latency.high, call.value, call.low, call.high, creation};
}

std::optional<WakeUpTimes> times_of(std::vector<double> const& numbers) {
    if (numbers.size() != numbers_of({}).size())
        return std::nullopt;
    return WakeUpTimes{
        {numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}, numbers[6]};
}

// Beside programs that keep the CPUs busy there is no wake-up of an idle CPU: 60 us in place of 10 after a
// short sleep. Nothing if they do all the time.
std::vector<double> times_on_quiet(unsigned waker, unsigned sleeper) {
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        measure::OthersWatch const others({waker, sleeper});
        auto const times = times_on(waker, sleeper);
        if (others.share() < most_of_others)
            return numbers_of(times);
        std::this_thread::sleep_for(pause);
    }
    return {};
}

}  // namespace

std::optional<WakeUpTimes> sense_wake_ups() {
    auto const cpus = measure::describe_host().cpus;
    if (cpus.size() < 2 || measure::first_unusable({cpus[0], cpus[1]}))
        return std::nullopt;
    auto const numbers =
        measure::measured_by_helper([&] { return times_on_quiet(cpus[0], cpus[1]); }, longest_sensing);
    return numbers ? times_of(*numbers) : std::nullopt;
}

}  // namespace parcast::study
