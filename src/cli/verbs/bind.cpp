// parcast bind FILE --cpus LIST: which threads should share a CPU, and how far that is from the best.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer/circumstances.h"
#include "cli/binding/bound_program.h"
#include "cli/exit_status.h"
#include "cli/files/output_file.h"
#include "cli/input.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "core/leading_number.h"
#include "forecast/thread_plan.h"
#include "machine/thread_plan_toml.h"
#include "model/bounds/reachable_time.h"
#include "report/binding.h"
#include "report/names.h"
#include "study/measured_binding.h"

namespace parcast::cli {

namespace {

// Numbers in place of a program: p(n, k, t, z, V) of paper VII.
struct NumbersOfProgram {
    std::optional<std::uint32_t> processes;
    std::vector<double> profile;  // empty: uniform
    double granularity = 0;

    friend bool operator==(NumbersOfProgram const&, NumbersOfProgram const&) = default;
};

// In ns for a program, else in the unit of the granularity.
struct Latency {
    double value = 0;
    bool is_given = false;
    bool has_unit = false;

    friend bool operator==(Latency const&, Latency const&) = default;
};

struct BindArguments {
    PredictArguments replay;
    BindingQuestion question;
    NumbersOfProgram numbers;
    Latency latency;

    bool measure = false;
    std::vector<std::string> command;  // that is measured
    std::optional<std::string> plan;
    bool force = false;
    bool assumptions = false;
    bool json = false;

    friend bool operator==(BindArguments const&, BindArguments const&) = default;
};

// "1/16", "0.25"
Result<double> parse_fraction(std::string const& text) {
    auto const slash = text.find('/');
    auto const above = number_in(text.substr(0, slash));
    auto const below = slash == std::string::npos ? std::optional(1.0) : number_in(text.substr(slash + 1));
    if (!above || !below || *above < 0 || *below <= 0)
        return fail(ErrorCode::unasked,
                    "it is a number from 0 on, such as 0.25 or 1/16, not \"" + text + "\"");
    return *above / *below;
}

// "1/3,1/3,1/3", or "uniform".
Result<std::vector<double>> parse_profile(std::string const& text) {
    std::vector<double> profile;
    if (text == "uniform")
        return profile;
    for (std::size_t begin = 0; begin <= text.size();) {
        auto const end = std::min(text.find(',', begin), text.size());
        auto const part = parse_fraction(text.substr(begin, end - begin));
        if (!part)
            return pass_on(part);
        profile.push_back(*part);
        begin = end + 1;
    }
    return profile;
}

constexpr double longest_latency_ns = 1e9;  // as costs.event_delay_ns

// "2us" of a program, in ns; a bare number is in the time of the granularity.
Result<Latency> parse_latency(std::string const& text) {
    if (auto const bare = number_in(text); bare && *bare >= 0)
        return Latency{*bare, true, false};
    for (auto const& [unit, ns] : {std::pair<std::string_view, double>{"ns", 1}, {"us", 1e3}, {"ms", 1e6}})
        if (text.ends_with(unit))
            if (auto const value = number_in(text.substr(0, text.size() - unit.size()));
                value && *value >= 0 && *value * ns <= longest_latency_ns)
                return Latency{*value * ns, true, true};
    return fail(ErrorCode::unasked,
                "it is a time up to a second, such as 2us, or a number from 0 on, not \"" + text + "\"");
}

int print_reachable(BindArguments const& arguments) {
    auto const& numbers = arguments.numbers;
    auto const n = *numbers.processes;
    if (!arguments.replay.cpus || arguments.replay.cpus->size() != 1)
        return print_failure(make_error(ErrorCode::unasked, "--processes asks about one number of CPUs",
                                        "Name it with --cpus, such as --cpus 5."));
    model::SynchronisedProgram program{numbers.profile, numbers.granularity, arguments.latency.value};
    if (program.profile.empty())
        program.profile.assign(n, 1.0 / n);
    if (program.profile.size() != n)
        return print_failure(make_error(ErrorCode::unasked,
                                        "--profile has " + std::to_string(program.profile.size()) +
                                            " parts; there are " + std::to_string(n) + " processes",
                                        "The first part is the time in which one process is active."));
    auto const cpus = arguments.replay.cpus->front();
    auto const found = model::reachable_time(program, cpus);
    if (!found)
        return print_failure(with_code(ErrorCode::unasked, found.error(), "Examples: parcast help bind"));
    ReachableBinding const reachable{found->factor,
                                     std::nullopt,
                                     n,
                                     numbers.granularity,
                                     arguments.latency.value,
                                     program.profile,
                                     found->allocation,
                                     found->evaluations};
    return print_result(arguments.json ? report::reachable_json(reachable, cpus, version)
                                       : report::reachable_text(reachable, cpus, output_layout()));
}

// The best binding as a file.
Result<void> write_plan(BindArguments const& arguments, forecast::Forecast const& forecast,
                        Bindings& bindings) {
    if (!arguments.plan)
        return {};
    auto const& at = bindings.counts.front();
    if (circumstances_of(forecast.answer).is_worthless)
        return fail(make_error(ErrorCode::impossible,
                               "no plan was written: a warning makes the replays worthless",
                               "What it says: parcast info " + forecast.answer.file));
    if (!at.best_time())
        return fail(make_error(ErrorCode::impossible,
                               "no plan was written: the replay deadlocks with every binding"));
    auto const text = to_toml(
        forecast::plan_of_binding(forecast.threads(), at.cpu_of_thread, arguments.replay.plan.has_value()));
    auto const written =
        write_text(text, *arguments.plan, arguments.force ? Existing::replace : Existing::keep);
    if (!written)
        return pass_on(written);
    bindings.plan = *arguments.plan;
    return {};
}

constexpr std::array<std::string_view, 6> options_of_numbers = {"--processes", "--profile", "--granularity",
                                                                "--latency",   "--cpus",    "--json"};

Result<void> check_question(BindArguments const& arguments) {
    bool const has_program = !arguments.replay.file.empty();
    if (!has_program && !arguments.numbers.processes)
        return fail(make_error(ErrorCode::unasked,
                               "what is to be bound is missing: a recording, or --processes",
                               "Examples: parcast help bind"));
    if (has_program && arguments.numbers.processes)
        return fail(
            make_error(ErrorCode::unasked,
                       "--processes is for numbers without a program; there is " + arguments.replay.file,
                       "Leave one of them out."));
    if (arguments.latency.is_given && arguments.latency.has_unit != has_program)
        return fail(make_error(ErrorCode::unasked,
                               has_program ? "--latency of a program has a unit"
                                           : "--latency is in the unit of work of the granularity",
                               has_program ? "Such as --latency 2us." : "Such as --latency 2."));
    if (arguments.measure == arguments.command.empty())
        return fail(make_error(
            ErrorCode::unasked,
            arguments.measure ? "--measure needs the program that it runs"
                              : "a program behind -- is for --measure",
            "Such as: parcast bind pigz.4711.parcast --cpus 2 --measure -- pigz -p 4 -kf big.tar"));
    return {};
}

// Numbers in place of a program have no schedulers, searches and plans.
Result<void> check_options_of_numbers(GivenOptions const& given) {
    for (auto const& option : given.options)
        if (std::ranges::find(options_of_numbers, option.name) == options_of_numbers.end())
            return fail(make_error(ErrorCode::unasked,
                                   "bind: " + option.name + " is for a program; --processes has none",
                                   "Leave one of them out."));
    return {};
}

// A plan is for one number of CPUs.
Result<void> check_plan(BindArguments const& arguments) {
    if (!arguments.plan)
        return {};
    if (!arguments.replay.cpus || arguments.replay.cpus->size() != 1)
        return fail(make_error(ErrorCode::unasked, "-o writes a plan for one number of CPUs",
                               "Name it with --cpus, such as --cpus 4."));
    return check_output(*arguments.plan, arguments.force ? Existing::replace : Existing::keep,
                        arguments.replay.file);
}

Result<void> check_machine(forecast::Forecast const& forecast) {
    if (std::holds_alternative<IdealScheduler>(forecast.machine.scheduler))
        return fail(make_error(ErrorCode::unasked,
                               "the scheduler ideal shares all CPUs among all threads, and binds none",
                               "Try --scheduler linux or round-robin."));
    bool const has_counts =
        std::ranges::any_of(forecast.answer.rows, [](Row const& row) { return row.cpus > 1; });
    if (!has_counts)
        return fail(
            make_error(ErrorCode::unasked, "on one CPU there is nothing to bind", "Such as --cpus 2,4."));
    return {};
}

// Before the search: is there a count that can be measured here?
Result<void> check_measurement(BindArguments const& arguments, forecast::Forecast const& forecast) {
    if (!arguments.measure)
        return {};
    std::string reason;
    for (auto const& row : forecast.answer.rows)
        if (row.cpus > 1) {
            reason = study::reason_not_to_measure(row.cpus);
            if (reason.empty())
                return {};
        }
    return fail(make_error(ErrorCode::unasked, "nothing can be measured: " + reason,
                           "Leave --measure out, or bind to fewer CPUs with --cpus."));
}

// The program may have been found at another place.
bool is_same_command(std::vector<std::string> recorded, std::vector<std::string> measured) {
    for (auto* const command : {&recorded, &measured})
        if (!command->empty())
            command->front() = command->front().substr(command->front().rfind('/') + 1);
    return recorded == measured;
}

// The best binding of each number of CPUs that this machine has.
Result<void> measure_bindings(BindArguments const& arguments, forecast::Forecast const& forecast,
                              Bindings& bindings, Listener const& tell) {
    if (!arguments.measure)
        return {};
    for (auto& at : bindings.counts) {
        at.not_measured = study::reason_not_to_measure(at.cpus);
        if (at.not_measured.empty() && !at.gain())
            at.not_measured = "the replay deadlocks";
        if (!at.not_measured.empty())
            continue;
        auto const plan = forecast::plan_of_binding(forecast.threads(), at.cpu_of_thread,
                                                    arguments.replay.plan.has_value());
        auto measured = study::measure_binding({plan, arguments.command, at.cpus, *at.gain()}, tell);
        if (!measured)
            return pass_on(measured);
        if (auto const& recorded = forecast.answer.recording().provenance;
            recorded && !is_same_command(recorded->command, arguments.command))
            measured->remarks.push_back("the recording is of another command: " +
                                        report::shown_command(recorded->command));
        at.measured = std::move(*measured);
    }
    return {};
}

int bind(BindArguments const& arguments, GivenOptions const& given) {
    if (arguments.numbers.processes) {
        auto const checked = check_options_of_numbers(given);
        return checked ? print_reachable(arguments) : print_failure(checked.error());
    }
    if (auto const checked = check_plan(arguments); !checked)
        return print_failure(checked.error());
    auto input = open_input(arguments.replay, given);
    if (!input)
        return print_failure(input.error());
    auto asked = arguments.replay;
    asked.question.ranges.is_asked = true;
    if (arguments.latency.is_given)
        asked.event_delay_ns = static_cast<std::int64_t>(std::llround(arguments.latency.value));
    auto forecast = forecast_input(std::move(*input), asked);
    if (!forecast)
        return print_failure(forecast.error());
    if (auto const checked = check_machine(*forecast); !checked)
        return print_failure(checked.error());
    if (auto const checked = check_measurement(arguments, *forecast); !checked)
        return print_failure(checked.error());
    auto question = arguments.question;
    question.latency_ns = forecast->machine.costs.event_delay.ns;
    Progress progress;
    auto bindings = bindings_of(*forecast, question, workers(arguments.replay),
                                [&](std::string const& what) { progress.say(what); });
    if (!bindings)
        return print_failure(bindings.error());
    auto const measured = measure_bindings(arguments, *forecast, *bindings, print_notices(progress));
    progress.clear();
    if (auto const written = write_plan(arguments, *forecast, *bindings); !written)
        return print_failure(written.error());
    bool const is_printed = bindings->plan == OutputFile::standard_output;
    if (bindings->plan && !is_printed)
        print_note("wrote " + *bindings->plan);
    auto const& basis = forecast->answer;
    int const status =
        is_printed ? exit_success
        : arguments.json
            ? print_result(report::bindings_json(basis, *bindings, version))
            : print_result(report::bindings_text(basis, *bindings, output_layout(arguments.assumptions)));
    if (!measured)  // what was found stands
        return print_failure(measured.error());
    bool const is_stuck =
        std::ranges::any_of(bindings->counts, [](auto const& at) { return !at.best_time(); });
    return status == exit_success && is_stuck && has_deadlock(basis) ? print_failure(impossible(basis))
                                                                     : status;
}

std::string algorithm_meanings() {
    std::string text;
    for (auto const& row : search::binding_strategies)
        text += std::string(row.word) + ": " + std::string(row.meaning) + "; ";
    return text + "all (default): all of them, exhaustive where there are no more bindings than --tests";
}

OneOf<std::optional<search::BindingStrategy>> any_algorithm() {
    Choices<std::optional<search::BindingStrategy>> choices{{"all", std::nullopt}};
    for (std::size_t row = 0; row < search::binding_strategies.size(); ++row)
        choices.emplace_back(search::binding_strategies[row].word, static_cast<search::BindingStrategy>(row));
    return one_of(std::move(choices));
}

void describe_options(OptionTable& options, BindArguments& arguments) {
    options.input("FILE", replayed_forms, arguments.replay.file, 0);
    options.option("--cpus LIST", arguments.replay.cpus, parse_cpu_list,
                   "numbers of CPUs to bind to, such as 2,4-16; default: as predict has them");
    options.section(replayed_forms);
    options.option("--algorithm NAME", arguments.question.algorithm, any_algorithm(), algorithm_meanings());
    options.option(
        "--tests N", arguments.question.tests, number(std::uint64_t{1}, std::uint64_t{1'000'000'000}),
        "replays of greedy, dynamic-start and exhaustive on each number of CPUs; default: by the size "
        "of the program, 30 to 2000");
    options.option("--seed N", arguments.question.seed, number(std::uint64_t{0}),
                   "of the random moves; default: 0");
    options
        .option("-o, --output FILE", arguments.plan, file_name,
                "write the best binding to this file: docs/formats/plan.md")
        .for_output();
    options.flag("--force", arguments.force, "replace an existing file");
    options.flag(
        "--measure", arguments.measure,
        "also run the program behind --, bound by the best plan and unbound by turns, on as many CPUs as "
        "this machine has, and compare");
    options.program_behind(arguments.command);
    options.flag("--json", arguments.json, "print JSON: docs/formats/bind.schema.json");
    options.flag("--assumptions", arguments.assumptions, "print all threads of large programs, too");
    describe_ranges(options, arguments.replay.question);
    describe_jobs(options, arguments.replay);
    describe_replay(options, arguments.replay);
    options.section(replayed_forms);
    options.option("--latency TIME", arguments.latency, parse_latency,
                   "for so long an activation is on its way between CPUs, in the replays and in what is "
                   "surely reachable; "
                   "default: costs.event_delay_ns of the machine");
    options.option("--processes N", arguments.numbers.processes,
                   number(std::uint32_t{1}, model::most_reachable_processes),
                   "what is surely reachable for any program with so many processes, without a FILE");
    options
        .option(
            "--profile LIST", arguments.numbers.profile, parse_profile,
            "uniform (default), or the parts of the time in which 1, 2, ... of them are active with a CPU "
            "each")
        .needs("--processes");
    options
        .option("--granularity Z", arguments.numbers.granularity, parse_fraction,
                "how many activations there are in a unit of work; default: 0")
        .needs("--processes");
    options.check([&arguments] { return check_question(arguments); });
}

}  // namespace

Verb const bind_verb{
    .name = "bind",
    .example = "bind pigz.4711.parcast --cpus 4",
    .summary = "which threads should share a CPU",
    .examples = R"(
  parcast bind pigz.4711.parcast --cpus 2,4,8
  parcast bind pigz.4711.parcast --cpus 4 -o plan.toml
  parcast bind examples/threads/two_sections.threads.json --cpus 2 --scheduler round-robin
  parcast bind solver.4711.parcast --cpus 8 --algorithm dynamic-start --tests 5000
  parcast bind pigz.4711.parcast --cpus 2 --measure -- pigz -p 4 -kf big.tar
  parcast bind --processes 12 --granularity 1/16 --profile uniform --latency 2 --cpus 5
)",
    .description = R"(
Searches the binding of threads to CPUs that takes least, by replays (Broberg 2002, papers IV and V),
and says what no binding can beat and why, so that you know when to stop. Beside it stands the
replay without a binding: where nothing is gained, it says so.
)",
    .exit_status =
        "3 the recording is missing, unreadable or damaged; 4 every replay deadlocks; 5 the result could not "
        "be written; 6 a run of the measured program failed; 125 it could not be run; 126 it is not "
        "executable; 127 "
        "it was not found",
    .see_also = "run predict advise",
    .prepare = prepared<BindArguments, describe_options, bind>,
};

}  // namespace parcast::cli
