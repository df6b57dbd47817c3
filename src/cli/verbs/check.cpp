// parcast check FILE, parcast check -- PROGRAM: does a program scale as its contract says?

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

#include "analysis/held_locks.h"
#include "answer/advice_sentences.h"
#include "cli/exit_status.h"
#include "cli/files/baseline_file.h"
#include "cli/files/files.h"
#include "cli/files/output_file.h"
#include "cli/input.h"
#include "cli/interruption.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "contract/contract_toml.h"
#include "contract/judge.h"
#include "contract/repeats.h"
#include "core/file_name_pattern.h"
#include "core/listed.h"
#include "measure/host_description.h"
#include "record/launcher.h"
#include "record/run.h"
#include "record/trace_files.h"
#include "report/check.h"
#include "report/names.h"
#include "study/placeholder.h"

namespace parcast::cli {

namespace {

constexpr std::string_view usual_contract = "parcast.check.toml";
constexpr unsigned usual_recordings = 3;
constexpr std::string_view usual_gitlab_report = "gl-code-quality-report.json";

enum class Annotations : std::uint8_t { none, github, gitlab };

struct CheckArguments {
    PredictArguments replay;                 // its file is each of the next
    std::vector<std::string> files;          // recordings of one program
    std::vector<std::string> command;        // behind --; empty: files are checked
    std::vector<std::string> asserted;       // texts of --assert
    std::optional<std::string> contract;     // absent: usual_contract, if nothing is asserted
    std::optional<std::string> output;       // of the recording; absent: it is not kept
    std::optional<unsigned> pretend_cpus;    // absent: the most that is asserted about
    unsigned recordings = usual_recordings;  // of the command
    std::optional<Duration> time_limit;
    std::optional<std::string> junit;
    std::optional<std::string> markdown;
    Annotations annotations = Annotations::none;
    bool force = false;  // replace existing files
    bool is_strict = false;
    bool json = false;

    friend bool operator==(CheckArguments const&, CheckArguments const&) = default;
};

struct Contract {
    std::string file;  // empty: of the command line alone
    std::vector<Assertion> assertions;
};

int print_fault(contract::Fault const& fault) {
    print_error(fault.error);
    std::string const margin(std::string_view("parcast: error: ").size(), ' ');
    if (!fault.line.empty())
        std::fputs(contract::excerpt(fault, margin).c_str(), stderr);
    if (!fault.error.advice.empty())
        std::fputs((margin + fault.error.advice + "\n").c_str(), stderr);
    return exit_status_of(fault.error.code);
}

contract::Fault without_excerpt(Error error) {
    return {std::move(error), "", 1, 1};
}

contract::Read<Contract> read_contract(CheckArguments const& arguments) {
    Contract contract;
    if (arguments.contract || arguments.asserted.empty()) {
        contract.file = arguments.contract.value_or(std::string(usual_contract));
        auto const text = read_text(contract.file);
        if (!text)
            return tl::unexpected(without_excerpt(with_advice(
                text.error(),
                "Write one (docs/formats/check.md), or give assertions: --assert 'speed_up(16) >= 11'")));
        auto assertions = contract::read_contract(*text, contract.file);
        if (!assertions)
            return tl::unexpected(std::move(assertions.error()));
        contract.assertions = std::move(*assertions);
    }
    for (auto const& text : arguments.asserted) {
        auto assertion = contract::parse_assertion(text, SourcePosition{"--assert", {}, {}, {}});
        if (!assertion) {
            auto& fault = assertion.error();
            fault.error.code = ErrorCode::unasked;
            return tl::unexpected(std::move(fault));
        }
        assertion->place.file.clear();
        contract.assertions.push_back(std::move(*assertion));
    }
    return contract;
}

// A file that an assertion names lies beside the contract.
std::string beside_contract(std::string const& contract, std::string const& name) {
    auto const folder = std::filesystem::path(contract).parent_path();
    return std::filesystem::path(name).is_absolute() || folder.empty() ? name : (folder / name).string();
}

// --- recording

Result<Input> record_program(CheckArguments const& arguments, Contract const& contract,
                             record::FormerTrace former) {
    unsigned const most = contract::counts_of(contract.assertions).back();
    unsigned const pretended = arguments.pretend_cpus.value_or(most);
    Progress progress;
    record::RecordingRequest request;
    request.command = study::with_count(arguments.command, pretended);
    request.pretend_cpus = pretended;
    request.streams.output = STDERR_FILENO;  // standard output has the result
    request.time_limit = arguments.time_limit;
    request.signals = record::SignalsAreFor::parcast;
    request.parcast_version = version;
    request.tell = print_notices(progress);
    auto run = record::run_recorded(request);
    progress.clear();
    if (!run)
        return pass_on(run);
    if (run->end.stopped || run->end.death_signal || run->end.exit_status.value_or(0) != 0)
        return fail(
            make_error(ErrorCode::program_failed,
                       run->program + (run->end.stopped ? " did not end within --time-limit"
                                       : run->end.death_signal
                                           ? " was killed by signal " + std::to_string(*run->end.death_signal)
                                           : " failed with status " + std::to_string(*run->end.exit_status)),
                       "Nothing was checked. What it printed is above."));
    auto const image = record::most_worthwhile(run->images);
    if (!image)
        return fail(make_error(ErrorCode::not_recorded, "nothing was recorded of " + run->program,
                               "See \"When nothing is recorded\" in docs/record.md."));
    auto const& recorded = run->images[*image];
    Input input{recorded.program, {}};
    if (arguments.output) {
        auto const name = expanded_file_name(*arguments.output,
                                             {recorded.process, measure::host_name(),
                                              std::filesystem::path(recorded.program).filename().string()});
        if (!name)
            return pass_on(name);
        auto const written = record::write_trace(recorded.timeline, *name, former);
        if (!written)
            return fail(with_code(ErrorCode::not_written, written.error()));
        input.file = written->file;
        print_note("wrote " + written->file);
    }
    input.content = std::move(run->images[*image].timeline);
    return input;
}

std::vector<std::string> command_of(Input const& input) {
    auto const* const recorded = std::get_if<Timeline>(&input.content);
    return recorded == nullptr ? std::vector<std::string>() : recorded->provenance.command;
}

// The median of two programs is neither.
Result<void> check_programs(std::vector<Input> const& inputs) {
    auto const& first = inputs.front();
    for (auto const& input : inputs)
        if (command_of(input) != command_of(first))
            return fail(make_error(ErrorCode::inconsistent,
                                   "several recordings are of one program: " + first.file + " is of " +
                                       report::command_line(command_of(first)) + ", " + input.file + " of " +
                                       report::command_line(command_of(input)),
                                   "Name the recordings of one program, without those of its children."));
    return {};
}

record::TraceOutput kept_recording(CheckArguments const& arguments) {
    return {arguments.output, arguments.force ? record::FormerTrace::replace : record::FormerTrace::keep};
}

// Before the work.
Result<void> check_kept_recording(CheckArguments const& arguments) {
    if (!arguments.output)
        return {};
    if (arguments.command.empty())
        return fail(make_error(
            ErrorCode::unasked,
            "-o keeps the recording of a program, and " + arguments.files.front() + " is checked as it is",
            "parcast check -o FILE -- PROGRAM ARGS, or leave out -o."));
    auto const reason = record::reason_not_to_write(kept_recording(arguments));
    if (!reason)
        return {};
    return fail(reason->code == ErrorCode::not_recorded
                    ? with_code(ErrorCode::not_written, *reason, reason->advice)
                    : *reason);
}

// The recordings to check, opened or made one after the other.
Result<std::vector<Input>> open_checked(CheckArguments const& arguments, GivenOptions const& given,
                                        Contract const& contract) {
    std::vector<Input> inputs;
    for (auto const& file : arguments.files) {
        auto one = arguments.replay;
        one.file = file;
        auto input = open_input(one, given);
        if (!input)
            return pass_on(input);
        if (arguments.files.size() > 1 && input->form() != Form::recording)
            return fail(make_error(ErrorCode::unasked,
                                   "several files are recordings of one program; " + file + " is " +
                                       std::string(name_of(input->form()).one),
                                   "Check one file at a time."));
        inputs.push_back(std::move(*input));
    }
    if (!arguments.files.empty()) {
        auto const checked = check_programs(inputs);
        return checked ? Result<std::vector<Input>>(std::move(inputs)) : pass_on(checked);
    }
    if (auto const fits = given.check(Form::recording, arguments.command.front()); !fits)
        return pass_on(fits);
    for (unsigned i = 0; i < arguments.recordings; ++i) {
        // Only the file that was named is replaced; the others get names that are new.
        auto const former = i == 0 ? kept_recording(arguments).former : record::FormerTrace::keep;
        auto input = record_program(arguments, contract, former);
        if (!input)
            return pass_on(input);
        input->options = given.next_words();
        inputs.push_back(std::move(*input));
    }
    return inputs;
}

// --- evidence

Result<Baseline> read_baseline(std::string const& file, PredictArguments asked) {
    if (is_recording_file(file)) {
        auto text = InputFile::open(file);
        if (!text)
            return fail(text.error());
        auto const head = text->head(64);
        std::string_view const begin(reinterpret_cast<char const*>(head.data()), head.size());
        if (is_baseline_json(begin)) {
            auto const whole = text->text();
            return whole ? baseline_in(*whole, file) : Result<Baseline>(pass_on(whole));
        }
    } else if (auto const text = read_text(file); text && is_baseline_json(*text)) {
        if (auto const json = baseline_in(*text, file); json)
            return *json;
    }
    asked.file = file;
    asked.more_files.clear();
    asked.question.detail = RunDetail::totals;
    auto input = open_input(asked, {"check", forms_with_runs, {}});
    if (!input)
        return pass_on(input);
    auto const forecast = forecast_input(std::move(*input), asked);
    return forecast ? Result<Baseline>(baseline_of(forecast->answer)) : Result<Baseline>(pass_on(forecast));
}

Result<std::vector<Baseline>> read_baselines(Contract const& contract, PredictArguments const& asked) {
    std::vector<Baseline> baselines;
    for (auto const& assertion : contract.assertions) {
        if (assertion.function != ContractFunction::regression ||
            std::ranges::find(baselines, assertion.name, &Baseline::name) != baselines.end())
            continue;
        auto baseline = read_baseline(beside_contract(assertion.place.file, assertion.name), asked);
        if (!baseline)
            return fail(with_advice(baseline.error(), "The baseline of \"" + assertion.text +
                                                          "\" is made by: parcast check FILE --json, or "
                                                          "parcast predict FILE --json; or a recording."));
        baseline->name = assertion.name;
        baselines.push_back(std::move(*baseline));
    }
    return baselines;
}

// Forecasts of all recordings, and for how long the locks are held that the contract names.
struct Checked {
    forecast::Forecast forecast;  // of the median recording, its answer with the ranges of all
    std::vector<HeldLock> held;
    std::optional<Error> deadlock = {};  // of a replay of one of them
};

std::vector<HeldLock> held_locks(forecast::Forecast const& forecast, Contract const& contract) {
    std::vector<HeldLock> held;
    if (!replayed_forms.has(forecast.answer.form()))
        return held;
    for (auto const& assertion : contract.assertions) {
        if (assertion.function != ContractFunction::held)
            continue;
        auto const row = std::ranges::find(forecast.answer.rows, assertion.cpus, &Row::cpus);
        if (row == forecast.answer.rows.end() || !row->run.timeline || !row->run.timeline->intervals)
            continue;
        auto const times = analysis::held_times(forecast.threads(), *row->run.timeline);
        if (auto lock = contract::held_lock(assertion, forecast.answer, *row, times))
            held.push_back(std::move(*lock));
    }
    return held;
}

std::vector<HeldLock> with_ranges_of(std::vector<HeldLock> held, std::vector<HeldLock> const& others) {
    for (auto& each : held)
        for (auto const& other : others)
            if (each.name == other.name && each.cpus == other.cpus)
                each = contract::with_range_of(std::move(each), other);
    return held;
}

Result<Checked> forecast_all(std::vector<Input> inputs, PredictArguments const& asked,
                             Contract const& contract) {
    std::vector<Answer> answers;
    std::vector<Checked> all;
    std::optional<Error> deadlock;
    for (auto& input : inputs) {
        auto forecast = forecast_input(std::move(input), asked);
        if (!forecast)
            return pass_on(forecast);
        auto held = held_locks(*forecast, contract);
        if (!deadlock && has_deadlock(forecast->answer))
            deadlock = impossible(forecast->answer);
        for (auto& row : forecast->answer.rows)
            row.run.timeline.reset();
        answers.push_back(forecast->answer);
        all.push_back({std::move(*forecast), std::move(held)});
    }
    auto checked = std::move(all[contract::median_recording(answers)]);
    checked.forecast.answer = contract::with_ranges_of_all(std::move(checked.forecast.answer), answers);
    for (auto const& other : all)
        checked.held = with_ranges_of(std::move(checked.held), other.held);
    checked.deadlock = std::move(deadlock);
    return checked;
}

// What would mend those that fail, by the advice for their number of CPUs.
void add_advice(ContractAnswer& contract, forecast::Forecast& forecast, unsigned jobs) {
    bool const is_wanted = std::ranges::any_of(contract.assertions, [](JudgedAssertion const& each) {
        return each.judgement == Judgement::fails && each.assertion.function != ContractFunction::findings;
    });
    if (!is_wanted)
        return;
    auto const advice = advice_for(forecast, {.top = 1, .workers = jobs});
    if (!advice)
        return;
    Catalogue const none;
    auto const& catalogue = forecast.answer.is_replayed() ? forecast.answer.recording().catalogue : none;
    for (auto& judged : contract.assertions) {
        auto const at = std::ranges::find(advice->counts, judged.assertion.cpus, &AdviceOnCpus::cpus);
        if (judged.judgement != Judgement::fails || at == advice->counts.end() ||
            judged.assertion.function == ContractFunction::findings)
            continue;
        auto const sentences = leader_sentences(advice->work, std::span(&*at, 1), catalogue);
        if (!sentences.empty())
            judged.advice = sentences.front().text;
        if (judged.site.is_none() && at->first)
            judged.site = advice->work[at->rows[*at->first].work].site;
    }
}

// --- results

std::string working_directory() {
    std::error_code problem;
    auto const path = std::filesystem::current_path(problem);
    return problem ? std::string() : path.string();
}

Existing existing_files(CheckArguments const& arguments) {
    return arguments.force ? Existing::replace : Existing::keep;
}

struct ReportFile {
    std::string option;  // that asks for it
    std::string file;
    std::string (*text)(ContractAnswer const&, Answer const&);
};

std::vector<ReportFile> report_files(CheckArguments const& arguments) {
    std::vector<ReportFile> reports;
    if (arguments.junit)
        reports.push_back({"--junit", *arguments.junit, report::check_junit});
    if (arguments.markdown)
        reports.push_back({"--markdown", *arguments.markdown, report::check_markdown});
    if (arguments.annotations == Annotations::gitlab)
        reports.push_back({"--annotations gitlab", std::string(usual_gitlab_report),
                           [](ContractAnswer const& contract, Answer const& answer) {
                               return report::check_gitlab_report(contract, answer, working_directory());
                           }});
    return reports;
}

bool is_on_standard_output(ReportFile const& report) {
    return report.file == OutputFile::standard_output;
}

// Also if neither exists yet.
bool is_same_file(std::string const& first, std::string const& second) {
    std::error_code problem;
    auto const a = std::filesystem::weakly_canonical(first, problem);
    auto const b = std::filesystem::weakly_canonical(second, problem);
    return first == second || (!a.empty() && a == b);
}

// What no report may replace.
std::vector<std::string> files_in_use(CheckArguments const& arguments, Contract const& contract) {
    auto files = arguments.files;
    if (!arguments.command.empty())
        files.push_back(arguments.command.front());
    if (!contract.file.empty())
        files.push_back(contract.file);
    for (auto const& assertion : contract.assertions)
        if (assertion.function == ContractFunction::regression)
            files.push_back(beside_contract(assertion.place.file, assertion.name));
    if (arguments.replay.machine_file)
        files.push_back(*arguments.replay.machine_file);
    return files;
}

// Before the work: each report has a place of its own, and takes nobody else's.
Result<void> check_reports(CheckArguments const& arguments, Contract const& contract) {
    auto const reports = report_files(arguments);
    for (std::size_t i = 0; i < reports.size(); ++i) {
        auto const& report = reports[i];
        if (arguments.json && is_on_standard_output(report))
            return fail(make_error(ErrorCode::unasked,
                                   report.option + " - and --json both write to standard output",
                                   "Name a file for one of them: " + report.option + " FILE."));
        for (std::size_t j = 0; j < i; ++j)
            if (is_same_file(reports[j].file, report.file))
                return fail(make_error(ErrorCode::unasked,
                                       reports[j].option + " and " + report.option + " both write to " +
                                           (is_on_standard_output(report) ? "standard output" : report.file),
                                       "Name another file for one of them."));
        if (arguments.output && is_same_file(*arguments.output, report.file))
            return fail(make_error(ErrorCode::unasked,
                                   "--output and " + report.option + " both write to " + report.file,
                                   "Name another file for one of them."));
        // --force is no way to replace those.
        auto const in_use = files_in_use(arguments, contract);
        for (auto const& file : in_use)
            if (auto const checked = check_output(report.file, Existing::replace, file); !checked)
                return checked;
        if (auto const checked = check_output(report.file, existing_files(arguments), in_use.front());
            !checked)
            return checked;
    }
    return {};
}

Result<void> write_reports(CheckArguments const& arguments, ContractAnswer const& contract,
                           Answer const& answer) {
    for (auto const& report : report_files(arguments)) {
        auto const text = report.text(contract, answer);
        auto const written = write_text(text, report.file, existing_files(arguments));
        if (!written)
            return pass_on(written);
        if (!is_on_standard_output(report))
            print_note("wrote " + report.file);
    }
    return {};
}

int print_check(CheckArguments const& arguments, ContractAnswer const& contract, Answer const& answer) {
    // A report on standard output is a document of its own: no text stands before it.
    bool const has_document =
        arguments.json || std::ranges::any_of(report_files(arguments), is_on_standard_output);
    int status = exit_success;
    if (arguments.json)
        status = print_result(report::check_json(contract, answer, version));
    else if (!has_document)
        status = print_result(report::check_text(contract, answer, output_layout()));
    if (status != exit_success)
        return status;
    if (auto const written = write_reports(arguments, contract, answer); !written)
        return print_failure(written.error());
    if (arguments.annotations == Annotations::github) {
        // Runners read commands on either stream; a document stays one.
        auto const text = report::check_github_annotations(contract, answer, working_directory());
        std::fputs(text.c_str(), has_document ? stderr : stdout);
        std::fflush(stdout);
    }
    return contract.is_broken() ? int{exit_broken_contract} : int{exit_success};
}

int check(CheckArguments const& arguments, GivenOptions const& given) {
    if (arguments.command.empty() == arguments.files.empty())
        return print_failure(make_error(ErrorCode::unasked,
                                        arguments.command.empty()
                                            ? "check needs a recording, or a program to record"
                                            : "check takes recordings or a program, not both",
                                        "parcast check FILE, or parcast check -- PROGRAM ARGS."));
    auto contract = read_contract(arguments);
    if (!contract)
        return print_fault(contract.error());
    if (auto const checked = check_kept_recording(arguments); !checked)
        return print_failure(checked.error());
    if (auto const checked = check_reports(arguments, *contract); !checked)
        return print_failure(checked.error());
    std::optional<Interruption> held_back;  // until the program has ended
    if (!arguments.command.empty())
        held_back.emplace();
    auto inputs = open_checked(arguments, given, *contract);
    if (!inputs)
        return Interruption::print_failure_or_interruption(inputs.error());
    held_back.reset();
    auto asked = arguments.replay;
    asked.as_on_every_host = true;  // a contract holds wherever it is checked
    asked.cpus = contract::counts_of(contract->assertions);
    asked.question.ranges.is_asked = true;
    auto baselines = read_baselines(*contract, asked);
    if (!baselines)
        return print_failure(baselines.error());
    if (!contract::counts_with_locks(contract->assertions).empty() &&
        replayed_forms.has(inputs->front().form()))
        asked.question.detail = RunDetail::operations;
    auto const recordings = inputs->size();
    auto checked = forecast_all(std::move(*inputs), asked, *contract);
    if (!checked)
        return print_failure(checked.error());
    auto& forecast = checked->forecast;
    ContractAnswer answer{contract->file, recordings, arguments.is_strict,
                          contract::judge(contract->assertions, {forecast.answer, std::move(checked->held),
                                                                 std::move(*baselines)})};
    add_advice(answer, forecast, workers(arguments.replay));
    int const status = print_check(arguments, answer, forecast.answer);
    bool const is_about_it = answer.count(Judgement::cannot_tell) > 0;
    return status == exit_success && checked->deadlock && is_about_it ? print_failure(*checked->deadlock)
                                                                      : status;
}

void describe_options(OptionTable& options, CheckArguments& arguments) {
    options.inputs("FILE", forms_with_runs, arguments.files);
    options.program_behind(arguments.command);
    options.option(
        "--contract FILE", arguments.contract, file_name,
        "what the program promises: docs/formats/check.md; default: " + std::string(usual_contract) +
            " in the working directory, unless there is an --assert");
    options.list("--assert ASSERTION", arguments.asserted, any_text,
                 "such as 'speed_up(16) >= 11', 'time(8) <= 120ms', 'efficiency(8) >= 80%', "
                 "'limit(16) != \"lock\"', 'held(\"write_list\", 16) < 10%', 'findings = none', "
                 "'regression(baseline.json, 16) < 5%'; repeatable, and beside a --contract");
    options.flag("--strict", arguments.is_strict, "what cannot be told breaks the contract, too");
    options.flag("--json", arguments.json, "print JSON: docs/formats/check.schema.json");
    options
        .option("--junit FILE", arguments.junit, file_name,
                "also write the results as JUnit XML; -: to standard output, instead of the text")
        .for_output();
    options
        .option("--markdown FILE", arguments.markdown, file_name,
                "also write a summary in Markdown, as for $GITHUB_STEP_SUMMARY; -: as above")
        .for_output();
    options
        .option("--annotations NAME", arguments.annotations,
                one_of<Annotations>({{"github", Annotations::github}, {"gitlab", Annotations::gitlab}}),
                "mark lines of the source: github prints commands for its runner, gitlab writes " +
                    std::string(usual_gitlab_report))
        .typed_only();
    options.flag("--force", arguments.force, "replace existing files");
    options.section({Form::recording});
    options
        .option("-o, --output FILE", arguments.output, file_name,
                "keep the first recording of PROGRAM in FILE, with %p, %h and %e as for record, and others "
                "beside it")
        .typed_only();
    options.option("--pretend-cpus N", arguments.pretend_cpus, number(1U, most_cpus),
                   "let PROGRAM see N CPUs, and replace {cpus} in its arguments by N; default: the most that "
                   "an assertion is about");
    options.option("--recordings N", arguments.recordings, number(1U, 100U),
                   "record PROGRAM N times; ranges contain those of all; default: 3");
    options.option("--time-limit TIME", arguments.time_limit, parse_duration,
                   "end PROGRAM after TIME (30s, 2m, 1h), which fails");
    options.section(forms_with_runs);
    describe_jobs(options, arguments.replay);
    describe_replay(options, arguments.replay);
    describe_ranges(options, arguments.replay.question);
    describe_task_graph(options, arguments.replay);
}

}  // namespace

Verb const check_verb{
    .name = "check",
    .example = "check -- ./solver",
    .summary = "does it scale as its contract says? for CI",
    .examples = R"(
  parcast check -- ./solver --threads={cpus} input.txt
  parcast check solver.4711.parcast --assert 'speed_up(16) >= 11' --assert 'time(8) <= 120ms'
  parcast check run.1.parcast run.2.parcast run.3.parcast
  parcast check solver.4711.parcast --contract ci/parcast.check.toml --strict
  parcast check solver.4711.parcast --junit check.xml --markdown summary.md --annotations github
  parcast check solver.4711.parcast --json > baseline.json
)",
    .description = R"(
Holds a program to a scalability contract: assertions about its time, its speed-up, its limits and its
locks on any number of CPUs. A recording on one CPU is all it needs, so a small CI machine checks for
large ones. Each assertion is judged by the 90 % range of the prediction: it holds if the whole range
satisfies it, fails if the whole range violates it, and else cannot be told.

Several recordings of one program make the judgement independent of what else the machine did: ranges
contain those of all. With a program behind --, records that first, three times. What the program
prints goes to standard error.
)",
    .exit_status =
        "3 an input is missing or damaged, or the contract has an error; 4 a replay deadlocks; 5 a result "
        "could not be written; 6 the program failed; 7 the contract is broken; 125 the program could not be "
        "recorded; 126 it is not executable; 127 it was not found",
    .see_also = "predict record scale advise",
    .prepare = prepared<CheckArguments, describe_options, check>,
};

}  // namespace parcast::cli
