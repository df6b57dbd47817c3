#include "cli/input.h"

#include <algorithm>
#include <thread>

#include "answer/lock_cycle.h"
#include "cli/files/files.h"
#include "cli/files/inputs.h"
#include "cli/options/target_machine.h"
#include "cli/terminal.h"
#include "forecast/forms.h"

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

}  // namespace

Result<Input> open_input(PredictArguments const& arguments, GivenOptions const& given) {
    if (auto const checked = given.check_file(arguments.file); !checked)
        return pass_on(checked);
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
        case Form::messages: {
            auto imported = read_messages(arguments.file, {.flops_per_ns = arguments.flops_per_ns});
            if (!imported)
                return pass_on(imported);
            return Input{arguments.file, std::move(*imported)};
        }
        case Form::recording: break;
    }
    auto recorded = load_recording(arguments.file);
    if (!recorded)
        return pass_on(recorded);
    return Input{arguments.file, std::move(*recorded)};
}

Result<forecast::Forecast> forecast_input(Input input, PredictArguments const& arguments) {
    Progress progress;
    Question question = arguments.question;
    question.workers = workers(arguments);
    question.progress = [&progress](std::string const& what) { progress.say(what); };
    forecast::TargetMachine target;
    if (auto const form = input.form(); form != Form::model) {
        auto named = target_machine(arguments, form);
        if (!named)
            return pass_on(named);
        target = std::move(named->machine);
        question.cpus = std::move(named->cpus);
    }
    return forecast::forecast(std::move(input), target, question);
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
               : "--model auto, the default, takes a model that does not deadlock; --model ordered "
                 "keeps the order of the recording. What they take for granted: docs/replay.md.";
}

}  // namespace

Error impossible(Answer const& answer) {
    bool const all_deadlock =
        std::ranges::all_of(answer.rows, [](Row const& row) { return row.run.deadlock.has_value(); });
    return make_error(ErrorCode::impossible,
                      all_deadlock
                          ? "the replay deadlocks on every number of CPUs: there is no prediction"
                          : "the replay deadlocks on some numbers of CPUs: there is no prediction for them",
                      way_out(answer));
}

}  // namespace parcast::cli
