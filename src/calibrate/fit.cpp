#include "calibrate/fit.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/time.h"
#include "machine/network_text.h"

namespace parcast::calibrate {

namespace {

std::optional<double> median_of(Samples const& samples, Quantity quantity) {
    auto const& found = samples.of(quantity);
    return found.empty() ? std::nullopt : std::optional(summarize(found).median);
}

// Others can only slow a loop down, so the fastest samples tell what the processors can do. Not the very
// fastest: that one may owe something to the clock.
double undisturbed(std::vector<double> const& speeds) {
    return quantile_of(speeds, 0.95);
}

// The difference of two medians, if both were measured. A part below zero is noise, and adds nothing.
std::optional<double> excess(Samples const& samples, Quantity whole, Quantity part) {
    auto const larger = median_of(samples, whole);
    auto const smaller = median_of(samples, part);
    return larger && smaller ? std::optional(std::max(0.0, *larger - std::max(0.0, *smaller))) : std::nullopt;
}

// Waking a processor that has become idle only now takes no longer; if it does, that is noise.
std::optional<double> no_more(std::optional<double> soon_ns, Duration usual) {
    return soon_ns ? std::optional(std::min(*soon_ns, to_real(usual).ns)) : std::nullopt;
}

// Keeps `cost` if there is no measurement.
Result<void> set(Duration& cost, std::optional<double> measured_ns) {
    if (!measured_ns)
        return {};
    auto const rounded = round_to_duration({std::max(0.0, *measured_ns)});
    if (!rounded)
        return pass_on(rounded);
    cost = *rounded;
    return {};
}

Result<void> fit_costs(Samples const& samples, Costs& costs) {
    auto done = set(costs.context_switch, median_of(samples, Quantity::context_switch));
    if (done)
        done = set(costs.wake_up_same_cpu, excess(samples, Quantity::hand_off, Quantity::context_switch));
    if (done)
        done = set(costs.wake_up, median_of(samples, Quantity::wake_up));
    if (done)
        done = set(costs.wake_waiter, excess(samples, Quantity::wake_call, Quantity::wake_call_same_cpu));
    if (done)
        done = set(costs.wake_up_soon, no_more(median_of(samples, Quantity::wake_up_soon), costs.wake_up));
    if (done)
        done = set(costs.wake_waiter_soon,
                   no_more(excess(samples, Quantity::wake_call_soon, Quantity::wake_call_same_cpu),
                           costs.wake_waiter));
    if (done)
        done = set(costs.create_thread,
                   excess(samples, Quantity::create_thread_elsewhere, Quantity::create_thread));
    if (done)
        done = set(costs.hot_handover, median_of(samples, Quantity::hot_handover));
    return done;
}

double tenths(double time_ns) {
    return std::round(time_ns * 10) / 10;
}

// Three significant digits: the samples hold no more, and many CPUs on one bus are a hundredth as fast as
// one.
double rounded_rate(double rate) {
    if (rate == 0)
        return 0;
    double const steps = std::pow(10.0, 2 - std::floor(std::log10(rate)));
    return std::round(rate * steps) / steps;
}

void add(std::map<std::string, MeasuredValue>& values, std::string const& key,
         std::vector<double> const& samples, double (*rounded)(double)) {
    Summary const summary = summarize(samples);
    values[key] = {rounded(summary.median), rounded(summary.low), rounded(summary.high),
                   static_cast<std::int64_t>(summary.samples)};
}

void add_rates(std::map<std::string, MeasuredValue>& values, std::string const& kind,
               SpeedSamples const& speeds) {
    for (auto const& [count, samples] : relative(speeds))
        add(values, kind + "_rate_" + std::to_string(count), samples, rounded_rate);
}

// rates[k - 1] for all k up to the largest that was measured.
std::vector<double> fit_rates(SpeedSamples const& speeds) {
    std::vector<double> rates;
    for (auto const& [count, samples] : relative(speeds)) {
        if (rates.empty()) {
            rates.push_back(1);
            continue;
        }
        double const last = rates.back();
        double const next = std::min(last, undisturbed(samples));
        std::size_t const before = rates.size();
        for (std::size_t k = before + 1; k <= count; ++k) {
            double const share = static_cast<double>(k - before) / static_cast<double>(count - before);
            rates.push_back(rounded_rate(1 / std::lerp(1 / last, 1 / next, share)));
        }
    }
    return rates;
}

// Inside this node only. None: there was no second CPU.
std::optional<Network> fit_network(Samples const& samples, std::string const& host) {
    constexpr double medium_bytes = 8192;
    constexpr double large_bytes = 65536;
    auto const one_way = median_of(samples, Quantity::message_one_way);
    auto const send = median_of(samples, Quantity::message_send);
    auto const medium = median_of(samples, Quantity::message_send_medium);
    auto const gap = median_of(samples, Quantity::message_gap);
    auto const large = median_of(samples, Quantity::message_gap_large);
    if (!one_way || !send || !medium || !gap || !large)
        return std::nullopt;
    NetworkValues node;
    node.overhead_ns = tenths(*send);
    node.latency_ns = tenths(std::max(0.0, *one_way - 2 * *send));
    node.gap_ns = tenths(*gap);
    node.overhead_per_byte_ns = rounded_rate(std::max(0.0, *medium - *send) / (medium_bytes - 1));
    node.gap_per_byte_ns = rounded_rate(std::max(0.0, *large - *gap) / (large_bytes - 1));
    node.rendezvous_bytes = never_rendezvous;
    Network network;
    network.node = node;
    network.is_inside_only = true;
    network.source = "shared memory of " + (host.empty() ? "this host" : host) +
                     ", without what a library for messages does beside it";
    return network;
}

}  // namespace

std::map<std::size_t, std::vector<double>> relative(SpeedSamples const& speeds) {
    auto const alone = speeds.find(1);
    if (alone == speeds.end() || alone->second.empty())
        return {};
    double const full_speed = undisturbed(alone->second);
    auto shares = speeds;
    for (auto& [count, samples] : shares)
        for (double& sample : samples)
            sample /= full_speed;
    return shares;
}

std::map<std::string, MeasuredValue> values_of(Samples const& samples) {
    std::map<std::string, MeasuredValue> values;
    for (auto const& description : descriptions)
        if (!samples.of(description.quantity).empty())
            add(values, description.key, samples.of(description.quantity), tenths);
    add_rates(values, "compute", samples.compute);
    add_rates(values, "memory", samples.memory);
    return values;
}

Result<Machine> fit(Samples const& samples, Machine const& shape) {
    Machine machine = shape;
    if (auto done = fit_costs(samples, machine.costs); !done)
        return pass_on(done);
    machine.rates.compute = fit_rates(samples.compute);
    machine.rates.memory = fit_rates(samples.memory);
    if (!machine.calibration)
        machine.calibration.emplace();
    if (auto network = fit_network(samples, machine.calibration->host))
        machine.network = std::move(*network);
    machine.calibration->range = "quartiles";
    machine.calibration->values = values_of(samples);
    if (auto checked = check(machine); !checked)
        return pass_on(checked);
    return machine;
}

}  // namespace parcast::calibrate
