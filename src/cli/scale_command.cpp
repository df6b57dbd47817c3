#include "cli/scale_command.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/placeholder.h"
#include "cli/scale_measurement.h"
#include "cli/scale_recording.h"
#include "cli/target_machine.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "measure/affinity.h"
#include "record/cpu_choice.h"
#include "record/host_program.h"
#include "report/scale_json.h"
#include "report/scale_text.h"

namespace parcast::cli {

namespace {

std::optional<Error> make_folder(std::optional<std::string> const& folder) {
    std::error_code problem;
    if (folder)
        std::filesystem::create_directories(*folder, problem);
    if (problem) {
        return make_error(ErrorCode::not_written,
                          "the folder " + *folder + " cannot be made: " + problem.message() + ".",
                          "Name another one with --keep.");
    }
    return std::nullopt;
}

// Predicted: the program that is told to use one CPU there, over this one on its CPUs.
void add_speed_ups(std::vector<report::ScaledCount>& counts) {
    auto const* const one = counts.front().cpus == 1 ? predicted_on(counts.front(), 1) : nullptr;
    for (auto& count : counts) {
        auto const* const many = predicted_on(count, count.cpus);
        if (one && many && many->run.accounts.completion.ns > 0)
            count.speed_up =
                to_real(one->run.accounts.completion).ns / to_real(many->run.accounts.completion).ns;
    }
}

int say(ScaleArguments const& arguments, report::ScaleReport const& report) {
    if (arguments.json)
        return print_result(report::scale_json(report, version));
    return print_result(report::scale_text(
        report, {colour_of(Stream::output), line_width(Stream::output), report::Detail::short_form}));
}

int status_of(report::ScaleReport const& report) {
    bool const all_there = std::all_of(
        report.counts.begin(), report.counts.end(),
        [](report::ScaledCount const& count) { return predicted_on(count, count.cpus) != nullptr; });
    if (all_there)
        return exit_success;
    print_error("the replay deadlocks on some numbers of CPUs: there is no prediction for them.",
                "What a replay takes for granted: docs/replay.md.");
    return exit_impossible;
}

}  // namespace

int scale(ScaleArguments const& arguments) {
    auto program = record::find_host_program(arguments.command.front());
    if (!program)
        return print_failure(program.error());
    auto target = target_machine(arguments.replay);
    if (!target) {
        print_error(target.error(), advice_for_machine(arguments.replay));
        return exit_input;
    }
    auto cpus = measure::allowed_cpus();
    if (cpus.empty())
        return print_failure(record::no_cpus());
    if (auto const refusal = make_folder(arguments.keep))
        return print_failure(*refusal);

    ScaleSetting setting{arguments, std::move(*target), std::move(*program), std::move(cpus), {}, {}};
    report::ScaleReport report{arguments.command,
                               has_placeholder(arguments.command),
                               arguments.measure ? arguments.runs : 0,
                               static_cast<std::uint32_t>(setting.cpus.size()),
                               {}};
    for (std::uint32_t const count : arguments.cpus) {
        auto scaled = record_and_predict(setting, count);
        if (!scaled) {
            setting.progress.clear();
            return print_failure(scaled.error());
        }
        report.counts.push_back(std::move(*scaled));
    }
    add_speed_ups(report.counts);

    if (arguments.measure) {
        if (auto const refusal = measure_counts(setting, report.counts)) {
            setting.progress.clear();
            return print_failure(*refusal);
        }
    }
    setting.progress.clear();
    int const status = say(arguments, report);
    return status == exit_success ? status_of(report) : status;
}

}  // namespace parcast::cli
