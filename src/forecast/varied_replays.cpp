#include "forecast/varied_replays.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <future>
#include <numeric>
#include <utility>

#include <boost/math/distributions/normal.hpp>

#include "core/split_mix.h"
#include "forecast/results_of.h"
#include "simulate/takes_on_one_cpu.h"

namespace parcast::forecast {

namespace {

// Standard deviations, relative.
constexpr double jitter = 0.01;             // of a segment, evenly between this less and this more
constexpr double of_measured_costs = 0.05;  // at least
constexpr double of_waking = 0.3;           // at barriers: an estimate of the recording

// The deviation of the logarithm of costs that nobody measured. It was chosen, not measured: to wake a thread
// of another CPU takes 10 us by default, and took 30 to 70 us on a virtual machine that was calibrated.
constexpr double of_unmeasured_costs = 1.4;
// Where `record` measured what waking takes, after 20 and 200 us of idling: between them it is a guess, and
// it is less after 5 us, and up to twice as much after 3 ms.
constexpr double of_cheaper_wake_ups = 1;
constexpr double of_dearer_wake_ups = 0.4;

// What a machine that nobody measured does not charge, though hosts do: of what a wake-up takes, on the CPU
// that wakes or creates a thread (0.42 for both, where it was measured).
constexpr double of_wake_up = 0.4;
constexpr std::array unknown_costs{&Costs::wake_waiter, &Costs::create_thread};

double unmeasured_move(Costs const& costs, Field<Costs> const& cost, double factor) {
    auto const value = static_cast<double>(cost.value(costs));
    if (value == 0 && std::ranges::find(unknown_costs, cost.time) != unknown_costs.end())
        return of_wake_up * to_real(costs.wake_up).ns * std::max(0.0, factor);
    return std::abs(value) * factor;
}

// By the quartiles of those that were measured.
double measured_move(Calibration const& calibration, Costs const& costs, Field<Costs> const& cost,
                     double deviation) {
    auto const measured = calibration.values.find(cost.key);
    double const spread = measured == calibration.values.end()
                              ? 0.0
                              : (measured->second.high - measured->second.low) / quartiles_apart;
    return deviation * std::max(of_measured_costs * std::abs(static_cast<double>(cost.value(costs))), spread);
}

// All costs deviate together: what makes one dearer than it was measured makes the others dearer, too.
Costs costs_at(Machine const& machine, double deviation) {
    Costs costs = machine.costs;
    for (auto const& field : Costs::fields()) {
        double const move = machine.calibration
                                ? measured_move(*machine.calibration, machine.costs, field, deviation)
                                : unmeasured_move(machine.costs, field, moved_costs(machine, deviation));
        auto const moved = static_cast<double>(field.value(machine.costs)) + move;
        field.set(costs, std::clamp(static_cast<std::int64_t>(std::llround(moved)), field.limits.low_ns,
                                    field.limits.high_ns));
    }
    return costs;
}

// The models that a replay follows until it comes to its end: that of the answer, and those that give waits
// their recorded wake-ups, which other orders of the threads may need. A program that was written down may
// not say what its waits took.
std::vector<simulate::Pairing> models_for(VariedProgram const& varied) {
    if (varied.pairing != simulate::Pairing::any || !simulate::knows_takes(*varied.program))
        return {varied.pairing};
    return {varied.pairing, simulate::Pairing::conditions, simulate::Pairing::recorded};
}

Result<LogTime> log_time(VariedProgram const& varied, std::span<simulate::Pairing const> models,
                         std::uint32_t cpus, Draw const& draw) {
    auto machine = with_cpus(varied.machine, cpus);
    machine.costs = costs_at(machine, draw.costs);
    simulate::Variation const variation{
        .seed = draw.seed,
        .jitter = jitter,
        .waking = std::exp(of_waking * draw.costs),
        .event_ns = varied.event_deviation_ns * draw.events,
    };
    for (auto const pairing : models) {
        auto const run = simulate::run(varied.program, machine,
                                       {.pairing = pairing, .plan = varied.plan, .variation = &variation});
        if (!run)
            return pass_on(run);
        if (!run->deadlock)
            return LogTime(
                {std::log(std::max(1.0, to_real(run->accounts.completion).ns)), pairing != varied.pairing});
    }
    return LogTime();
}

}  // namespace

double moved_costs(Machine const& machine, double deviation) {
    if (machine.calibration)
        return deviation;
    double const recorded = deviation < 0 ? of_cheaper_wake_ups : of_dearer_wake_ups;
    return std::expm1((machine.knows_wake_ups ? recorded : of_unmeasured_costs) * deviation);
}

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

LogTime VariedReplays::on(std::uint32_t count, std::size_t draw) const {
    auto const place = static_cast<std::size_t>(std::ranges::find(cpus, count) - cpus.begin());
    return place < cpus.size() ? log_times[place * draws.size() + draw] : LogTime();
}

Result<VariedReplays> varied_replays(VariedProgram const& varied, std::vector<std::uint32_t> cpus,
                                     std::vector<Draw> draws, unsigned workers, RunListener const& listener) {
    std::vector<std::packaged_task<Result<LogTime>()>> tasks;
    std::atomic<std::size_t> begun{0};
    std::size_t const all = cpus.size() * draws.size();
    auto const models = models_for(varied);
    for (std::uint32_t const count : cpus) {
        for (Draw const& draw : draws) {
            tasks.emplace_back([&, count] {
                listener.range_replay_begins(begun++, all);
                return log_time(varied, models, count, draw);
            });
        }
    }
    auto results = results_of(tasks, workers);
    std::vector<LogTime> times;
    for (auto& result : results) {
        if (!result)
            return pass_on(result);
        times.push_back(*result);
    }
    return VariedReplays{std::move(draws), std::move(cpus), std::move(times)};
}

}  // namespace parcast::forecast
