#include "forecast/varied_replays.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <future>
#include <numeric>
#include <utility>

#include <boost/math/distributions/normal.hpp>

#include "core/split_mix.h"
#include "forecast/results_of.h"

namespace parcast::forecast {

namespace {

// Standard deviations, relative.
constexpr double jitter = 0.01;             // of a segment, evenly between this less and this more
constexpr double of_measured_costs = 0.05;  // at least
constexpr double of_unmeasured_costs = 0.4;
constexpr double of_waking = 0.3;  // at barriers: an estimate of the recording

// All costs deviate together: what makes one dearer than it was measured makes the others dearer, too. By the
// quartiles of those that were measured.
Costs costs_at(Machine const& machine, double deviation) {
    Costs costs = machine.costs;
    for (auto const& field : Costs::fields()) {
        auto const value = static_cast<double>(field.value(costs));
        double spread = of_unmeasured_costs * std::abs(value);
        if (machine.calibration) {
            auto const& values = machine.calibration->values;
            auto const measured = values.find(field.key);
            spread = std::max(of_measured_costs * std::abs(value),
                              measured == values.end()
                                  ? 0.0
                                  : (measured->second.high - measured->second.low) / quartiles_apart);
        }
        auto const moved = static_cast<std::int64_t>(std::llround(value + spread * deviation));
        field.set(costs, std::clamp(moved, field.limits.low_ns, field.limits.high_ns));
    }
    return costs;
}

// The models that a replay follows until it comes to its end: that of the answer, and those that give waits
// their recorded wake-ups, which other orders of the threads may need.
std::vector<simulate::Pairing> models_from(simulate::Pairing pairing) {
    if (pairing == simulate::Pairing::any)
        return {pairing, simulate::Pairing::conditions, simulate::Pairing::recorded};
    return {pairing};
}

struct VariedTime {
    LogTime log;
    bool is_paired = false;  // the answer's model deadlocks
};

Result<VariedTime> log_time(VariedProgram const& varied, std::uint32_t cpus, Draw const& draw) {
    auto machine = with_cpus(varied.machine, cpus);
    machine.costs = costs_at(machine, draw.costs);
    simulate::Variation const variation{
        .seed = draw.seed,
        .jitter = jitter,
        .waking = std::exp(of_waking * draw.costs),
        .event_ns = varied.event_deviation_ns * draw.events,
    };
    for (auto const pairing : models_from(varied.pairing)) {
        auto const run = simulate::run(varied.program, machine,
                                       {.pairing = pairing, .plan = varied.plan, .variation = &variation});
        if (!run)
            return pass_on(run);
        if (!run->deadlock)
            return VariedTime{std::log(std::max(1.0, to_real(run->accounts.completion).ns)),
                              pairing != varied.pairing};
    }
    return VariedTime();
}

}  // namespace

double normal_quantile(double probability) {
    return boost::math::quantile(boost::math::normal(), probability);
}

std::vector<Draw> draws(std::uint32_t count) {
    std::vector<Draw> all(count);
    std::uint64_t state = 0;
    auto const shuffled = [&] {
        std::vector<std::uint32_t> order(count);
        std::iota(order.begin(), order.end(), 0U);
        for (std::uint32_t left = count; left > 1; --left)
            std::swap(order[left - 1], order[split_mix(state += split_mix_step) % left]);
        return order;
    };
    auto const events = shuffled();
    auto const costs = shuffled();
    auto const middle = [&](std::uint32_t part) { return normal_quantile((part + 0.5) / count); };
    for (std::uint32_t i = 0; i < count; ++i)
        all[i] = {split_mix(state += split_mix_step), middle(events[i]), middle(costs[i])};
    return all;
}

bool VariedReplays::has(std::uint32_t count) const {
    return std::ranges::find(cpus, count) != cpus.end();
}

std::vector<LogTime> const& VariedReplays::on(std::uint32_t count) const {
    return log_times[static_cast<std::size_t>(std::ranges::find(cpus, count) - cpus.begin())];
}

Result<VariedTimes> varied_times(VariedProgram const& varied, std::span<std::uint32_t const> cpus,
                                 std::span<Draw const> draws, unsigned workers, RunListener const& listener) {
    std::vector<std::packaged_task<Result<VariedTime>()>> tasks;
    std::atomic<std::size_t> begun{0};
    std::size_t const all = cpus.size() * draws.size();
    for (std::uint32_t const count : cpus) {
        for (Draw const& draw : draws) {
            tasks.emplace_back([&, count] {
                listener.range_replay_begins(begun++, all);
                return log_time(varied, count, draw);
            });
        }
    }
    auto results = results_of(tasks, workers);
    VariedTimes times{.logs = std::vector<std::vector<LogTime>>(cpus.size())};
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i])
            return pass_on(results[i]);
        times.logs[i / draws.size()].push_back(results[i]->log);
        times.deadlocks += results[i]->log ? 0 : 1;
        times.paired += results[i]->is_paired ? 1 : 0;
    }
    return times;
}

}  // namespace parcast::forecast
