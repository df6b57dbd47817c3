#include "answer/measured.h"

#include <algorithm>

#include "core/spread.h"

namespace parcast {

namespace {

// Of less than this the clock ticks of the kernel may be all.
constexpr std::int64_t least_system_ns = 8'000'000;

BareRun const& fastest(std::vector<BareRun> const& runs) {
    return *std::ranges::min_element(runs, {}, &BareRun::wall_ns);
}

double cpu_ns(BareRun const& run) {
    return static_cast<double>(run.user_ns + run.system_ns);
}

// What the run may have taken if nobody else had been there: no less than its CPU time on all CPUs, and no
// less than what others left it of the time.
double least_ns(BareRun const& run, double cpus) {
    return std::max(cpu_ns(run) / cpus, static_cast<double>(run.wall_ns) * (1 - run.others));
}

template <class Value>
Range range_over(std::vector<BareRun> const& runs, Value value) {
    Range range{value(runs.front()), value(runs.front())};
    for (BareRun const& run : runs)
        range = {std::min(range.low, value(run)), std::max(range.high, value(run))};
    return range;
}

Range apart(Range const& range) {
    return {range.low * (1 - measured_least_apart), range.high * (1 + measured_least_apart)};
}

// Growth of a part of the CPU time, of the fastest runs.
Sensed growth(std::vector<BareRun> const& one, std::vector<BareRun> const& many, std::int64_t BareRun::* part,
              std::int64_t least) {
    auto const at_least = [&](BareRun const& run) {
        return static_cast<double>(std::max<std::int64_t>(std::max<std::int64_t>(1, least), run.*part));
    };
    auto const before = range_over(one, at_least);
    auto const after = range_over(many, at_least);
    auto const range = apart({after.low / before.high, after.high / before.low});
    return {at_least(fastest(many)) / at_least(fastest(one)), range.low, range.high};
}

MeasuredSpeedUp speed_up_of(std::vector<BareRun> const& one, MeasuredCpus const& many) {
    auto const cpus = static_cast<double>(many.cpus);
    auto const wall = [](BareRun const& run) { return static_cast<double>(run.wall_ns); };
    auto const quickest = [](double count) {
        return [count](BareRun const& run) { return least_ns(run, count); };
    };
    double const slow_one = range_over(one, wall).low;
    double const slow_many = range_over(many.runs, wall).low;
    double speed_up = slow_one / slow_many;
    // Pairs of the same round, since what drifts meets both of them.
    Range range{speed_up, speed_up};
    for (std::size_t i = 0; i < one.size(); ++i) {
        double const ratio = wall(one[i]) / wall(many.runs[i]);
        range = {std::min(range.low, ratio), std::max(range.high, ratio)};
    }
    range.low = std::min(range.low, range_over(one, quickest(1)).low / slow_many);
    range.high = std::max(range.high, slow_one / range_over(many.runs, quickest(cpus)).low);
    std::vector<double> others;
    for (BareRun const& run : many.runs)
        others.push_back(run.others);
    return {.cpus = static_cast<std::uint32_t>(many.cpus),
            .one = run_times(fastest(one)),
            .many = run_times(fastest(many.runs)),
            .speed_up = speed_up,
            .range = apart(range),
            .time_on_one_ns = apart({range_over(one, quickest(1)).low, range_over(one, wall).high}),
            .own_growth = growth(one, many.runs, &BareRun::user_ns, 0),
            .system_growth = growth(one, many.runs, &BareRun::system_ns, least_system_ns),
            .others = spread_of(std::move(others)).median};
}

}  // namespace

RunTimes run_times(BareRun const& run) {
    return {Duration{run.wall_ns}, Duration{run.user_ns}, Duration{run.system_ns}};
}

std::vector<RunTimes> run_times(std::vector<BareRun> const& runs) {
    std::vector<RunTimes> times;
    for (BareRun const& run : runs)
        times.push_back(run_times(run));
    return times;
}

std::vector<MeasuredSpeedUp> measured_speed_ups(Provenance const& provenance) {
    std::vector<MeasuredSpeedUp> speed_ups;
    for (std::size_t i = 1; i < provenance.measured.size(); ++i)
        speed_ups.push_back(speed_up_of(provenance.measured.front().runs, provenance.measured[i]));
    return speed_ups;
}

}  // namespace parcast
