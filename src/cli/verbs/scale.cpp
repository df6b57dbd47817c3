// parcast scale -- PROGRAM ARGS with {cpus}: a recording for each number of CPUs, a prediction from each, and
// how long it really takes where this machine has the CPUs.

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <thread>
#include <utility>

#include "cli/exit_status.h"
#include "cli/files/cpu_times_file.h"
#include "cli/input.h"
#include "cli/interruption.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/options/target_machine.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/verbs/predict.h"
#include "cli/version.h"
#include "report/scale.h"
#include "study/cpu_times.h"
#include "study/scale.h"

namespace parcast::cli {

namespace {

struct ScaleArguments : study::ScaleQuestion {
    PredictArguments replay;  // on which machine, under which model
    bool cpu_times = false;
    std::optional<std::string> cpu_times_of;
    bool json = false;

    friend bool operator==(ScaleArguments const&, ScaleArguments const&) = default;
};

int print_scale(ScaleArguments const& arguments, ScaleAnswer const& answer) {
    if (arguments.json)
        return print_result(report::scale_json(answer, version));
    return print_result(report::scale_text(answer, output_layout()));
}

int status_of(ScaleAnswer const& answer) {
    std::set<std::uint32_t> deadlocked;
    for (ScaledCount const& count : answer.counts)
        if (predicted_on(count, count.cpus) == nullptr)
            deadlocked.insert(count.cpus);
    if (deadlocked.empty())
        return exit_success;
    print_error(deadlock_message(deadlocked), "What a replay takes for granted: docs/replay.md.");
    return exit_impossible;
}

constexpr std::array<std::string_view, 6> options_of_cpu_times = {"--cpu-times", "--cpus",       "--runs",
                                                                  "--before",    "--time-limit", "--json"};

int print_cpu_times(ScaleArguments const& arguments, GivenOptions const& given) {
    for (auto const& option : given.options)
        if (std::ranges::find(options_of_cpu_times, option.name) == options_of_cpu_times.end())
            return print_failure(make_error(
                ErrorCode::unasked, "scale: " + option.name + " is for predictions; --cpu-times makes none",
                "Leave one of them out."));
    Interruption const interruption;
    Progress progress;
    auto const times = study::measure_cpu_times(arguments, print_notices(progress));
    progress.clear();
    if (!times)
        return interruption.print_failure_or_interruption(times.error());
    return print_result(arguments.json ? report::cpu_times_json(*times, arguments.runs, version)
                                       : report::cpu_times_text(*times, arguments.runs, output_layout()));
}

int scale(ScaleArguments const& arguments, GivenOptions const& given) {
    if (arguments.cpu_times)
        return print_cpu_times(arguments, given);
    study::ScaleQuestion question = arguments;
    if (arguments.cpu_times_of) {
        auto times = read_cpu_times(*arguments.cpu_times_of);
        if (!times)
            return print_failure(times.error());
        question.cpu_times_there = std::move(*times);
    }
    auto target = target_machine(arguments.replay);
    if (!target)
        return print_failure(target.error());
    study::Forecasting how{std::move(target->machine), arguments.replay.question, version};
    how.question.workers = arguments.replay.jobs.value_or(std::max(1U, std::thread::hardware_concurrency()));
    how.question.ranges.is_asked = true;
    Interruption const interruption;
    Progress progress;
    auto answer = study::scale(question, how, print_notices(progress));
    progress.clear();
    if (!answer)
        return interruption.print_failure_or_interruption(answer.error());
    answer->cpu_times_file = arguments.cpu_times_of;
    int const status = print_scale(arguments, *answer);
    return interruption.status_or(status == exit_success ? status_of(*answer) : status);
}

void describe_options(OptionTable& options, ScaleArguments& arguments) {
    options.program(arguments.command);
    options.option("--cpus LIST", arguments.cpus, parse_cpu_list,
                   "numbers of CPUs, such as 1,2,4-16; default: 1,2,4,8");
    options.flag("--measure", arguments.measure,
                 "also run the program unrecorded, on as many CPUs as this machine has, and compare");
    options.option("--runs N", arguments.runs, number(1U, 1000U),
                   "runs per measurement, more if they are unsteady; default: 5");
    options.flag("--no-bare-runs", arguments.bare_runs,
                 "skip the unrecorded runs on one CPU, which show what turns and events cost", false);
    options
        .option("--before COMMAND", arguments.before, any_text,
                "a shell command before each run, to clean up; {cpus} as below")
        .typed_only();
    options
        .option("--keep FOLDER", arguments.keep, any_text, "keep the recordings there, as NAME.COUNT.parcast")
        .typed_only();
    options.option("--time-limit TIME", arguments.time_limit, parse_duration,
                   "end each run, recorded or not, after TIME (30s, 2m, 1h), which fails; default: 10m");
    options.flag("--cpu-times", arguments.cpu_times,
                 "only measure the CPU time of each count on one CPU, unrecorded: for another host, kernel "
                 "or allocator");
    options.option(
        "--cpu-times-of FILE", arguments.cpu_times_of, file_name,
        "beside each speed-up, one with the CPU times of another host: what scale --cpu-times --json wrote "
        "there");
    describe_jobs(options, arguments.replay);
    describe_replay(options, arguments.replay);
    options.flag("--json", arguments.json,
                 "print JSON: docs/formats/scale.schema.json, docs/formats/cpu-times.schema.json");
}

}  // namespace

Verb const scale_verb{
    .name = "scale",
    .example = "scale -- pigz -kf -p {cpus} big",
    .summary = "a recording and a prediction for each number of CPUs",
    .examples = R"(
  parcast scale -- ./solver --threads={cpus} input.txt
  parcast scale --cpus 1,2 --measure -- pigz -kf -p {cpus} big.tar
  parcast scale --cpu-times --json -- ./solver --threads={cpus} input.txt > there.json
  parcast scale --cpu-times-of there.json -- ./solver --threads={cpus} input.txt
  parcast scale --cpus 2,8 --before 'rm -rf out' --keep recordings -- ./tool -j {cpus} -o out
)",
    .description = R"(
For programs that create a thread for each CPU: records the program once for each number of CPUs, on
one CPU that pretends to be as many, and predicts each recording on its number. {cpus} in an argument
of the program stands for the number. What the program prints is thrown away.
)",
    .exit_status =
        "3 an input is missing or damaged; 4 a replay deadlocks; 5 a result could not be written; 6 a run of "
        "the "
        "program failed; 125 it could not be recorded; 126 it is not executable; 127 it was not found",
    .see_also = "record predict signature",
    .prepare = prepared<ScaleArguments, describe_options, scale>,
};

}  // namespace parcast::cli
