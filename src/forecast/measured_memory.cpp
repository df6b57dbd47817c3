#include "forecast/measured_memory.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/counted.h"
#include "forecast/sensed_memory.h"
#include "model/queueing/station_law.h"

namespace parcast::forecast {

namespace {

constexpr double least_growth = 1.03;     // less is how runs differ
constexpr double beyond_bandwidth = 1.1;  // times the CPUs: more is no want of bandwidth
constexpr double least_parallel = 0.3;    // of the work, or nothing follows for it
constexpr double least_spread = 1.05;     // of the machine's rates, to take its law
constexpr double wide = 1.645;            // of nine of ten under a normal law, in standard deviations
constexpr std::uint32_t listed_cpus = 256;
constexpr int halvings = 40;

double ns(Duration time) {
    return to_real(time).ns;
}

double own_ns(Accounts const& accounts) {
    return ns(accounts.busy + accounts.slowed + accounts.spinning);
}

// The share of the time in which all CPUs are busy, by how many are in the mean; none with one is idle.
double parallel_share(double busy, double cpus) {
    return std::clamp((busy - 1) / (cpus - 1), 0.0, 1.0);
}

// Growth of the work that is done while CPUs are busy, by that of all of it. None: too little is.
std::optional<double> concentrated(double growth, double share_of_time, double cpus) {
    double const of_work = cpus * share_of_time / (cpus * share_of_time + 1 - share_of_time);
    double const before = 1 - (1 - of_work) * growth;
    if (of_work < least_parallel || before <= 0)
        return std::nullopt;
    return of_work * growth / before;
}

// The time that a unit of work takes on k = 1, 2, ... CPUs whose work has the share m of its time at the
// memory.
Result<Rates> law_of(double share, Rates const& machine, std::uint32_t processors) {
    SharedResources const resources{
        .name = {},
        .memory = Memory{.bandwidth_bytes_per_ns = 1 / share, .channels = 1, .line_bytes = 1},
        .stations = {},
        .bus = {},
        .accesses_per_us = 1e3};
    Rates others;
    others.compute = machine.compute;
    return model::memory_rates(resources, others, processors);
}

// In which a unit takes so long while `cpus` are busy.
Result<Rates> queueing_rates(Rates const& machine, std::uint32_t cpus, double unit) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < halvings; ++i) {
        double const middle = (low + high) / 2;
        auto const rates = law_of(middle, machine, cpus);
        if (!rates)
            return pass_on(rates);
        (1 / speed(*rates, cpus) < unit ? low : high) = middle;
    }
    return law_of(high, machine, listed_cpus);
}

// By the machine's own rates of memory, if they know of it.
std::optional<Rates> calibrated_rates(Rates machine, std::uint32_t cpus, double unit) {
    if (machine.memory.size() < cpus)
        return std::nullopt;
    machine.memory_share = 0;
    double const compute = 1 / speed(machine, cpus);
    double const memory = 1 / machine.memory[cpus - 1];
    double const share = (unit - compute) / (memory - compute);
    if (memory < least_spread * compute || share > beyond_bandwidth)
        return std::nullopt;
    machine.memory_share = std::clamp(share, 0.0, 1.0);
    return machine;
}

// Beyond the CPUs that were measured, the memory may have all that it can give taken by as many, or half of
// the further growth may not come. Deviations of logarithms, the farther side for both.
std::vector<double> deviations_for(Rates const& rates, MemoryGrowth const& growth) {
    double const at = 1 / speed(rates, growth.cpus);
    std::vector<double> deviations;
    for (std::uint32_t busy = 1; busy <= listed_cpus; ++busy) {
        double const unit = 1 / speed(rates, busy);
        double const along = std::min(1.0, (busy - 1.0) / (growth.cpus - 1.0));
        double const slower = 1 + along * (growth.growth.high / growth.growth.value - 1);
        double const faster = 1 + along * (growth.growth.value / growth.growth.low - 1);
        double const full = std::max(unit, at * busy / growth.cpus);
        double const slow = busy > growth.cpus ? full : unit;
        double const quick = busy > growth.cpus ? at + (unit - at) / 2 : unit;
        deviations.push_back(std::max(std::log(slower * slow / unit), std::log(faster * unit / quick)) /
                             wide);
    }
    return deviations;
}

}  // namespace

bool may_have_memory_growth(TargetMachine const& target, MeasuredSpeedUp const& measured) {
    return !has_own_memory(target) && measured.own_growth.low > least_growth;
}

std::optional<MemoryGrowth> memory_growth(MeasuredSpeedUp const& measured, Accounts const& one,
                                          Accounts const& many) {
    double const cpus = measured.cpus;
    if (one.completion.ns <= 0 || many.completion.ns <= 0 || own_ns(one) <= 0)
        return std::nullopt;
    double const foreseen = own_ns(many) / own_ns(one);
    double const all_foreseen = (own_ns(many) + ns(many.overhead)) / (own_ns(one) + ns(one.overhead));
    double const all = ns(measured.many.user + measured.many.system) /
                       std::max(1.0, ns(measured.one.user + measured.one.system));
    double const predicted = ns(one.completion) / ns(many.completion);
    double const by_time = parallel_share((own_ns(many) + ns(many.overhead)) / ns(many.completion), cpus);
    double const busy = ns(measured.many.user + measured.many.system) /
                        (ns(measured.many.wall) * (1 - std::min(0.9, measured.others)));
    // By the CPU time, and by how much longer than foreseen the run took.
    auto const grown = [&](double own, double speed_up) -> std::optional<double> {
        double const whole = std::min(own / foreseen, own / measured.own_growth.value * all / all_foreseen);
        auto const unit = concentrated(std::max(1.0, whole), parallel_share(busy, cpus), cpus);
        if (!unit || by_time < least_parallel)
            return std::nullopt;
        double const longer = predicted / speed_up;
        return std::max(1.0, std::min(*unit, 1 + (longer - 1) / by_time));
    };
    auto const value = grown(measured.own_growth.value, measured.speed_up);
    auto const low = grown(measured.own_growth.low, measured.range.high);
    auto const high = grown(measured.own_growth.high, measured.range.low);
    if (!value || !low || *value < least_growth || *value > beyond_bandwidth * cpus)
        return std::nullopt;
    double const most = cpus * beyond_bandwidth;
    return MemoryGrowth{measured.cpus,
                        {*value, std::min(*low, *value), std::clamp(high.value_or(most), *value, most)}};
}

Result<TargetMachine> with_measured_memory(TargetMachine target, MemoryGrowth const& growth) {
    auto const machine = target.shape.rates;
    Rates computing;
    computing.compute = machine.compute;
    double const unit =
        std::min(static_cast<double>(growth.cpus), growth.growth.value) / speed(computing, growth.cpus);
    if (auto calibrated = calibrated_rates(machine, growth.cpus, unit)) {
        target.shape.rates = std::move(*calibrated);
    } else {
        auto rates = queueing_rates(machine, growth.cpus, unit);
        if (!rates)
            return pass_on(rates);
        target.shape.rates = std::move(*rates);
    }
    target.speed_deviations = deviations_for(target.shape.rates, growth);
    target.measured_growth = growth;
    return target;
}

std::string measured_memory_assumption(MemoryGrowth const& growth) {
    return fmt::format(
        "By record --measure, the program's own code takes {:.2f} ({:.2f} - {:.2f}) times as long while {} "
        "are "
        "busy. That is taken for shared memory: more CPUs slow each other down as customers of one queue. If "
        "it is lines that several CPUs write (false sharing), they may do worse.",
        growth.growth.value, growth.growth.low, growth.growth.high,
        counted(static_cast<std::int64_t>(growth.cpus), "CPU"));
}

}  // namespace parcast::forecast
