// parcast calibrate: measures this machine, and writes a machine file for predictions; or measures what the
// operations of a known algorithm take on it, and writes their costs.

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "calibrate/block_costs.h"
#include "calibrate/calibrate.h"
#include "cli/exit_status.h"
#include "cli/files/output_file.h"
#include "cli/interruption.h"
#include "cli/options/option_values.h"
#include "cli/options/target_machine.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "core/time_text.h"
#include "machine/block_costs_toml.h"
#include "machine/machine_toml.h"
#include "report/calibration.h"
#include "report/names.h"

namespace parcast::cli {

namespace {

struct CalibrateArguments {
    std::optional<std::string> output;  // absent: the host's own machine file, or costs.toml
    bool measures_blocks = false;       // the operations of Gaussian elimination, instead of the machine
    unsigned seconds = 20;              // that the measurement may take
    bool dry_run = false;               // writes no file
    bool force = false;                 // writes doubtful values, too
    bool json = false;

    friend bool operator==(CalibrateArguments const&, CalibrateArguments const&) = default;
};

Error not_written(Error const& error) {
    return with_code(ErrorCode::not_written, error, "Name another file: parcast calibrate -o machine.toml");
}

// Where the machine is written to; none in a dry run. A new file can be made there.
Result<std::optional<std::string>> output_path(CalibrateArguments const& arguments) {
    if (arguments.dry_run)
        return std::optional<std::string>();
    auto path = arguments.output            ? arguments.output
                : arguments.measures_blocks ? std::string("costs.toml")
                                            : host_machine_file();
    if (!path)
        return fail(
            make_error(ErrorCode::not_written,
                       "there is no folder for the machine file: neither HOME nor XDG_CONFIG_HOME is set",
                       "Name a file: parcast calibrate -o machine.toml"));
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(*path).parent_path(), ignored);
    if (auto const file = OutputFile::open(*path, Existing::replace); !file)
        return fail(not_written(file.error()));
    return path;
}

// Returns where a former file of this name is now.
Result<std::optional<std::string>> replace_file(std::string const& path, std::string const& text) {
    std::optional<std::string> former;
    std::error_code failure;
    if (std::filesystem::exists(path, failure)) {
        former = path + "~";
        std::filesystem::copy_file(path, *former, std::filesystem::copy_options::overwrite_existing, failure);
        if (failure)
            return fail(not_written(
                make_error(ErrorCode::not_written, *former + " cannot be written: " + failure.message())));
    }
    if (auto const written = write_text(text, path, Existing::replace); !written)
        return fail(not_written(written.error()));
    return former;
}

// Nobody who predicts with a machine file is asked whether its values are doubtful.
int print_withheld(CalibrateArguments const& arguments, std::string const& path) {
    std::error_code ignored;
    bool const has_former = std::filesystem::exists(path, ignored);
    std::string const no_file = arguments.output || arguments.measures_blocks
                                    ? " is not written"
                                    : " is not written, predictions keep the defaults";
    return print_failure(
        make_error(ErrorCode::inconsistent,
                   "others disturbed the measurement: " + path + (has_former ? " stays as it is" : no_file),
                   "Measure again on a quiet machine, or write it all the same: parcast calibrate --force" +
                       std::string(arguments.measures_blocks ? " --kernels gaussian-elimination" : "") +
                       (arguments.output ? " -o " + path : "")));
}

int calibrate(CalibrateArguments const& arguments) {
    auto const path = output_path(arguments);
    if (!path)
        return print_failure(path.error());
    Interruption const interruption;
    Progress progress;
    auto answer =
        (arguments.measures_blocks ? calibrate::calibrate_block_operations : calibrate::calibrate_host)(
            arguments.seconds, version, print_notices(progress));
    progress.clear();
    if (!answer)
        return interruption.print_failure_or_interruption(answer.error());
    if (interruption.has_come()) {
        auto const shown = print_result(arguments.json ? report::calibration_json(*answer, version)
                                                       : report::calibration_text(*answer, output_layout()));
        print_warning("interrupted after " + time_text(answer->wall) + ": no machine file is written");
        return shown == exit_success ? interruption.status_or(shown) : shown;
    }
    bool const is_withheld = answer->is_doubtful && !arguments.force;
    if (*path && !is_withheld) {
        auto const former = replace_file(
            **path, answer->block_costs ? to_toml(*answer->block_costs) : to_toml(answer->machine));
        if (!former)
            return print_failure(former.error());
        answer->file = *path;
        answer->former_file = *former;
    }
    int const status = print_result(arguments.json ? report::calibration_json(*answer, version)
                                                   : report::calibration_text(*answer, output_layout()));
    if (status != exit_success)
        return status;
    if (*path && is_withheld)
        return print_withheld(arguments, **path);
    if (*path && !arguments.json) {
        print_note("wrote " + **path +
                   (answer->former_file ? ", the former one is now " + *answer->former_file : ""));
        if (arguments.measures_blocks)
            print_note("next: parcast generate messages gaussian-elimination --costs " +
                       report::command_line({**path}));
        else
            print_note(arguments.output ? "next: parcast predict FILE --machine " +
                                              report::command_line({*arguments.output})
                                        : "predictions on this host use it from now on");
    }
    return exit_success;
}

void describe_options(OptionTable& options, CalibrateArguments& arguments) {
    options
        .option(
            "-o, --output FILE", arguments.output, file_name,
            "write the machine file to FILE; default: the file of this host, which predict uses from then "
            "on: "
            "${XDG_CONFIG_HOME:-~/.config}/parcast/machines/HOSTNAME.toml. A former file is kept as FILE~")
        .for_output();
    options.option("--kernels NAME", arguments.measures_blocks,
                   one_of<bool>({{"gaussian-elimination", true}}),
                   "measure the operations of a blocked algorithm instead: gaussian-elimination; -o is then "
                   "the file of costs for generate and tune, by default costs.toml");
    options.option("--seconds N", arguments.seconds, number(1U, 600U),
                   "time to measure; default: 20. More CPUs need more for the same spread");
    options.flag("--dry-run", arguments.dry_run, "measure and print, but write no file").excludes("--force");
    options.flag("--force", arguments.force,
                 "write the machine file even if others disturbed the measurement");
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
  parcast calibrate --kernels gaussian-elimination -o costs.toml
)",
    .description = R"(
Measures this machine: what switches, wake-ups, locks and threads cost, and how much slower CPUs are
when all of them are busy. It needs no privileges, and a machine that is otherwise quiet. Writes a
machine file, which predict uses.

With --kernels it measures what the operations of blocked Gaussian elimination take here instead, on
blocks of 10 x 10 to 160 x 160 numbers, with caches warm and cold (docs/formats/costs.md).
)",
    .exit_status =
        "3 others disturbed the measurement, and no file is written; 5 the machine file or the "
        "result could not be written",
    .see_also = "predict",
    .prepare = prepared<CalibrateArguments, describe_options, calibrate>,
};

}  // namespace parcast::cli
