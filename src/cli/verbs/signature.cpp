#include "cli/verbs/signature.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <ranges>
#include <string_view>
#include <utility>

#include "answer/signature_sentences.h"
#include "cli/exit_status.h"
#include "cli/files/inputs.h"
#include "cli/files/measured_speed_ups.h"
#include "cli/files/output_file.h"
#include "cli/input.h"
#include "cli/interruption.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/options/target_machine.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "core/counted.h"
#include "core/leading_number.h"
#include "core/progress_text.h"
#include "core/time_unit.h"
#include "forecast/thread_events.h"
#include "report/names.h"
#include "report/signature.h"
#include "study/signature.h"

namespace parcast::cli {

namespace {

constexpr FormSet mapped_forms = {Form::task_graph, Form::steps, Form::messages};
constexpr char const* next_command = "Make them: parcast scale --cpus 1,2,4,8 --keep runs -- PROGRAM {cpus}";
constexpr char const* what_is_taken =
    "signature takes recordings or a folder of them (made by: parcast scale --cpus 1,2,4,8 --keep runs -- "
    "PROGRAM {cpus}), or one task graph, step program or message program; or --g and --alpha without a file.";

constexpr std::string_view recording_ending = ".parcast";

// "5us", "500ns"
Result<Duration> parse_short_time(std::string const& text) {
    auto const found = leading_number<double>(text);
    auto const unit = unit_ns(found.rest);
    if (found.is_number && unit && found.value >= 0 && found.value * *unit < longest_ns)
        return Duration{whole_ns(found.value * *unit)};
    return fail(ErrorCode::unasked,
                "\"" + text + "\" is no time with its unit (" + std::string(time_units) + "), such as 2us");
}

}  // namespace

Result<std::vector<std::string>> recordings_in(std::string const& folder) {
    std::vector<std::string> files;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed))
        if (entry->path().extension() == recording_ending)
            files.push_back(entry->path().string());
    if (failed)
        return fail(make_error(ErrorCode::not_found, folder + ": " + failed.message(), next_command));
    if (files.empty())
        return fail(make_error(ErrorCode::not_found, folder + ": no recording (NAME.parcast) in this folder",
                               next_command));
    std::ranges::sort(files);
    return files;
}

namespace {

Result<std::vector<std::string>> recordings_among(std::vector<std::string> const& paths) {
    std::vector<std::string> files;
    for (auto const& path : paths) {
        if (!is_folder(path)) {
            files.push_back(path);
            continue;
        }
        auto const found = recordings_in(path);
        if (!found)
            return pass_on(found);
        files.insert(files.end(), found->begin(), found->end());
    }
    return files;
}

// Every file of a series is a recording, and every option is for one.
Result<void> check_series(std::vector<std::string> const& files, GivenOptions const& given) {
    for (auto const& file : files) {
        if (files.size() > 1 && mapped_forms.has(form_of(file)))
            return fail(make_error(
                ErrorCode::unsupported,
                "a series is of recordings; " + file + " is " + std::string(name_of(form_of(file)).one),
                "Its static analysis: parcast signature " + file + " --cpus 4,16"));
        if (auto const checked = given.check_file(file); !checked)
            return pass_on(checked);
    }
    return {};
}

forecast::ThreadEventsQuestion events_question(SignatureArguments const& arguments) {
    forecast::ThreadEventsQuestion question;
    question.same_event = arguments.series.same_event;
    question.replay = arguments.replay.question.replay;
    question.workers = workers(arguments.replay);
    if (arguments.replay.cpus)
        question.cpus = arguments.replay.cpus->front();
    return question;
}

Result<RecordingSignature> signature_of_file(std::string const& file, forecast::TargetMachine const& target,
                                             forecast::ThreadEventsQuestion const& question) {
    auto recorded = load_recording(file);
    // What is named as a recording, and is damaged, has better advice.
    bool const is_named_so = std::filesystem::path(file).extension() == recording_ending;
    if (!recorded)
        return is_named_so && std::filesystem::exists(file)
                   ? pass_on(recorded)
                   : fail(with_advice(recorded.error(), what_is_taken));
    auto signature = forecast::signature_of_recording(file, std::move(*recorded), target, question);
    return signature ? std::move(signature) : pass_on(signature, file + ": ");
}

// One recording after the other, so that one of them is in memory.
Result<SignatureAnswer> answer_of_files(std::vector<std::string> const& files,
                                        SignatureArguments const& arguments,
                                        forecast::TargetMachine const& target,
                                        std::vector<SpeedUpMeasuredWith> const& measured) {
    auto const question = events_question(arguments);
    std::vector<RecordingSignature> recordings;
    Progress progress;
    for (auto const& file : files) {
        if (Interruption::has_come() && !recordings.empty()) {
            print_warning("interrupted: " + std::to_string(recordings.size()) + " of " +
                          counted(static_cast<std::int64_t>(files.size()), "recording") + " were analysed");
            break;
        }
        progress.say(progress_text("analysing recordings", {recordings.size() + 1, files.size()}));
        auto signature = signature_of_file(file, target, question);
        if (!signature)
            return pass_on(signature);
        recordings.push_back(std::move(*signature));
    }
    return study::signature_of_series(
        std::move(recordings),
        {question.same_event, arguments.series.threads_from_names, arguments.series.scaled, measured});
}

Result<void> add_comparison(SignatureAnswer& answer, SignatureArguments const& arguments,
                            forecast::TargetMachine const& target) {
    auto const& folder = arguments.series.compare;
    if (!folder)
        return {};
    auto const files = recordings_among({*folder});
    if (!files)
        return pass_on(files, "--compare: ");
    auto const other = answer_of_files(*files, arguments, target, {});
    if (!other)
        return pass_on(other, "--compare: ");
    if (!answer.g || !other->g)
        return fail(make_error(ErrorCode::inconsistent,
                               "--compare needs three numbers of threads in each series", next_command));
    study::compare_with(answer, *other, *folder);
    return {};
}

Existing existing_plot(SignatureArguments const& arguments) {
    return arguments.series.force ? Existing::replace : Existing::keep;
}

// Before the work whose result it is.
Result<void> check_plot(SignatureArguments const& arguments) {
    auto const& plot = arguments.series.plot;
    if (!plot)
        return {};
    auto const checked = check_output(*plot, existing_plot(arguments), arguments.files.front());
    return checked ? Result<void>()
                   : fail(with_advice(checked.error(),
                                      "Replace it with --force, or name another file with --plot."));
}

Result<void> write_plot(SignatureAnswer const& answer, SignatureArguments const& arguments) {
    auto const& plot = arguments.series.plot;
    if (!plot)
        return {};
    if (auto const written = write_text(report::signature_chart_svg(answer), *plot, existing_plot(arguments));
        !written)
        return pass_on(written);
    if (*plot != OutputFile::standard_output)
        print_note("wrote " + *plot);
    return {};
}

// "runs/solver.2.parcast" -> "runs/solver.1.parcast"
std::string name_for_one(std::filesystem::path const& file, std::uint32_t threads) {
    auto stem = file.stem().string();
    auto const number = std::to_string(threads);
    if (stem.ends_with(number))
        stem.replace(stem.size() - number.size(), number.size(), "1");
    return (file.parent_path() / (stem + file.extension().string())).string();
}

// The run that is missing, and why the worst cause costs what it does.
std::vector<std::string> next_commands(SignatureAnswer const& answer, GivenOptions const& given) {
    std::vector<std::string> commands;
    auto const& first = answer.recordings.front();
    auto const& last = answer.recordings.back();
    bool const has_placeholder = std::ranges::find(answer.command, "{cpus}") != answer.command.end();
    // Nobody can run that: a note says what to record.
    bool const has_unknown_arguments = std::ranges::find(answer.command, "...") != answer.command.end();
    auto const named = std::to_string(first.threads);
    if (!answer.has_one_thread && !answer.is_scaled && has_placeholder && !has_unknown_arguments &&
        std::filesystem::path(first.file).stem().string().ends_with("." + named)) {
        std::vector<std::string> const words{"parcast", "record", "-o",
                                             name_for_one(first.file, first.threads), "--"};
        auto program = answer.command;
        std::ranges::replace(program, "{cpus}", "1");
        commands.push_back(report::command_line(words) + ' ' + report::shown_command(program));
    }
    bool const is_one = answer.recordings.size() == 1 && last.threads > 1;
    if (answer.causes.empty() && !is_one)
        return commands;
    std::vector<std::string> words{"parcast", "advise", last.file, "--cpus", std::to_string(last.cpus)};
    auto const typed = given.next_words();
    words.insert(words.end(), typed.begin(), typed.end());
    commands.push_back(report::command_line(words));
    return commands;
}

}  // namespace

bool is_folder(std::string const& path) {
    std::error_code failed;
    return std::filesystem::is_directory(path, failed);
}

Result<SignatureAnswer> series_answer(SignatureArguments const& arguments, GivenOptions const& given) {
    if (arguments.replay.cpus && arguments.replay.cpus->size() != 1)
        return fail(make_error(ErrorCode::unasked, "--cpus: recordings are replayed on one number of CPUs",
                               "Leave it out for a CPU for each thread, or name one number."));
    auto const files = recordings_among(arguments.files);
    if (!files)
        return pass_on(files);
    if (auto const checked = check_series(*files, given); !checked)
        return pass_on(checked);
    std::vector<SpeedUpMeasuredWith> measured;
    if (arguments.series.measured) {
        auto read = read_measured_speed_ups(*arguments.series.measured);
        if (!read)
            return pass_on(read);
        measured = std::move(*read);
    }
    auto const target = target_machine(arguments.replay);
    if (!target)
        return pass_on(target);
    auto answer = answer_of_files(*files, arguments, target->machine, measured);
    if (!answer)
        return answer;
    if (auto const added = add_comparison(*answer, arguments, target->machine); !added)
        return pass_on(added);
    answer->verdict = signature_verdict(*answer);
    answer->next = next_commands(*answer, given);
    return answer;
}

Result<void> check_series_options(std::string const& file, GivenOptions const& given,
                                  std::vector<std::string_view> const& others) {
    if (auto const checked = given.check_file(file); !checked)
        return checked;
    OptionTable table;
    SeriesArguments unused;
    describe_series_question(table, unused);
    std::vector<std::string> names(others.begin(), others.end());
    for (auto const& option : table.own_options())
        names.push_back(option.name());
    for (auto const& name : names)
        if (given.has(name))
            return fail(make_error(ErrorCode::unasked,
                                   std::string(given.verb) + ": " + name +
                                       " is for a folder of recordings; " + file + " is none",
                                   "Of one recording: parcast signature " + file));
    return {};
}

Result<std::string> recording_signature_json(std::string const& file, PredictArguments const& replay) {
    auto const target = target_machine(replay);
    if (!target)
        return pass_on(target);
    SignatureArguments asked;
    asked.replay = replay;
    asked.replay.cpus.reset();
    auto signature = signature_of_file(file, target->machine, events_question(asked));
    if (!signature)
        return pass_on(signature);
    std::vector<RecordingSignature> recordings;
    recordings.push_back(std::move(*signature));
    auto answer = study::signature_of_series(std::move(recordings), {});
    if (!answer)
        return pass_on(answer);
    answer->verdict = signature_verdict(*answer);
    return report::signature_json(*answer, version, report::SignatureRows::with_threads);
}

namespace {

int signature_of_series(SignatureArguments const& arguments, GivenOptions const& given) {
    if (auto const checked = check_plot(arguments); !checked)
        return print_failure(checked.error());
    Interruption const interruption;
    auto const answer = series_answer(arguments, given);
    if (!answer)
        return interruption.print_failure_or_interruption(answer.error());
    if (auto const written = write_plot(*answer, arguments); !written)
        return print_failure(written.error());
    if (arguments.series.plot == OutputFile::standard_output)
        return interruption.status_or(exit_success);
    bool const has_rows = arguments.series.threads_table;
    if (arguments.json)
        return interruption.status_or(print_result(report::signature_json(
            *answer, version,
            has_rows ? report::SignatureRows::with_threads : report::SignatureRows::without_threads)));
    auto const layout = output_layout();
    return interruption.status_or(
        print_result(report::signature_text(*answer, layout) +
                     (has_rows ? report::signature_threads_text(*answer, layout) : "")));
}

constexpr std::array<std::string_view, 5> options_of_formulas = {"--g", "--alpha", "--scaled", "--cpus",
                                                                 "--json"};

// A formula has no recordings, no machine and no tasks.
Result<void> check_options_of_formula(GivenOptions const& given) {
    for (auto const& option : given.options)
        if (std::ranges::find(options_of_formulas, option.name) == options_of_formulas.end())
            return fail(make_error(ErrorCode::unasked,
                                   "signature: " + option.name + " is for a FILE; --g has none",
                                   "Leave one of them out."));
    return {};
}

int signature(SignatureArguments const& arguments, GivenOptions const& given) {
    if (arguments.characteristic.g) {
        auto const checked = check_options_of_formula(given);
        return checked ? signature_of_formula(arguments) : print_failure(checked.error());
    }
    auto const& first = arguments.files.front();
    if (arguments.files.size() > 1 || is_folder(first) || !mapped_forms.has(form_of(first)))
        return signature_of_series(arguments, given);
    auto const checked = given.check_file(first);
    return checked ? signature_of_mapping(arguments, given) : print_failure(checked.error());
}

Result<void> check_question(SignatureArguments const& arguments) {
    if (arguments.files.empty() && !arguments.characteristic.g && !arguments.characteristic.alpha)
        return fail(make_error(
            ErrorCode::unasked,
            "it needs a folder of recordings, recordings, a task graph, steps, messages, or --g and --alpha",
            next_command));
    return check_characteristic(arguments);
}

void describe_series(OptionTable& options, SignatureArguments& arguments) {
    auto& series = arguments.series;
    describe_series_question(options, series);
    options.option("--compare FOLDER", series.compare, file_name,
                   "a second series: in which range of P the one has fewer events");
    options.option("--measured SCALE.json", series.measured, file_name,
                   "beside the others, the speed-ups measured by: parcast scale --json --measure -- PROGRAM");
    options
        .option("--plot FILE", series.plot, file_name,
                "draw events, work per thread and speed-ups against P, as SVG")
        .for_output();
    options.flag("--force", series.force, "replace an existing picture").needs("--plot");
    options.flag("--threads-table", series.threads_table, "a row for every thread");
}

void describe_options(OptionTable& options, SignatureArguments& arguments) {
    options.inputs("FILE", {Form::recording, Form::task_graph, Form::steps, Form::messages}, arguments.files);
    options.option("--cpus LIST", arguments.replay.cpus, parse_cpu_list,
                   "recordings: replay each on so many CPUs, one number; default: a CPU for every thread. "
                   "Otherwise: numbers of threads, such as 4,16");
    options.flag("--json", arguments.json,
                 "print JSON: docs/formats/signature.schema.json; without recordings signature-theory or "
                 "signature-mapping");
    describe_characteristic(options, arguments.characteristic);
    describe_series(options, arguments);
    options.within({Form::recording});
    describe_replay(options, arguments.replay);
    options.within(every_form);
    describe_mapping(options, arguments);
    options.check([&arguments] { return check_question(arguments); });
}

}  // namespace

void describe_series_question(OptionTable& options, SeriesArguments& series) {
    options.section({Form::recording});
    options.flag("--scaled", series.scaled, "for scaled execution, too: the work of one thread grows with P");
    options.option(
        "--same-event TIME", series.same_event, parse_short_time,
        "calls with less work between them than this, such as 2us, are one event; default: each is one");
    options.option("--threads-from NAME", series.threads_from_names,
                   one_of<bool>({{"work", false}, {"name", true}}),
                   "P. work (default): the threads with at least a hundredth of the mean work; name: the "
                   "number before .parcast in the file's name");
}

Verb const signature_verb{
    .name = "signature",
    .example = "signature runs/",
    .summary = "how its events grow with its threads, and how far it scales",
    .examples = R"(
  parcast signature runs
  parcast signature runs --compare other-runs --plot signature.svg
  parcast signature --g 'P^2' --alpha 1e4 --cpus 4,64,256
  parcast signature graph.json --cpus 4,16 --schedule cyclic --law exponential
)",
    .description = R"(
The events/threads model (Marinescu, Rice and Vavalis 1990): how the number of events E = g(P), the calls
in which threads synchronise or communicate, grows with the number P of threads; from that, how the
computation scales, the best P, and which calls are the cause.

  recordings     a series, one recording for each number of threads: the folder that is left by
                 parcast scale --cpus 1,2,4,8 --keep runs -- ./solver {cpus}
  a task graph   static analysis of a mapping to threads: work, events, load imbalance, no times. Also of
                 steps and message programs
  --g FORMULA    the theory for a number of events that is known
)",
    .exit_status =
        "3 an input is missing, unreadable, damaged or does not fit the series; 4 a replay "
        "deadlocks; 5 the result could not be written",
    .see_also = "scale predict advise",
    .prepare = prepared<SignatureArguments, describe_options, signature>,
};

}  // namespace parcast::cli
