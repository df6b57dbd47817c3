#include "forecast/known_errors.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/kernel_time.h"
#include "forecast/hot_locks.h"
#include "forecast/recorded_wake_ups.h"
#include "forecast/varied_replays.h"
#include "machine/rates.h"

namespace parcast::forecast {

namespace {

// Standard deviations, relative. Those of what a replay cannot show are as docs/accuracy.md measured them.
constexpr double of_recordings = 0.01;
constexpr double of_models = 0.004;  // on several CPUs, and
constexpr double of_models_of_busy_cpus = 0.014;
constexpr double of_unknown_memory = 0.25;   // likewise, slower only: docs/accuracy.md, programs of others
constexpr double of_unknown_speed = 0.12;    // the same
constexpr double of_unknown_caches = 0.05;   // likewise, faster only: the same
constexpr double of_measured_memory = 0.02;  // likewise, either way
constexpr double of_sensed_memory = 0.01;    // likewise, beside what sensing leaves open
constexpr double of_kernel_bounds = 0.3;     // of the greatest loss by one lock in the kernel
constexpr double of_first_touches = 0.15;    // of the time for page faults, which lie with who ran first
constexpr double of_warnings = 0.1;
constexpr double of_unseen_waiting = 0.06;  // slower only
constexpr double of_hot_locks = 0.35;       // on several CPUs: docs/accuracy.md, hot locks

double square(double value) {
    return value * value;
}

// Threads may wait for each other where nothing is recorded.
bool hides_waiting(Finding const& finding) {
    return finding.kind == FindingKind::user_space_synchronisation ||
           finding.kind == FindingKind::openmp_runtime || finding.kind == FindingKind::static_locks ||
           finding.kind == FindingKind::libc_locks || finding.hidden_serial_share > 0;
}

// By how much longer the time may be where a share of the work may be done by one thread at a time, unseen,
// and the rest runs as predicted (Amdahl); a logarithm.
double most_unseen_delay(Answer const& answer, Row const& row) {
    double serial = 0;
    for (Finding const& finding : answer.findings)
        serial = std::max(serial, finding.hidden_serial_share);
    return std::log(std::max(1.0, (1 - serial) + serial * row.speed_up));
}

// Waits of the recording may be for nothing: a finding says so, or every wait gets the wake-up that ended it
// there, since the program deadlocks otherwise.
bool may_wait_less(Answer const& answer) {
    auto const& basis = answer.recording();
    bool const is_replaced = !basis.abandoned.empty() && basis.model != "direct";
    return is_replaced || std::ranges::any_of(answer.findings, &Finding::may_wait_less);
}

// Threads are missing that more CPUs would bring, or processes whose work is in no prediction of this one.
bool may_share_more(Answer const& answer) {
    return std::ranges::any_of(answer.findings, [](Finding const& finding) {
        return finding.kind == FindingKind::one_cpu_seen ||
               (finding.kind == FindingKind::further_processes && finding.severity == Severity::warning);
    });
}

// By how much shorter it may be where waits may be for nothing, or work may be shared; a logarithm.
double most_gain(Answer const& answer, Row const& row) {
    double most = 1;
    if (may_wait_less(answer))
        most = row.time_ns / std::max(1.0, without_waits_ns(row.run.accounts));
    if (may_share_more(answer) && row.speed_up > 0)
        most = std::max(most, static_cast<double>(row.cpus) / row.speed_up);
    return std::log(std::max(1.0, most));
}

// How far apart the speeds lie that so many busy CPUs had when the machine was calibrated: those of a host
// that others use are unsteady, and a run may meet any of them.
double speed_deviation(Machine const& machine, double busy) {
    if (!machine.calibration)
        return 0;
    auto const& values = machine.calibration->values;
    auto const found = values.find("compute_rate_" + std::to_string(std::lround(busy)));
    if (found == values.end() || found->second.median <= 0)
        return 0;
    return (found->second.high - found->second.low) / quartiles_apart / found->second.median;
}

// By how much dearer work is where all of it is limited by memory, which nobody has said of this program; a
// logarithm.
double most_delay_by_memory(Rates rates, double busy) {
    auto const cpus = static_cast<std::uint32_t>(std::lround(busy));
    double const believed = speed(rates, cpus);
    rates.memory_share = 1;
    return std::log(std::max(1.0, believed / speed(rates, cpus)));
}

void add_memory_errors(KnownErrors& known, Answer const& answer, Machine const& machine, double busy) {
    double const others = 1 - 1 / busy;
    if (auto const& sensed = answer.recording().machine.speed_deviations; !sensed.empty()) {
        auto const at = [&](double cpus) {
            return sensed[std::min(static_cast<std::size_t>(cpus), sensed.size()) - 1];
        };
        double const deviation =
            std::lerp(at(std::floor(busy)), at(std::ceil(busy)), busy - std::floor(busy));
        of(known.either_way, Uncertainty::memory) = square(deviation) + square(of_sensed_memory * others);
    } else if (machine.rates.compute.empty() && machine.rates.memory.empty()) {
        of(known.worse, Uncertainty::memory) = square(of_unknown_memory * others);
        of(known.better, Uncertainty::memory) = square(of_unknown_caches * others);
        if (!machine.calibration)
            of(known.worse, Uncertainty::speed) = square(of_unknown_speed * others);
    } else {
        of(known.either_way, Uncertainty::memory) = square(of_measured_memory * others);
        if (machine.rates.memory_share == 0)
            of(known.worse, Uncertainty::memory) =
                square(most_delay_by_memory(machine.rates, busy) * from_bound_to_deviation);
    }
}

}  // namespace

double mean_busy(Row const& row) {
    auto const busy = static_cast<double>(row.run.accounts.busy.ns);
    return row.time_ns > 0 ? std::clamp(busy / row.time_ns, 1.0, static_cast<double>(row.cpus)) : 1.0;
}

KnownErrors known_errors(Answer const& answer, Machine const& machine, Row const& row, double busy) {
    KnownErrors known;
    double const others = std::max(0.0, 1 - 1 / busy);
    of(known.either_way, Uncertainty::recording) = square(of_recordings);
    of(known.either_way, Uncertainty::model) =
        row.cpus > 1 ? square(of_models) + square(of_models_of_busy_cpus * others) : 0;
    add_memory_errors(known, answer, machine, busy);
    of(known.either_way, Uncertainty::speed) = square(speed_deviation(machine, busy));
    if (auto const& from = answer.recording().provenance) {
        auto const cpus = static_cast<std::uint32_t>(std::lround(busy));
        double const loss = analysis::most_loss_in_kernel(*from, 0, cpus);
        of(known.worse, Uncertainty::kernel) = square(of_kernel_bounds * std::log1p(-loss));
        if (from->system_work && from->rusage_cpu_ns)
            of(known.either_way, Uncertainty::kernel) =
                square(of_first_touches * analysis::share_under_locks(*from, 0) * (busy - 1));
    }
    bool const is_doubtful = std::ranges::any_of(
        answer.findings, [](Finding const& finding) { return finding.severity == Severity::warning; });
    if (is_doubtful)
        of(known.either_way, Uncertainty::findings) = square(of_warnings);
    double const longest = most_lengthened_by_wake_ups(row, answer.recording(), machine);
    if (longest > 1)
        of(known.worse, Uncertainty::findings) = square(std::log(longest) * from_bound_to_deviation);
    else if (row.cpus > 1 && has_finding(answer.findings, FindingKind::hot_locks))
        of(known.worse, Uncertainty::findings) = square(of_hot_locks);
    if (row.cpus > 1)
        of(known.better, Uncertainty::findings) = square(most_gain(answer, row) * from_bound_to_deviation);
    if (row.cpus > 1 && std::ranges::any_of(answer.findings, hides_waiting)) {
        double const unseen =
            std::max(of_unseen_waiting, most_unseen_delay(answer, row) * from_bound_to_deviation);
        of(known.worse, Uncertainty::findings) =
            std::max(of(known.worse, Uncertainty::findings), square(unseen));
    }
    return known;
}

KnownErrors known_errors_of_speed_up(Answer const& answer, Machine const& machine, Row const& row) {
    auto known = known_errors(answer, machine, row, mean_busy(row));
    of(known.either_way, Uncertainty::recording) *= 2;  // a run on one CPU, and one here
    of(known.either_way, Uncertainty::speed) += square(speed_deviation(machine, 1));
    return known;
}

KnownErrors known_errors_of_change(Answer const& answer, Machine const& machine, Row const& row,
                                   double left) {
    double const busy = mean_busy(row);
    double const busy_after = std::clamp(busy / left, 1.0, static_cast<double>(row.cpus));
    auto const before = known_errors(answer, machine, row, busy);
    auto const after = known_errors(answer, machine, row, busy_after);
    auto const all = [](KnownErrors const& known, std::size_t i) {
        return known.either_way[i] + known.worse[i] + known.better[i];
    };
    KnownErrors known;
    for (std::size_t i = 0; i < uncertainties; ++i)
        known.either_way[i] = all(before, i) * square(1 - left);
    for (auto const shared : {Uncertainty::memory, Uncertainty::speed}) {
        auto const i = static_cast<std::size_t>(shared);
        known.either_way[i] = square(std::sqrt(all(after, i)) - std::sqrt(all(before, i)));
    }
    of(known.either_way, Uncertainty::recording) = 0;
    return known;
}

}  // namespace parcast::forecast
