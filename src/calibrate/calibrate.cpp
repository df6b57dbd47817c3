#include "calibrate/calibrate.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "calibrate/fit.h"
#include "calibrate/measure.h"
#include "core/counted.h"
#include "core/listed.h"
#include "core/percent_text.h"
#include "measure/clock.h"
#include "measure/host_description.h"
#include "measure/others_watch.h"

namespace parcast::calibrate {

namespace {

// Others may use so much of the CPUs before the measurement begins, and in each round of it.
constexpr double most_used_by_others = 0.1;
constexpr Duration longest_wait{5'000'000'000};
// On a quiet machine a round takes a second.
constexpr Duration round_budget{5'000'000'000};

struct Measured {
    Samples samples;
    unsigned rounds = 0;
    unsigned disturbed_rounds = 0;
    Duration wall;
    std::vector<std::string> notes;
    bool is_doubtful = false;
};

std::string utc_date() {
    std::time_t const now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string used_by_others(double share) {
    return "other processes, or the host of this virtual machine, used " + percent_text(share) +
           " of the CPUs' time ";
}

// Rounds until the time is over. Those that others disturbed count only if there are no others.
Result<Measured> measure_for(unsigned seconds, std::vector<unsigned> const& cpus, Measurement& measurement,
                             Listener const& tell) {
    Measured measured;
    Samples disturbed;
    measure::OthersWatch const watch(cpus);
    std::int64_t const start = measure::wall_ns();
    std::int64_t const end = start + std::int64_t{seconds} * 1'000'000'000;
    do {
        tell({Notice::Kind::progress, "measuring for " + std::to_string(seconds) + " s: " +
                                          std::to_string((measure::wall_ns() - start) / 1'000'000'000) +
                                          " s, " + counted(measured.rounds, "round")});
        measure::OthersWatch const round_watch(cpus);
        auto round = measurement.round(round_budget);
        if (!round)
            return pass_on(round);
        bool const is_disturbed = round_watch.share() > most_used_by_others;
        append(is_disturbed ? disturbed : measured.samples, std::move(*round));
        ++(is_disturbed ? measured.disturbed_rounds : measured.rounds);
    } while (measure::wall_ns() < end);
    measured.wall = {measure::wall_ns() - start};
    if (measured.rounds == 0) {
        measured.notes.push_back(
            used_by_others(watch.share()) +
            "during the measurement, in each round too much: the values below are doubtful.");
        measured.is_doubtful = true;
        measured.samples = std::move(disturbed);
        measured.rounds = std::exchange(measured.disturbed_rounds, 0);
    }
    return measured;
}

// A loop whose threads did not have their CPUs to themselves gives no sample.
void note_missing_speeds(Measured& measured, char const* kind, SpeedSamples const& speeds, std::size_t cpus) {
    std::vector<std::string> missing;
    for (auto const count : without_samples(speeds, cpus))
        missing.push_back(std::to_string(count));
    if (missing.empty())
        return;
    measured.is_doubtful = true;
    measured.notes.push_back("others ran beside the " + std::string(kind) +
                             " loop each time that it was tried on " + listed(missing, " and ") +
                             (missing.back() == "1" ? " CPU" : " CPUs") + ": its rates are doubtful.");
}

void add_notes(Measured& measured, std::size_t cpus, double used_before, Measurement const& measurement) {
    auto& notes = measured.notes;
    if (measured.samples.is_cut_short)
        notes.emplace_back(
            "others left so little time that rounds were cut short: some values have few samples.");
    note_missing_speeds(measured, "compute", measured.samples.compute, cpus);
    note_missing_speeds(measured, "memory", measured.samples.memory, cpus);
    if (used_before >= most_used_by_others)
        notes.push_back(used_by_others(used_before) + "before the measurement began.");
    if (cpus == 1)
        notes.emplace_back(
            "parcast may use one CPU here: wake-ups and locks between CPUs, and what busy CPUs cost each "
            "other, could not be measured and stay at their defaults.");
    if (!measurement.arrays_exceed_the_cache())
        notes.emplace_back(
            "there is too little memory for arrays larger than the caches: the memory rates show the "
            "caches.");
}

void add_rates(std::vector<CalibratedValue>& rows, Calibration const& calibration, std::string const& kind,
               SpeedSamples const& speeds, char const* method) {
    for (auto const& [count, unused] : speeds) {
        auto const found = calibration.values.find(kind + "_rate_" + std::to_string(count));
        if (found == calibration.values.end())
            continue;
        std::string const whose =
            count == 1 ? "one busy CPU, " : "each of " + std::to_string(count) + " busy CPUs, ";
        rows.push_back({found->first, "speed of " + whose + kind, method, true, found->second});
    }
}

std::vector<CalibratedValue> values_in(Calibration const& calibration, Samples const& samples) {
    std::vector<CalibratedValue> rows;
    for (auto const& description : descriptions) {
        auto const found = calibration.values.find(description.key);
        if (found != calibration.values.end())
            rows.push_back({description.key, description.title, description.method, false, found->second});
    }
    add_rates(rows, calibration, "compute", samples.compute, "arithmetic in registers");
    add_rates(rows, calibration, "memory", samples.memory, "updating an array larger than the caches");
    return rows;
}

}  // namespace

Result<CalibrationAnswer> calibrate_host(unsigned seconds, std::string const& parcast_version,
                                         Listener const& tell) {
    auto const host = measure::describe_host();
    if (host.cpus.empty())
        return fail(make_error(ErrorCode::not_permitted, "the system does not say which CPUs may be used",
                               "Allow the system call sched_getaffinity in this container."));
    Duration const patience = std::min(longest_wait, Duration{std::int64_t{seconds} * 1'000'000'000});
    double const used_before = measure::wait_until_quiet(host.cpus, most_used_by_others, patience);
    Measurement measurement({host.cpus, host.last_level_cache_bytes});
    auto measured = measure_for(seconds, host.cpus, measurement, tell);
    if (!measured)
        return fail(
            with_advice(measured.error(),
                        "Measure again when the CPUs of this process stay the same: parcast calibrate"));
    add_notes(*measured, host.cpus.size(), used_before, measurement);
    Machine shape = linux_machine(static_cast<std::uint32_t>(host.cpus.size()));
    shape.name = host.name;
    shape.calibration =
        Calibration{utc_date(), host.name, host.processor, parcast_version, "", measured->notes, {}};
    auto machine = fit(measured->samples, shape);
    if (!machine)
        return fail(with_advice(machine.error(), "Measure again on a quiet machine: parcast calibrate"));
    auto values = values_in(*machine->calibration, measured->samples);
    return CalibrationAnswer{.machine = std::move(*machine),
                             .cpus = host.cpus,
                             .wall = measured->wall,
                             .rounds = measured->rounds,
                             .disturbed_rounds = measured->disturbed_rounds,
                             .is_doubtful = measured->is_doubtful,
                             .values = std::move(values),
                             .file = {},
                             .former_file = {}};
}

}  // namespace parcast::calibrate
