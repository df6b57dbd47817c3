// parcast variance: how much random delays spread the time between two synchronisations, of numbers or of
// recordings.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/exit_status.h"
#include "cli/files/inputs.h"
#include "cli/options/option_values.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "forecast/variance.h"
#include "model/renewal/renewal.h"
#include "report/variance.h"

namespace parcast::cli {

namespace {

struct VarianceArguments {
    std::vector<std::string> files;  // or the three below
    std::optional<double> cpu_time;
    std::optional<model::RandomInterval> processing;
    std::optional<model::RandomInterval> delay;
    double confidence = 95;  // per cent
    bool all = false;
    bool json = false;

    friend bool operator==(VarianceArguments const&, VarianceArguments const&) = default;
};

Result<VarianceAnswer> variance_of_recordings(VarianceArguments const& arguments) {
    forecast::RecordedDelays delays;
    for (auto const& file : arguments.files) {
        auto recorded = load_recording(file);
        if (!recorded)
            return pass_on(recorded);
        if (auto const added = delays.add(std::move(*recorded)); !added)
            return pass_on(added, file + ": ");
    }
    auto answer = delays.variance(arguments.confidence);
    if (answer)
        answer->files = arguments.files;
    return answer;
}

// Recordings, or three numbers that say the same.
Result<void> consistency_of(VarianceArguments const& arguments) {
    bool const all = arguments.cpu_time && arguments.processing && arguments.delay;
    bool const any = arguments.cpu_time || arguments.processing || arguments.delay;
    if (any && !arguments.files.empty())
        return fail(ErrorCode::unasked,
                    "--cpu-time, --processing and --delay replace a recording: give one or the other");
    if (arguments.files.empty() && !all)
        return fail(ErrorCode::unasked, "it needs a recording, or --cpu-time, --processing and --delay");
    return {};
}

int variance(VarianceArguments const& arguments, GivenOptions const& given) {
    for (auto const& file : arguments.files)
        if (auto const checked = given.check_file(file); !checked)
            return print_failure(checked.error());
    auto const answer =
        arguments.files.empty()
            ? forecast::variance_of({*arguments.cpu_time, *arguments.processing, *arguments.delay},
                                    arguments.confidence)
            : variance_of_recordings(arguments);
    if (!answer)
        return print_failure(arguments.files.empty()
                                 ? with_code(ErrorCode::unasked, answer.error(), "Try: parcast help variance")
                                 : answer.error());
    if (!answer->given && answer->threads.empty()) {
        return print_failure(make_error(
            ErrorCode::inconsistent,
            "no thread in the recording waits for input, output or a clock: nothing delays it at random",
            "Give numbers instead: parcast help variance"));
    }
    if (arguments.json)
        return print_result(report::variance_json(*answer, version));
    return print_result(report::variance_text(*answer, output_layout(arguments.all)));
}

void describe_options(OptionTable& options, VarianceArguments& arguments) {
    options.inputs("FILE", {Form::recording}, arguments.files);
    options.option("--cpu-time D", arguments.cpu_time, number(0.0), "CPU time between two synchronisations");
    options.option("--processing MEAN,CV", arguments.processing, parse_mean_and_cv,
                   "CPU time between two delays; without CV it is 1 (exponential)");
    options.option("--delay MEAN,CV", arguments.delay, parse_mean_and_cv, "time of a delay");
    options.option("--confidence PERCENT", arguments.confidence, number(1.0, 99.99),
                   "how many of the times lie in the band that is printed, if they are normal; default: 95");
    options.flag("--all", arguments.all, "every thread; default: the twenty that are delayed most");
    options.flag("--json", arguments.json, "print JSON: docs/formats/variance.schema.json");
    options.check([&arguments] { return consistency_of(arguments); });
}

}  // namespace

Verb const variance_verb{
    .name = "variance",
    .example = "variance server.4711.parcast",
    .summary = "how much random delays spread its times",
    .examples = R"(
  parcast variance server.4711.parcast
  parcast variance run1.parcast run2.parcast run3.parcast
  parcast variance --cpu-time 7700 --processing 236.9,2 --delay 12,1.68
)",
    .description = R"(
Predicts how much random delays spread the time that a process takes between two synchronisations: its
mean and its coefficient of variation (CV: standard deviation divided by mean), by the renewal model of
Adve (1993). The parameters are measured in recordings, where input, output and sleeping are the
delays, or given in any one unit. Several recordings also show how much their times differ.
)",
    .exit_status = "3 a recording is missing or damaged, or has no delays; 5 the result could not be written",
    .see_also = "info predict",
    .prepare = prepared<VarianceArguments, describe_options, variance>,
};

}  // namespace parcast::cli
