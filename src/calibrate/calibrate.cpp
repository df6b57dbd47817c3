#include "calibrate/calibrate.h"

#include <utility>

#include "calibrate/fit.h"
#include "calibrate/measure.h"
#include "calibrate/rounds.h"
#include "core/listed.h"
#include "measure/host_description.h"

namespace parcast::calibrate {

namespace {

// On a quiet machine a round takes a second.
constexpr Duration round_budget{5'000'000'000};

using MeasuredHost = Measured<Samples>;

// A loop whose threads did not have their CPUs to themselves gives no sample.
void note_missing_speeds(MeasuredHost& measured, char const* kind, SpeedSamples const& speeds,
                         std::size_t cpus) {
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

void add_notes(MeasuredHost& measured, std::size_t cpus, double before, Measurement const& measurement) {
    auto& notes = measured.notes;
    if (measured.samples.is_cut_short)
        notes.emplace_back(
            "others left so little time that rounds were cut short: some values have few samples.");
    note_missing_speeds(measured, "compute", measured.samples.compute, cpus);
    note_missing_speeds(measured, "memory", measured.samples.memory, cpus);
    if (before >= most_used_by_others)
        notes.push_back(used_by_others(before) + "before the measurement began.");
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

// With the times that Linux's source has for it. Up to 6.5 the slice is a least one, of one CPU.
LinuxScheduler fair_class_of(std::string_view kernel) {
    if (measure::has_eevdf(kernel))
        return {.eevdf = 1};
    return {.slice = {750'000}, .wake_up_granularity = {1'000'000}, .eevdf = 2};
}

}  // namespace

Result<CalibrationAnswer> calibrate_host(unsigned seconds, std::string const& parcast_version,
                                         Listener const& tell) {
    auto const host = measure::describe_host();
    if (host.cpus.empty())
        return fail(make_error(ErrorCode::not_permitted, "the system does not say which CPUs may be used",
                               "Allow the system call sched_getaffinity in this container."));
    double const before = used_before(host.cpus, seconds);
    Measurement measurement({host.cpus, host.last_level_cache_bytes});
    auto measured =
        measure_for<Samples>(seconds, host.cpus, [&] { return measurement.round(round_budget); }, tell);
    if (!measured)
        return fail(
            with_advice(measured.error(),
                        "Measure again when the CPUs of this process stay the same: parcast calibrate"));
    add_notes(*measured, host.cpus.size(), before, measurement);
    Machine shape = linux_machine(static_cast<std::uint32_t>(host.cpus.size()));
    shape.name = host.name;
    std::get<LinuxScheduler>(shape.scheduler) = fair_class_of(host.kernel);
    shape.calibration =
        Calibration{utc_date(), host.name, host.processor, parcast_version, "", measured->notes, {}};
    auto machine = fit(measured->samples, shape);
    if (!machine)
        return fail(
            with_advice(machine.error(),
                        "Measure again on a quiet machine: parcast calibrate. Who uses it now: parcast "
                        "doctor"));
    auto values = values_in(*machine->calibration, measured->samples);
    return CalibrationAnswer{.machine = std::move(*machine),
                             .cpus = host.cpus,
                             .wall = measured->wall,
                             .rounds = measured->rounds,
                             .disturbed_rounds = measured->disturbed_rounds,
                             .is_doubtful = measured->is_doubtful,
                             .values = std::move(values),
                             .block_costs = {},
                             .file = {},
                             .former_file = {}};
}

}  // namespace parcast::calibrate
