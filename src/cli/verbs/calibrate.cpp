// parcast calibrate: measures this machine, and writes a machine file for predictions.

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "calibrate/fit.h"
#include "calibrate/measure.h"
#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/options/host_machine_file.h"
#include "cli/options/option_values.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/verbs/machine_file_output.h"
#include "cli/version.h"
#include "core/counted.h"
#include "core/percent_text.h"
#include "machine/machine_toml.h"
#include "measure/clock.h"
#include "measure/host_description.h"
#include "measure/others_watch.h"
#include "report/json/calibration_json.h"
#include "report/text/calibration_text.h"

namespace parcast::cli {

namespace {

struct CalibrateArguments {
    std::optional<std::string> output;  // absent: the host's own machine file
    unsigned seconds = 20;              // that the measurement may take
    bool dry_run = false;               // writes no file
    bool json = false;

    friend bool operator==(CalibrateArguments const&, CalibrateArguments const&) = default;
};

struct Measured {
    calibrate::Samples samples;
    unsigned rounds = 0;
    unsigned disturbed_rounds = 0;
    Duration wall;
    std::vector<std::string> notes;
    bool is_doubtful = false;  // others disturbed all of it, or all samples of a speed; the notes say how
};

std::string utc_date() {
    std::time_t const now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                       parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

// Others may use so much of the CPUs before the measurement begins, and in each round of it.
constexpr double most_used_by_others = 0.1;
constexpr Duration longest_wait{5'000'000'000};
// On a quiet machine a round takes a second.
constexpr Duration round_budget{5'000'000'000};

constexpr char const* advice_for_output = "Name another file: parcast calibrate -o machine.toml";

std::string what_others_used(double share) {
    return "other processes, or the host of this virtual machine, used " + percent_text(share) +
           " of the CPUs' time ";
}

// Rounds until the time is over, at least one. Those that others disturbed count only if there are no others.
// Errors: those of a round.
Result<Measured> measure_for(unsigned seconds, std::vector<unsigned> const& cpus,
                             calibrate::Measurement& measurement) {
    Progress progress;
    Measured measured;
    calibrate::Samples disturbed;
    measure::OthersWatch const watch(cpus);
    std::int64_t const start = measure::wall_ns();
    std::int64_t const end = start + std::int64_t{seconds} * 1'000'000'000;
    do {
        progress.say(fmt::format("measuring, {} of {} s, {}", (measure::wall_ns() - start) / 1'000'000'000,
                                 seconds, counted(measured.rounds, "round")));
        measure::OthersWatch const round_watch(cpus);
        auto round = measurement.round(round_budget);
        if (!round)
            return pass_on(round);
        bool const is_disturbed = round_watch.share() > most_used_by_others;
        calibrate::append(is_disturbed ? disturbed : measured.samples, std::move(*round));
        ++(is_disturbed ? measured.disturbed_rounds : measured.rounds);
    } while (measure::wall_ns() < end);
    measured.wall = {measure::wall_ns() - start};
    if (measured.rounds == 0) {
        measured.notes.push_back(
            what_others_used(watch.share()) +
            "during the measurement, in each round too much: the values below are doubtful.");
        measured.is_doubtful = true;
        measured.samples = std::move(disturbed);
        measured.rounds = std::exchange(measured.disturbed_rounds, 0);
    }
    return measured;
}

void look_for_cut_rounds(Measured& measured) {
    if (measured.samples.is_cut_short)
        measured.notes.push_back(
            "others left so little time that rounds were cut short: some values have few samples.");
}

// A loop whose threads did not have their CPUs to themselves gives no sample.
void look_for_missing_speeds(Measured& measured, std::size_t cpus) {
    auto const look = [&](char const* kind, calibrate::SpeedSamples const& speeds) {
        auto const missing = calibrate::without_samples(speeds, cpus);
        if (missing.empty())
            return;
        measured.is_doubtful = true;
        measured.notes.push_back(
            fmt::format("others had a part of the CPUs each time that the {} loop ran on {} of them: its "
                        "rates are doubtful.",
                        kind, fmt::join(missing, ", ")));
    };
    look("compute", measured.samples.compute);
    look("memory", measured.samples.memory);
}

std::vector<std::string> limits_of_measurement(measure::HostDescription const& host,
                                               calibrate::Measurement const& measurement) {
    std::vector<std::string> notes;
    if (host.cpus.size() == 1) {
        notes.push_back(
            "parcast may use one CPU here: wake-ups and locks between CPUs, and what busy CPUs cost each "
            "other, "
            "could not be measured and stay at their defaults.");
    }
    if (!measurement.arrays_exceed_the_cache()) {
        notes.push_back(
            "there is too little memory for arrays larger than the caches: the memory rates show the "
            "caches.");
    }
    return notes;
}

Machine shape_of(measure::HostDescription const& host, Measured const& measured) {
    Machine shape = linux_machine(static_cast<std::uint32_t>(host.cpus.size()));
    shape.name = host.name;
    shape.calibration =
        Calibration{utc_date(), host.name, host.processor, std::string(version), "", measured.notes, {}};
    return shape;
}

report::CalibratedValue row(std::string key, std::string title, std::string method, bool is_rate,
                            MeasuredValue const& value) {
    return {std::move(key), std::move(title), std::move(method), is_rate,
            value.median,   value.low,        value.high,        value.samples};
}

void add_rates(std::vector<report::CalibratedValue>& rows, Machine const& machine, char const* kind,
               calibrate::SpeedSamples const& speeds, char const* method) {
    for (auto const& [count, unused] : speeds) {
        std::string const title = count == 1 ? fmt::format("speed of one busy CPU, {}", kind)
                                             : fmt::format("speed of each of {} busy CPUs, {}", count, kind);
        auto const found = machine.calibration->values.find(fmt::format("{}_rate_{}", kind, count));
        if (found != machine.calibration->values.end())
            rows.push_back(row(found->first, title, method, true, found->second));
    }
}

std::vector<report::CalibratedValue> rows_of(Machine const& machine, calibrate::Samples const& samples) {
    std::vector<report::CalibratedValue> rows;
    for (auto const& description : calibrate::descriptions) {
        auto const found = machine.calibration->values.find(description.key);
        if (found != machine.calibration->values.end())
            rows.push_back(row(description.key, description.title, description.method, false, found->second));
    }
    add_rates(rows, machine, "compute", samples.compute, "arithmetic in registers");
    add_rates(rows, machine, "memory", samples.memory, "updating an array larger than the caches");
    return rows;
}

report::CalibrationReport report_of(measure::HostDescription const& host, Measured const& measured,
                                    Machine const& machine) {
    report::CalibrationReport report;
    report.host = host.name;
    report.processor = host.processor;
    report.cpus = host.cpus;
    report.date = machine.calibration->date;
    report.wall = measured.wall;
    report.rounds = measured.rounds;
    report.disturbed_rounds = measured.disturbed_rounds;
    report.notes = measured.notes;
    report.values = rows_of(machine, measured.samples);
    for (auto const& field : Costs::fields())
        report.costs.push_back({field.key, field.value(machine.costs)});
    report.compute_rates = machine.rates.compute;
    report.memory_rates = machine.rates.memory;
    return report;
}

// Predictions use the host's file unasked: what nobody should use does not become that. Whoever names a file
// gets it.
bool is_withheld(CalibrateArguments const& arguments, Measured const& measured) {
    return measured.is_doubtful && !arguments.output;
}

void say_withheld(std::string const& path) {
    std::error_code ignored;
    bool const has_former = std::filesystem::exists(path, ignored);
    print_error("others disturbed the measurement: " + path +
                    (has_former ? " stays as it is." : " is not written, predictions keep the defaults."),
                "Measure again on a quiet machine, or write it all the same: parcast calibrate -o " + path);
}

int say(CalibrateArguments const& arguments, report::CalibrationReport const& report) {
    if (arguments.json)
        return print_result(report::calibration_json(report, version));
    report::Layout const layout{colour_of(Stream::output), line_width(Stream::output),
                                report::Detail::short_form};
    return print_result(report::calibration_text(report, layout));
}

void say_written(CalibrateArguments const& arguments, report::CalibrationReport const& report) {
    print_note("wrote " + *report.file +
               (report.former_file ? ", the former one is now " + *report.former_file : ""));
    print_note(arguments.output ? "next: parcast predict FILE --machine " + *arguments.output
                                : "predictions on this host use it from now on");
}

// Where the machine is written to; none in a dry run. Errors: an exit status, and why has been said.
tl::expected<std::optional<std::string>, int> output_of(CalibrateArguments const& arguments) {
    if (arguments.dry_run)
        return std::nullopt;
    auto path = arguments.output ? arguments.output : host_machine_file();
    if (!path) {
        print_error("there is no folder for the machine file: neither HOME nor XDG_CONFIG_HOME is set.",
                    "Name a file: parcast calibrate -o machine.toml");
        return tl::unexpected<int>(exit_output);
    }
    if (auto const output = check_machine_file_output(*path); !output) {
        print_error(output.error(), advice_for_output);
        return tl::unexpected<int>(exit_output);
    }
    return path;
}

// All rounds, and in the notes what makes them doubtful. Errors: those of a round.
Result<Measured> measure(measure::HostDescription const& host, unsigned seconds) {
    Duration const patience = std::min(longest_wait, Duration{std::int64_t{seconds} * 1'000'000'000});
    double const used_before = measure::wait_until_quiet(host.cpus, most_used_by_others, patience);
    calibrate::Measurement measurement({host.cpus, host.last_level_cache_bytes});
    auto measured = measure_for(seconds, host.cpus, measurement);
    if (!measured)
        return measured;
    look_for_cut_rounds(*measured);
    look_for_missing_speeds(*measured, host.cpus.size());
    if (used_before >= most_used_by_others)
        measured->notes.push_back(what_others_used(used_before) + "before the measurement began.");
    auto const limits = limits_of_measurement(host, measurement);
    measured->notes.insert(measured->notes.end(), limits.begin(), limits.end());
    return measured;
}

// Says what was measured, and writes it unless it is too doubtful. Returns an exit status.
int keep(CalibrateArguments const& arguments, std::optional<std::string> const& path,
         Measured const& measured, Machine const& machine, report::CalibrationReport report) {
    if (path && is_withheld(arguments, measured)) {
        int const status = say(arguments, report);
        say_withheld(*path);
        return status == exit_success ? exit_input : status;
    }
    if (path) {
        auto const former = replace_machine_file(*path, to_toml(machine));
        if (!former) {
            print_error(former.error(), advice_for_output);
            return exit_output;
        }
        report.file = *path;
        report.former_file = *former;
    }
    int const status = say(arguments, report);
    if (status == exit_success && report.file && !arguments.json)
        say_written(arguments, report);
    return status;
}

int calibrate(CalibrateArguments const& arguments) {
    auto const path = output_of(arguments);
    if (!path)
        return path.error();
    measure::HostDescription const host = measure::describe_host();
    if (host.cpus.empty()) {
        print_error("the system does not say which CPUs may be used.",
                    "Allow the system call sched_getaffinity in this container.");
        return exit_input;
    }
    auto const measured = measure(host, arguments.seconds);
    if (!measured) {
        print_error(measured.error(),
                    "Measure again when the CPUs of this process stay the same: parcast calibrate");
        return exit_input;
    }
    auto const machine = calibrate::fit(measured->samples, shape_of(host, *measured));
    if (!machine) {
        print_error(machine.error(), "Measure again on a quiet machine: parcast calibrate");
        return exit_input;
    }
    return keep(arguments, *path, *measured, *machine, report_of(host, *measured, *machine));
}

void describe_options(OptionTable& options, CalibrateArguments& arguments) {
    options.option(
        "-o, --output FILE", arguments.output, file_name,
        "write the machine file to FILE; default: the file of this host, which predict uses from then on: "
        "${XDG_CONFIG_HOME:-~/.config}/parcast/machines/HOSTNAME.toml. A former file is kept as FILE~");
    options.option("--seconds N", arguments.seconds, number(1U, 600U),
                   "time to measure; default: 20. More CPUs need more for the same spread");
    options.flag("--dry-run", arguments.dry_run, "measure and print, but write no file");
    options.flag("--json", arguments.json, "print JSON: docs/formats/calibrate.schema.json");
}

}  // namespace

Verb const calibrate_verb{
    .name = "calibrate",
    .example = "calibrate",
    .summary = "measure this machine once, for predictions about it",
    .examples = R"(
  parcast calibrate
  parcast calibrate -o build7.toml
  parcast calibrate --dry-run --seconds 5
)",
    .description = R"(
Measures this machine: what switches, wake-ups, locks and threads cost, and how much slower CPUs are
when all of them are busy. It needs no privileges, and a machine that is otherwise quiet. Writes a
machine file, which predict uses.
)",
    .exit_status =
        "3 others disturbed the measurement, and the host's file stays as it is; 5 the machine file or the "
        "result could not be written",
    .see_also = "predict",
    .prepare = prepared<CalibrateArguments, describe_options, calibrate>,
};

}  // namespace parcast::cli
