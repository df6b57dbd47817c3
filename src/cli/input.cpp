#include "cli/input.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "answer/lock_cycle.h"
#include "cli/files/files.h"
#include "cli/files/inputs.h"
#include "cli/files/memory_needed.h"
#include "cli/options/target_machine.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "core/counted.h"
#include "core/listed.h"
#include "core/progress_text.h"
#include "forecast/forms.h"
#include "forecast/ranges.h"
#include "program/message_jobs.h"
#include "report/names.h"

namespace parcast::cli {

namespace {

constexpr char const* see_help = "Models and their options: parcast help predict.";

// What is swept stays in the formulas, whatever the text says; what is set does not.
Result<std::vector<pamela::Setting>> settings_of(PredictArguments const& arguments) {
    auto settings = settings_in(arguments.reading.set);
    if (!settings)
        return settings;
    for (auto const& sweep : arguments.question.sweep.sweeps) {
        if (std::ranges::find(*settings, sweep.name, &pamela::Setting::name) != settings->end())
            return fail(make_error(ErrorCode::unasked,
                                   "'" + sweep.name + "' has a value by --set and others by --sweep",
                                   see_help));
        settings->push_back({sweep.name, sweep.values.front(), true});
    }
    return settings;
}

// For the sensitivity every number that has a name is a parameter.
void keep_numbers_symbolic(std::vector<pamela::Setting>& settings, ProcessModel const& model) {
    for (auto& setting : settings)
        setting.stays_symbolic = true;
    for (auto const& equation : model.numeric_equations) {
        bool const is_number = model.expressions.kind(equation.value) == symbolic::ExpressionKind::number;
        bool const is_set =
            std::ranges::find(settings, equation.name, &pamela::Setting::name) != settings.end();
        if (is_number && !is_set)
            settings.push_back({equation.name, model.expressions.value(equation.value), true});
    }
}

Result<Input> open_model(PredictArguments const& arguments) {
    auto const& asked = arguments.question.sweep;
    if (auto const checked = forecast::check_sweep(asked); !checked)
        return pass_on(checked);
    bool const has_axis =
        std::ranges::any_of(asked.sweeps, [](Sweep const& sweep) { return sweep.values.size() > 1; });
    if (arguments.plot && !has_axis)
        return fail(make_error(ErrorCode::unasked,
                               "--plot draws the time against a parameter: name it with --sweep, such as "
                               "--sweep P=1..64",
                               see_help));
    auto settings = settings_of(arguments);
    if (!settings)
        return pass_on(settings);
    auto model = read_process_model(arguments.file, *settings);
    forecast::GivenModel given;
    for (auto const& setting : *settings)
        given.given.emplace_back(setting.name, setting.value);
    if (model && asked.sensitivity) {
        keep_numbers_symbolic(*settings, *model);
        model = read_process_model(arguments.file, *settings, Diagnostics::keep_quiet);
    }
    if (!model)
        return pass_on(model);
    given.model = std::move(*model);
    return Input{arguments.file, std::move(given)};
}

// Several inputs are programs of messages that run side by side.
Result<void> check_jobs(PredictArguments const& arguments) {
    if (arguments.more_files.empty())
        return {};
    auto files = arguments.more_files;
    files.insert(files.begin(), arguments.file);
    bool const are_replayed =
        std::ranges::all_of(files, [](std::string const& file) { return replayed_forms.has(form_of(file)); });
    for (auto const& file : files) {
        if (auto const opened = InputFile::open(file); !opened)
            return pass_on(opened);
        if (auto const form = form_of(file); form != Form::messages)
            return fail(make_error(
                ErrorCode::unasked,
                "predict takes several files only if they are message programs, which run side by side; " +
                    file + " is " + std::string(name_of(form).one),
                are_replayed ? "Try: parcast compare " + report::command_line(files)
                             : "Ask about one file at a time."));
    }
    return {};
}

Result<Input> open_messages(PredictArguments const& arguments) {
    auto imported = read_messages(arguments.file, {.flops_per_ns = arguments.flops_per_ns});
    if (!imported)
        return pass_on(imported);
    Input input{arguments.file, {}};
    if (!arguments.more_files.empty()) {
        std::vector<MessageProgram> programs;
        auto const add = [&](std::string const& file, ImportedMessages job) {
            auto const first =
                input.jobs.empty() ? 0 : input.jobs.back().first_rank + input.jobs.back().ranks;
            input.jobs.push_back({file, job.program.name, name_of(job.format), first, job.program.ranks()});
            programs.push_back(std::move(job.program));
        };
        auto const format = imported->format;
        add(arguments.file, std::move(*imported));
        for (auto const& file : arguments.more_files) {
            auto job = read_messages(file, {.flops_per_ns = arguments.flops_per_ns});
            if (!job)
                return pass_on(job);
            add(file, std::move(*job));
        }
        auto joined = side_by_side(std::move(programs));
        if (!joined)
            return pass_on(joined);
        imported = ImportedMessages{std::move(*joined), format};
    }
    input.content = std::move(*imported);
    return input;
}

// Where ranks are: a word, or a file that says it; and the CPUs of each node.
Result<RankPlacement> rank_placement(PredictArguments const& arguments) {
    auto placement = arguments.question.messages.placement;
    if (arguments.cpus) {
        if (arguments.cpus->size() != 1)
            return fail(make_error(ErrorCode::unasked,
                                   "--cpus: a message program has one number of CPUs in each node",
                                   "Such as --cpus 16; ranks fill the nodes."));
        placement.cpus_of_node = arguments.cpus->front();
    }
    if (!arguments.place || *arguments.place == "packed")
        return placement;
    if (*arguments.place == "round-robin") {
        placement.order = RankPlacement::Order::round_robin;
        return placement;
    }
    auto text = read_text(*arguments.place);
    if (!text)
        return fail(with_advice(text.error(),
                                "--place is packed, round-robin, or a file with the node of each rank."));
    placement.file = *arguments.place;
    placement.text = std::move(*text);
    return placement;
}

Result<Input> read_input(PredictArguments const& arguments) {
    switch (form_of(arguments.file)) {
        case Form::model: return open_model(arguments);
        case Form::task_graph: {
            auto graph = read_task_graph(arguments.file, arguments.reading);
            if (!graph)
                return pass_on(graph);
            return Input{arguments.file, std::move(*graph)};
        }
        case Form::threads: {
            auto program = read_threads(arguments.file);
            if (!program)
                return pass_on(program);
            return Input{arguments.file, std::move(*program)};
        }
        case Form::steps: {
            auto program = read_steps(arguments.file);
            if (!program)
                return pass_on(program);
            return Input{arguments.file, std::move(*program)};
        }
        case Form::messages: return open_messages(arguments);
        case Form::recording: break;
    }
    if (auto const fits = check_memory_for(arguments.file); !fits)
        return pass_on(fits);
    auto recorded = load_recording(arguments.file);
    if (!recorded)
        return pass_on(recorded);
    return Input{arguments.file, std::move(*recorded)};
}

}  // namespace

namespace {

// --runs is of models, too. The times of a program that was written down are given: only who asks wants
// ranges.
Result<void> ask_for_ranges(Question& question, Form form) {
    auto const runs = question.sweep.simulation.runs;
    question.ranges.replays = runs;
    question.ranges.is_asked =
        question.ranges.is_asked && (form == Form::threads ? runs.value_or(0) > 0 : runs != 0U);
    bool const is_few = runs && *runs > 0 && *runs < forecast::fewest_range_replays;
    if (is_few || runs > forecast::most_range_replays)
        return fail(make_error(ErrorCode::unasked,
                               "--runs: a range takes " + std::to_string(forecast::fewest_range_replays) +
                                   " to " + std::to_string(forecast::most_range_replays) + " replays",
                               "Without ranges: --runs 0."));
    return {};
}

}  // namespace

Result<Input> open_input(PredictArguments const& arguments, GivenOptions const& given) {
    if (auto const checked = given.check_file(arguments.file); !checked)
        return pass_on(checked);
    if (auto const checked = check_jobs(arguments); !checked)
        return pass_on(checked);
    auto input = read_input(arguments);
    if (input)
        input->options = given.next_words();
    return input;
}

namespace {

// Runs come first, then the replays that ranges take. Who listens already, as a page that can stop them does,
// goes on to.
void show_progress(Question& question, Progress& progress, std::size_t runs) {
    question.progress = [&progress](std::string const& what) { progress.say(what); };
    auto const begun = std::make_shared<std::atomic<std::uint64_t>>(0);
    question.listener.run_begins = [&progress, begun, runs,
                                    also = question.listener.run_begins](std::optional<std::uint32_t> cpus) {
        also(cpus);
        auto const number = ++*begun;
        auto const what = cpus ? "executing it on " + counted(*cpus, "CPU") : "executing it without bounds";
        progress.say(number <= runs ? progress_text(what, {number, runs}) : what);
    };
    question.listener.range_replay_begins = [&progress, also = question.listener.range_replay_begins](
                                                std::size_t before, std::size_t all) {
        also(before, all);
        progress.say(progress_text("replaying it for ranges", {before + 1, all}));
    };
}

}  // namespace

Result<forecast::Forecast> forecast_input(Input input, PredictArguments const& arguments) {
    Stage const stage("predicting " + input.file);
    Progress progress;
    Question question = arguments.question;
    question.workers = workers(arguments);
    if (replayed_forms.has(input.form())) {
        if (auto const checked = ask_for_ranges(question, input.form()); !checked)
            return pass_on(checked);
    }
    if (input.form() == Form::messages) {
        auto placement = rank_placement(arguments);
        if (!placement)
            return pass_on(placement);
        question.messages.placement = std::move(*placement);
    }
    forecast::TargetMachine target;
    if (auto const form = input.form(); form != Form::model) {
        auto named = target_machine(arguments, form);
        if (!named)
            return pass_on(named);
        target = std::move(named->machine);
        question.cpus = std::move(named->cpus);
    }
    show_progress(question, progress, question.cpus.size());
    return forecast::forecast(std::move(input), target, question);
}

Result<Advice> advice_for(forecast::Forecast& forecast, forecast::AdviceQuestion question) {
    Stage const stage("looking for what to change");
    Progress progress;
    question.progress = [&progress](std::string const& what) { progress.say(what); };
    return forecast::advise(forecast, question);
}

unsigned workers(PredictArguments const& arguments) {
    return arguments.jobs.value_or(std::max(1U, std::thread::hardware_concurrency()));
}

namespace {

std::string way_out(Answer const& answer) {
    if (answer.has_messages())
        return "Each send needs a receive of its destination with its tag, and none may wait for the other.";
    bool const is_programs_own = std::ranges::any_of(answer.rows, [](Row const& row) {
        return row.run.deadlock && !lock_cycle(*row.run.deadlock).empty();
    });
    if (answer.form() == Form::threads)
        return is_programs_own ? "Let all threads take the locks in one order."
                               : "What a replay takes for granted: docs/replay.md.";
    return is_programs_own
               ? "--model ordered predicts the order of locks that was recorded. Let all threads take "
                 "them in one order."
               : "--model auto, the default, takes a model that does not deadlock, if there is one. Else "
                 "measure the program: parcast scale --measure. What a replay takes for granted: "
                 "docs/replay.md.";
}

}  // namespace

std::string deadlock_message(std::set<std::uint32_t> const& cpus) {
    constexpr std::size_t most_named = 8;
    std::vector<std::string> names;
    for (auto const count : cpus)
        if (names.size() < most_named)
            names.push_back(std::to_string(count));
    if (cpus.size() > most_named)
        names.push_back(std::to_string(cpus.size() - most_named) + " more numbers of");
    bool const is_one_cpu = cpus.size() == 1 && *cpus.begin() == 1;
    return "the replay deadlocks on " + listed(names, " and ") + (is_one_cpu ? " CPU" : " CPUs") +
           ": there is no prediction for " + (cpus.size() == 1 ? "it" : "them");
}

Error impossible(Answer const& answer) {
    std::set<std::uint32_t> cpus;
    for (Row const& row : answer.rows)
        if (row.run.deadlock)
            cpus.insert(row.cpus);
    bool const all_deadlock =
        std::ranges::all_of(answer.rows, [](Row const& row) { return row.run.deadlock.has_value(); });
    return make_error(ErrorCode::impossible,
                      all_deadlock ? "the replay deadlocks on every number of CPUs: there is no prediction"
                      : answer.has_messages()  // rows are of points of a network
                          ? "the replay deadlocks in some rows: there is no prediction for them"
                          : deadlock_message(cpus),
                      way_out(answer));
}

}  // namespace parcast::cli
