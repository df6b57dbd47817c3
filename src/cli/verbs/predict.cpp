#include "cli/verbs/predict.h"

#include <sstream>
#include <utility>

#include "cli/exit_status.h"
#include "cli/files/files.h"
#include "cli/files/output_file.h"
#include "cli/input.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "report/chart/model_chart.h"
#include "report/prediction.h"

namespace parcast::cli {

namespace {

int write_chart(Answer const& prediction, std::string const& path, Existing existing) {
    if (auto const written = write_text(report::model_chart_svg(prediction), path, existing); !written)
        return print_failure(written.error());
    if (path != OutputFile::standard_output)
        print_note("wrote " + path);
    return exit_success;
}

// A file has a change a line, made together; lines that begin with # are for its reader.
Result<Scenario> scenario_argument(std::string const& text) {
    if (!text.starts_with('@'))
        return parse_scenario(text);
    auto const file = read_text(text.substr(1));
    if (!file)
        return pass_on(file);
    std::string joined;
    std::istringstream lines(*file);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && !line.starts_with('#'))
            joined += (joined.empty() ? "" : ",") + line;
    return parse_scenario(joined);
}

int print_json(PredictArguments const& arguments, Answer const& answer) {
    auto const threads = arguments.threads_table || arguments.ranks_table ? report::ThreadRows::present
                                                                          : report::ThreadRows::absent;
    int status = exit_success;
    report::print_prediction_json(answer, version, threads, [&](std::string const& piece) {
        status = print_result(piece);
        return status == exit_success;
    });
    return status;
}

std::string text_of(PredictArguments const& arguments, Answer const& answer) {
    auto const whole = output_layout(arguments.assumptions);
    switch (answer.form()) {
        case Form::model: return report::model_prediction_text(answer, whole);
        case Form::task_graph: return report::task_graph_text(answer, whole);
        case Form::steps: return report::steps_text(answer, whole, arguments.ranks_table);
        case Form::messages: return report::messages_text(answer, whole, arguments.ranks_table);
        case Form::recording:
        case Form::threads: break;
    }
    auto const layout = output_layout();
    return report::prediction_text(answer, layout) +
           (arguments.threads_table ? report::threads_text(answer, layout) : "") +
           report::assumptions_text(answer, whole);
}

int predict(PredictArguments const& arguments, GivenOptions const& given) {
    auto input = open_input(arguments, given);
    if (!input)
        return print_failure(input.error());
    auto const existing = arguments.force ? Existing::replace : Existing::keep;
    if (auto const checked =
            arguments.plot ? check_output(*arguments.plot, existing, arguments.file) : Result<void>();
        !checked)
        return print_failure(
            with_advice(checked.error(), existing == Existing::keep
                                             ? "Replace it with --force, or name another file with --plot."
                                             : "Name another file with --plot."));
    if (arguments.ranks_table && !arguments.json && !arguments.question.sweep.sweeps.empty())
        return print_failure(make_error(ErrorCode::unasked, "--ranks-table is of one network, not of a sweep",
                                        "The ranks at every point: --json."));
    auto asked = arguments;
    asked.question.sweep.band = arguments.plot.has_value();
    asked.question.what_to_change = true;
    asked.question.ranges.is_asked = true;
    auto const forecast = forecast_input(std::move(*input), asked);
    if (!forecast)
        return print_failure(forecast.error());
    auto const& answer = forecast->answer;
    if (arguments.plot) {
        if (int const status = write_chart(answer, *arguments.plot, existing); status != exit_success)
            return status;
        if (*arguments.plot == OutputFile::standard_output)
            return exit_success;
    }
    int const status =
        arguments.json ? print_json(arguments, answer) : print_result(text_of(arguments, answer));
    return status == exit_success && has_deadlock(answer) ? print_failure(impossible(answer)) : status;
}

void describe_options(OptionTable& options, PredictArguments& arguments) {
    options.input("FILE", every_form, arguments.file);
    options.more_inputs("FILE", arguments.more_files);
    options.flag("--assumptions", arguments.assumptions, "print in full what the prediction assumes");
    options.flag("--json", arguments.json, "print JSON: docs/formats/predict.schema.json");
    describe_jobs(options, arguments);
    describe_cpus(options, arguments);
    describe_replay(options, arguments, ShownModels::all);
    options.section({Form::recording, Form::task_graph, Form::threads, Form::steps, Form::messages});
    options.list(
        "--what-if CHANGE", arguments.question.what_if, scenario_argument,
        "what a change would bring, beside the program as it is: function:NAME*0.5, "
        "place:FILE:LINE*0.8, thread:NAME*0.5, lock:NAME*0.5 (the work under it), lock:NAME/8 (eight "
        "in its place), lock:NAME=free, io:NAME*0.1, sleep:*0, wake-ups=free (waking up costs nothing); in a "
        "task graph group:NAME*0.5; of messages rank:3*0.5, tag:5*0.5, tag:5=free, "
        "collective:allreduce=free, L=half, G=1ns. A comma joins changes; @FILE reads them");
    options.section(replayed_forms);
    options.flag("--threads-table", arguments.threads_table,
                 "for each number of CPUs, what every thread does");
    options.section(networked_forms);
    options.flag("--ranks-table", arguments.ranks_table, "what every rank does");
    options.flag("--no-sensitivity", arguments.question.network.effects,
                 "leave out what half of each value of the network would bring: a run for each", false);
    describe_messages(options, arguments);
    describe_steps(options, arguments);
    describe_task_graph(options, arguments);
    options.flag("--compare", arguments.question.schedule.compare,
                 "add theories of random tasks (Kruskal-Weiss, Mak-Lundstrom, Thomasian-Bay) and bounds of "
                 "the speed-up, for the first schedule");
    describe_model(options, arguments.question.sweep, {Form::model, Form::steps, Form::messages});
    options
        .option("--plot FILE", arguments.plot, any_text,
                "draw mean and 90 % band against what is swept, as SVG")
        .for_output();
    options.flag("--force", arguments.force, "replace an existing FILE of --plot").needs("--plot");
}

}  // namespace

Verb const predict_verb{
    .name = "predict",
    .example = "predict pigz.4711.parcast",
    .summary = "its time on 1 to 64 CPUs, and what limits it",
    .examples = R"(
  parcast predict pigz.4711.parcast
  parcast predict pigz.4711.parcast --cpus 1,2,4-16 --scheduler ideal
  parcast predict pigz.4711.parcast --cpus 8 --threads-table
  parcast predict examples/threads/two_producers.threads.json --cpus 1,2,3
  parcast predict pigz.4711.parcast --what-if 'function:deflate_fast*0.5' --what-if 'lock:queue/8'
  parcast predict graph.json --cpus 1-30 --schedule fifo,lpt,ps
  parcast predict loops.json --schedule all --set n=1024
  parcast predict mrm.pam --set N=1e6 --sweep P=1..500:log --per N
  parcast predict examples/messages/diagonal-wave.json --network meiko-cs2
  parcast predict app.goal --network infiniband-qdr --sweep G=0.1ns,1ns,10ns --what-if L=half
  parcast predict psrs.pam --set N=81920 --set P=8 --quantiles 5,50,99.9 --sensitivity
)",
    .description = R"(
Predicts how long a program takes on other numbers of CPUs, and what limits it. FILE is

  a recording    time, speed-up and its bounds, efficiency, and where the other processor time goes
  threads        the same for a program that was written down step by step (docs/formats/threads.md)
  a task graph   the same, under each schedule. It is read as JSON (docs/formats/taskgraph.md), STG,
                 Graphviz or WfFormat
  steps          ranks that compute and send messages in turn, on a network (docs/formats/steps.md)
  messages       a whole message-passing program: GOAL, SimGrid's time-independent traces, Dimemas; several
                 files run side by side
  a model        mean, variance, skewness, kurtosis and quantiles of the time, for each value of a
                 parameter. Models are in the PAMELA language (docs/formats/pamela.md)
)",
    .exit_status =
        "3 an input is missing, unreadable or damaged; 4 a replay deadlocks; 5 the result could not be "
        "written",
    .see_also = "info view generate",
    .prepare = prepared<PredictArguments, describe_options, predict>,
};

}  // namespace parcast::cli
