#include "forecast/sensed_memory.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "machine/schedulers.h"

namespace parcast::forecast {

namespace {

constexpr double wide = 1.645;  // of nine of ten under a normal law, in standard deviations
constexpr std::size_t most_listed = 256;

double entry(std::vector<double> const& list, std::size_t busy) {
    return list.empty() ? 1.0 : list[std::min(busy, list.size()) - 1];
}

// By how much work that is limited by memory is slower than other work beside `loops` that move memory, in
// time per unit of work.
double excess(Rates const& rates, double loops) {
    auto const of_whole = [&](std::size_t count) {
        return std::max(0.0, 1 / entry(rates.memory, count) - 1 / entry(rates.compute, count));
    };
    auto const below = static_cast<std::size_t>(loops);
    return std::lerp(of_whole(below), of_whole(below + 1), loops - std::floor(loops));
}

// REQUIRES: rates of memory.
Rates rates_for(Rates const& machine, double sensitivity, double pressure) {
    Rates rates = machine;
    // What is more sensitive than the loop has no share of more than all its time.
    rates.memory_share = std::min(1.0, sensitivity);
    double const beyond = std::max(1.0, sensitivity);
    std::size_t const measured = std::max(machine.memory.size(), machine.compute.size());
    std::size_t listed = measured;
    if (pressure < 1)
        listed = pressure * most_listed > static_cast<double>(measured)
                     ? static_cast<std::size_t>(std::ceil(static_cast<double>(measured - 1) / pressure)) + 1
                     : most_listed;
    rates.memory.assign(1, 1.0);
    for (std::size_t busy = 2; busy <= std::max(measured, std::min(listed, most_listed)); ++busy) {
        double const loops = 1 + static_cast<double>(busy - 1) * pressure;
        rates.memory.push_back(1 / (1 / entry(machine.compute, busy) + beyond * excess(machine, loops)));
    }
    return rates;
}

// Deviations of the logarithms, by those of both numbers, each to its farther side: one of no pressure has no
// other.
std::vector<double> deviations_for(Rates const& machine, MemorySensing const& sensed, std::size_t listed) {
    auto const sensitivity = sensed.sensitivity;
    auto const pressure = sensed.pressure;
    auto const nominal = rates_for(machine, sensitivity.value, pressure.value);
    auto const less_sensitive = rates_for(machine, sensitivity.low, pressure.value);
    auto const more_sensitive = rates_for(machine, sensitivity.high, pressure.value);
    auto const less_pressing = rates_for(machine, sensitivity.value, pressure.low);
    auto const more_pressing = rates_for(machine, sensitivity.value, pressure.high);
    std::vector<double> deviations;
    for (std::uint32_t busy = 1; busy <= listed; ++busy) {
        auto const farther = [&](Rates const& fast, Rates const& slow) {
            double const middle = speed(nominal, busy);
            return std::max(std::log(speed(fast, busy) / middle), std::log(middle / speed(slow, busy))) /
                   wide;
        };
        deviations.push_back(
            std::hypot(farther(less_sensitive, more_sensitive), farther(less_pressing, more_pressing)));
    }
    return deviations;
}

std::string place_on_scale(Sensed const& sensed) {
    return fmt::format("{:.2f} ({:.2f} - {:.2f})", sensed.value, sensed.low, sensed.high);
}

}  // namespace

bool has_own_memory(TargetMachine const& target) {
    return target.memory || target.shape.shared || target.shape.rates.memory_share > 0;
}

TargetMachine with_sensed_memory(TargetMachine target, Provenance const& recorded) {
    auto& rates = target.shape.rates;
    if (!recorded.memory || has_own_memory(target) || rates.memory.size() < 2)
        return target;
    auto const machine = rates;
    rates = rates_for(machine, recorded.memory->sensitivity.value, recorded.memory->pressure.value);
    target.speed_deviations = deviations_for(machine, *recorded.memory, rates.memory.size());
    return target;
}

std::optional<std::string> sensed_memory_assumption(TargetMachine const& target, Provenance const* recorded) {
    if (recorded == nullptr || !recorded->memory)
        return std::nullopt;
    auto const what = "By record --sense-memory, the program suffers from busy memory " +
                      place_on_scale(recorded->memory->sensitivity) +
                      " times as much as a loop that only moves memory, and slows others down " +
                      place_on_scale(recorded->memory->pressure) + " times as much as that loop. ";
    if (target.measured_growth)
        return what + "That is not used, since the program was measured on several CPUs.";
    if (!target.speed_deviations.empty())
        return what + "Busy CPUs slow each other down by that, and by the rates of " +
               target.file.value_or("the machine") + '.';
    if (!schedulers[number_of(target.shape.scheduler)].knows_rates)
        return std::nullopt;
    if (has_own_memory(target))
        return what + "That is not used, since the machine says itself what memory does to the program.";
    return what +
           "That is not used, since the machine has no rates of busy memory: parcast calibrate "
           "measures them where it runs.";
}

}  // namespace parcast::forecast
