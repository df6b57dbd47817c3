// parcast advise FILE: what to change first, on which number of CPUs, and what that brings.

#include <algorithm>
#include <utility>

#include "cli/exit_status.h"
#include "cli/input.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "report/advice.h"

namespace parcast::cli {

namespace {

struct AdviseArguments {
    PredictArguments replay;
    std::size_t top = 3;
    bool segments = false;
    bool json = false;

    friend bool operator==(AdviseArguments const&, AdviseArguments const&) = default;
};

int print_json(Answer const& basis, Advice const& advice) {
    int status = exit_success;
    report::print_advice_json(basis, advice, version, [&](std::string const& piece) {
        status = print_result(piece);
        return status == exit_success;
    });
    return status;
}

int advise(AdviseArguments const& arguments, GivenOptions const& given) {
    auto input = open_input(arguments.replay, given);
    if (!input)
        return print_failure(input.error());
    auto asked = arguments.replay;
    asked.question.network.effects = false;  // it is tried as everything else
    asked.question.ranges.is_asked = true;
    asked.question.messages.collectives.compare = true;
    auto forecast = forecast_input(std::move(*input), asked);
    if (!forecast)
        return print_failure(forecast.error());
    auto const advice = advice_for(
        *forecast,
        {.top = arguments.top, .segments = arguments.segments, .workers = workers(arguments.replay)});
    if (!advice)
        return print_failure(advice.error());
    auto const& basis = forecast->answer;
    int const status =
        arguments.json ? print_json(basis, *advice)
                       : print_result(report::advice_text(basis, *advice, arguments.top, output_layout()));
    if (status != exit_success || !has_deadlock(basis))
        return status;
    auto const no_prediction = impossible(basis);
    // Where one count has an answer, that stands, whatever deadlocks on others or with a change.
    bool const has_answer =
        std::ranges::any_of(basis.rows, [](Row const& row) { return !row.run.deadlock.has_value(); });
    if (!has_answer)
        return print_failure(no_prediction);
    print_warning(no_prediction.message, no_prediction.advice);
    return status;
}

void describe_options(OptionTable& options, AdviseArguments& arguments) {
    options.input("FILE", forms_with_machines, arguments.replay.file);
    options.flag("--json", arguments.json, "print JSON: docs/formats/advise.schema.json");
    options.option(
        "--top N", arguments.top, number(std::size_t{1}, std::size_t{100}),
        "functions and locks, or groups of tasks, that are tried on each number of CPUs; of messages ranks, "
        "computations and tags; default: 3");
    options.section(forms_with_runs);
    options.flag("--segments", arguments.segments,
                 "also every piece of work, when it ran with a CPU for each thread, and what it weighs");
    options.section(forms_with_machines);
    describe_jobs(options, arguments.replay);
    describe_cpus(options, arguments.replay);
    describe_replay(options, arguments.replay);
    describe_ranges(options, arguments.replay.question);
    describe_messages(options, arguments.replay);
    describe_steps(options, arguments.replay);
    describe_task_graph(options, arguments.replay);
}

}  // namespace

Verb const advise_verb{
    .name = "advise",
    .example = "advise pigz.4711.parcast",
    .summary = "what to change first, on which number of CPUs",
    .examples = R"(
  parcast advise pigz.4711.parcast
  parcast advise pigz.4711.parcast --cpus 4,8,64 --top 5
  parcast advise cholesky.json --cpus 2,8
  parcast advise app.goal --network infiniband-qdr
  parcast advise examples/messages/diagonal-wave.json --network meiko-cs2
  parcast predict pigz.4711.parcast --what-if 'function:deflate_fast*0.5'
)",
    .description = R"(
Names the function or the lock whose work decides the time on each number of CPUs, by the weights of the
extended critical path (Broberg 2002, paper VI), and tries it: what a tenth less of it, half of it and
none of it would bring, by replays. What `predict --what-if` does with a change that you have in mind,
this does with those that are most worth it.

Of a message program it tries ranks, computations, messages by tag, collective operations and the values
of the network; of a program of steps ranks and the network, by both algorithms and overlapped.
)",
    .exit_status =
        "3 the recording is missing, unreadable or damaged; 4 the replay deadlocks on every number of CPUs; "
        "5 the result could not be "
        "written",
    .see_also = "predict info view",
    .prepare = prepared<AdviseArguments, describe_options, advise>,
};

}  // namespace parcast::cli
