#include "cli/options/prediction_options.h"

#include <ranges>

#include "cli/options/option_values.h"
#include "core/three_digits.h"
#include "forecast/ranges.h"
#include "forecast/sweep_text.h"
#include "import/reader_parts.h"
#include "machine/network_text.h"
#include "machine/schedulers.h"
#include "view/replay_on_demand.h"

namespace parcast::cli {

namespace {

// "2us", "500ns"; of 0 the unit may be left out.
Result<double> parse_overhead(std::string const& text) {
    auto const found = leading_number<double>(text);
    auto const unit = unit_ns(found.rest);
    if (found.is_number && found.rest.empty() && found.value == 0)
        return 0.0;
    if (found.is_number && unit && found.value >= 0 && std::isfinite(found.value * *unit))
        return in_ns(found.value, *unit);
    return fail(ErrorCode::unasked,
                "\"" + text + "\" is no time with its unit (" + time_units + "), such as 2us");
}

// "50", "99.9", "0.5%". Below 1 a number without its sign may be meant as a probability.
Result<double> parse_quantile(std::string const& text) {
    auto const found = leading_number<double>(text);
    bool const has_sign = found.rest == "%";
    if (!found.is_number || !(found.rest.empty() || has_sign) || !(found.value > 0 && found.value < 100))
        return fail(ErrorCode::unasked, "\"" + text + "\" is no per cent between 0 and 100");
    if (found.value < 1 && !has_sign)
        return fail(ErrorCode::unasked, "\"" + text + "\" is below one per cent of the runs: write " +
                                            three_digits(100 * found.value) + " for the probability " + text +
                                            ", or " + text + "% for that per cent");
    return found.value;
}

// "0.5", "0.5%": per cent of the mean.
Result<double> parse_precision(std::string const& text) {
    auto const found = leading_number<double>(text);
    bool const is_whole = found.rest.empty() || found.rest == "%" || found.rest == " %";
    if (found.is_number && is_whole && found.value > 0 && found.value <= 100)
        return found.value;
    return fail(ErrorCode::unasked, "\"" + text + "\" is no per cent of the mean, such as 0.5%");
}

// "mpich,allreduce=ring", "compare" or both.
Result<CollectivesQuestion> parse_collectives(std::string const& text) {
    CollectivesQuestion question;
    std::string choice;
    for (std::size_t begin = 0; begin <= text.size();) {
        auto const end = std::min(text.find(',', begin), text.size());
        auto const part = text.substr(begin, end - begin);
        if (part == "compare")
            question.compare = true;
        else
            choice += (choice.empty() ? "" : ",") + part;
        begin = end + 1;
    }
    if (choice.empty() && question.compare) {
        question.choice = CollectiveChoice{};
        return question;
    }
    auto parsed = parse_collective_choice(choice);
    if (!parsed)
        return pass_on(parsed);
    question.choice = *parsed;
    return question;
}

Result<double> parse_speed(std::string const& text) {
    auto const speed = number_in(text);
    if (speed && *speed > 0 && *speed <= 1e9)
        return *speed;
    return fail(ErrorCode::unasked, "\"" + text + "\" is no number above 0, such as 1.5");
}

Result<std::uint32_t> parse_lwps(std::string const& text) {
    if (text == "0")
        return fail(ErrorCode::unasked,
                    "without an LWP no thread would run: name 1 or more, or leave the option out");
    return number(std::uint32_t{1}, most_cpus)(text);
}

std::string written_form(SchedulerRow const& row) {
    return std::string(row.word);
}

// "batch:N", "ps[:N]"
std::string written_form(ReadyPolicyRow const& row) {
    using enum ReadyPolicyRow::Number;
    return std::string(row.word) + (row.number == must_follow  ? ":N"
                                    : row.number == may_follow ? "[:N]"
                                                               : "");
}

// For completion.
std::vector<std::string> words_of(auto const& rows) {
    std::vector<std::string> words;
    for (auto const& row : rows)
        words.emplace_back(row.word);
    return words;
}

// "ideal: processor sharing without costs; linux: ..."
std::string meanings(auto const& rows) {
    std::string text;
    for (auto const& row : rows)
        text.append(text.empty() ? "" : "; ").append(written_form(row)).append(": ").append(row.meaning);
    return text;
}

}  // namespace

void describe_jobs(OptionTable& options, PredictArguments& arguments) {
    options.option("--jobs N", arguments.jobs, number(1U, 1024U),
                   "replays at once; default: one per CPU of this machine");
}

void describe_cpus(OptionTable& options, PredictArguments& arguments) {
    bool const has_messages = options.forms().has(Form::messages);
    options.section(has_messages ? forms_with_runs_and_messages : forms_with_runs);
    options.option(
        "--cpus LIST", arguments.cpus, parse_cpu_list,
        std::string(
            "numbers of CPUs, such as 1,2,4-16; default: that of the machine file, or 1,2,4,8,16,32,64") +
            (has_messages ? ". Of a message program: those of a node, one number; its ranks fill the nodes"
                          : ""));
}

namespace {

void describe_memory(OptionTable& options, PredictArguments& arguments) {
    options.section(forms_with_runs);
    std::string const presets_of_graphs =
        options.can_serve(Form::task_graph) ? ". For task graphs also lock, or sequent, the bus of a Sequent"
                                            : "";
    options
        .option("--memory NAME", arguments.memory, any_text,
                "the memory that busy CPUs share: a file (docs/formats/memory.md), or a preset with "
                "accesses per us of CPU time, such as ddr4-2-channels:4.5" +
                    presets_of_graphs)
        .for_next_command();
}

void describe_threads_replay(OptionTable& options, PredictArguments& arguments, ShownModels models);

std::string scheduler_help() {
    return meanings(schedulers) + ". Default: " + std::string(schedulers[usual_scheduler].word);
}

auto parse_scheduler() {
    return one_of(choices_by_place<SchedulerNumber>(schedulers | std::views::transform(&SchedulerRow::word)));
}

}  // namespace

void describe_machine(OptionTable& options, PredictArguments& arguments) {
    describe_memory(options, arguments);
    options.section(forms_with_machines);
    options
        .option("--machine FILE", arguments.machine_file, any_text,
                "machine file (docs/formats/machine.md); default: what `parcast calibrate` measured on "
                "this host. `default`: built-in values")
        .completes({"default"})
        .completes_files(".toml")
        .for_next_command();
}

void describe_replay(OptionTable& options, PredictArguments& arguments, ShownModels models) {
    describe_machine(options, arguments);
    options.section(replayed_forms);
    options.option("--scheduler NAME", arguments.scheduler, parse_scheduler(), scheduler_help())
        .for_next_command();
    describe_threads_replay(options, arguments, models);
}

void describe_replay_on_several(OptionTable& options, PredictArguments& arguments,
                                SeveralMachines& machines) {
    describe_memory(options, arguments);
    options.section(replayed_forms);
    options
        .list("--machine FILE", machines.files, any_text,
              "machine file (docs/formats/machine.md); several: a side each. Default: what `parcast "
              "calibrate` measured on this host. `default`: built-in values")
        .completes_files(".toml");
    options.list("--scheduler NAME", machines.schedulers, parse_scheduler(),
                 "several: a side each. " + scheduler_help());
    describe_threads_replay(options, arguments, ShownModels::one);
}

namespace {

void describe_threads_replay(OptionTable& options, PredictArguments& arguments, ShownModels models) {
    options
        .option("--lwps N", arguments.lwps, parse_lwps,
                "how many LWPs run the threads that are not bound, under --scheduler two-level, solaris and "
                "fibers. "
                "Default: one; fibers: one a CPU")
        .for_next_command();
    Choices<ReplayModel> choices{{"auto", ReplayModel::automatic},
                                 {"direct", ReplayModel::direct},
                                 {"client-server", ReplayModel::client_server},
                                 {"strict", ReplayModel::strict},
                                 {"ordered", ReplayModel::ordered}};
    bool const shows_all = models == ShownModels::all;
    if (shows_all)
        choices.emplace_back("all", ReplayModel::all);
    options
        .option("--model NAME", arguments.question.replay.model, one_of<ReplayModel>(std::move(choices)),
                std::string(
                    "what a wait takes. direct: whatever comes first; strict: what it took in the recording; "
                    "client-server: the same, but a thread that waits repeatedly for one thing goes on with "
                    "whichever "
                    "comes first; ordered: strict, and locks are taken in the recorded order; auto "
                    "(default): direct; "
                    "where that deadlocks, the first that does not of direct with strict for few conditions, "
                    "client-server, strict, and ordered") +
                    (shows_all ? "; all: auto, with every model in a table beside it" : ""))
        .for_next_command("all");
    options
        .option("--plan FILE", arguments.plan, file_name,
                "bind threads to CPUs and set their priorities as this file says: docs/formats/plan.md")
        .completes_files(".toml")
        .for_next_command();
    options
        .option("--waiting NAME", arguments.waiting, one_of(choices_by_place<WaitPolicy>(wait_policies)),
                "how the threads of OpenMP teams wait on the target, as OMP_WAIT_POLICY there: active: they "
                "spin; passive: they sleep at once. Default: as the recorded run did; without a policy they "
                "spin for some milliseconds")
        .for_next_command();
    options.section({Form::recording});
    options
        .option("--tasks NAME", arguments.question.replay.tasks,
                one_of<HandedOutWork>({{"auto", HandedOutWork::anew}, {"recorded", HandedOutWork::recorded}}),
                "which thread does work that is handed out at run time. auto (default): the first free "
                "one, and page faults of common memory in equal numbers; recorded: the recorded one")
        .for_next_command();
}

}  // namespace

void describe_task_graph(OptionTable& options, PredictArguments& arguments) {
    auto policies = words_of(ready_policies);
    policies.emplace_back("all");
    options.section({Form::task_graph, Form::model});
    options
        .list("--set NAME=VALUE", arguments.reading.set, any_text,
              "the value of a parameter, such as P=8, N=1e6; in a task graph also k=n/2")
        .for_next_command();
    options.section({Form::task_graph});
    options
        .list("--schedule LIST", arguments.question.schedule.schedules, any_text,
              "which ready task a free CPU takes. " + meanings(ready_policies) +
                  ". Default: " + name_of(ReadyPolicy{}) +
                  ". all: every schedule that can give a different result for this graph",
              ',')
        .completes(std::move(policies))
        .for_next_command("all");
    options
        .option("--unit UNIT", arguments.reading.unit, any_text,
                "the unit of time in STG and Graphviz files: ns (default), us, ms or s")
        .completes({"ns", "us", "ms", "s"})
        .for_next_command();
    options
        .option("--retire " + listed(retire_words, "|"), arguments.retire,
                one_of(choices_by_place<Retire>(retire_words)),
                "when tasks end at the same instant, free CPUs take new ones after each (default) or "
                "after all")
        .for_next_command();
    options
        .list("--overhead TIME", arguments.overhead_ns, parse_overhead,
              "what a CPU pays to take a task from a shared queue: 2us; or 2us,3us,5us with one, two and "
              "more busy CPUs",
              ',')
        .for_next_command();
}

void describe_messages(OptionTable& options, PredictArguments& arguments) {
    std::vector<std::string> presets;
    for (auto const& preset : network_presets())
        presets.emplace_back(preset.name);
    options.section(networked_forms);
    options
        .option("--network NAME", arguments.network, any_text,
                "what messages cost: a preset (" + listed(presets) +
                    "), values such as loggp:L=9us,o=2us,g=14us,G=30ns (G: for each byte), both as "
                    "infiniband-qdr:node.L=300ns (inside a node), or a machine file with [network]; "
                    "default: that of --machine")
        .completes(presets)
        .completes_files(".toml")
        .for_next_command();
    options.section({Form::messages});
    options
        .option("--collectives LIST", arguments.question.messages.collectives, parse_collectives,
                "by which messages collective operations are done: as open-mpi (default) or mpich would "
                "choose, or by name, such as mpich,allreduce=ring. compare: try every other algorithm, too")
        .completes({"open-mpi", "mpich", "compare"})
        .for_next_command("compare");
    options
        .option("--nodes N", arguments.question.messages.placement.nodes, number(std::uint32_t{1}),
                "spread the ranks over N nodes; default: each rank has a node of its own, or as many as "
                "--cpus fills")
        .for_next_command();
    options
        .option("--place NAME", arguments.place, any_text,
                "packed (default): neighbouring ranks share a node; round-robin: rank i is on node i mod "
                "N; or a file with the node of each rank, a line each (docs/messages.md)")
        .completes({"packed", "round-robin"})
        .for_next_command();
    options
        .option("--cpu-speed X", arguments.question.messages.cpu_speed, parse_speed,
                "computations are X times as fast; default: 1")
        .for_next_command();
    options
        .option("--flops-per-ns X", arguments.flops_per_ns, parse_speed,
                "SimGrid's traces: how fast a rank computes; default: 1")
        .for_next_command();
}

void describe_steps(OptionTable& options, PredictArguments& arguments) {
    options.section({Form::steps});
    options
        .option("--clocks NAME", arguments.question.steps.carry_clocks,
                one_of<bool>({{"barrier", false}, {"carry", true}}),
                "barrier (default): a step begins when all have ended the one before, and times add up; "
                "carry: each rank goes on at once")
        .for_next_command();
    options
        .option("--ties SEED", arguments.question.steps.tie_seed, number(std::uint64_t{0}),
                "draw which of several ranks sends first, as the paper does; default: the lowest one")
        .for_next_command();
}

void describe_model(OptionTable& options, SweepQuestion& arguments, FormSet swept) {
    options.section(swept);
    bool const has_networks = swept.has(Form::messages);
    options.list(
        "--sweep NAME=VALUES", arguments.sweeps, forecast::parse_sweep,
        "a prediction for each value: P=1,2,5 or P=1..64 or t=0..1:step=0.1 or t=0..1:points=11 or "
        "P=1..1000:log (1, 2, 5, 10, ...) or P=1..1000:log=30. Several sweeps: every combination" +
            std::string(has_networks ? ". Of ranks, values of the network: L=1us,5us,20us or "
                                       "G=0.1ns..10ns:log; L, o, O, g, G, S, and node.L inside a node"
                                     : ""));
    options.section({Form::model});
    options.list(
        "--quantiles LIST", arguments.levels, parse_quantile,
        "of the time, in per cent of the runs, such as 5,50,99.9; below 1 with the sign, as 0.5%; default: "
        "50,95,99",
        ',');
    describe_model_method(options, arguments, {Form::model, Form::recording, Form::threads});
    options.flag("--phases", arguments.phases,
                 "bound each part of the top-level sequence by itself: a tighter bound");
    options.flag("--sensitivity", arguments.sensitivity,
                 "how each parameter changes mean and variance, the greatest effect first");
}

void describe_model_method(OptionTable& options, SweepQuestion& arguments, FormSet with_runs) {
    options.section({Form::model});
    options.option("--method NAME", arguments.method,
                   one_of<ModelMethod>({{"moments", ModelMethod::moments},
                                        {"simulate", ModelMethod::simulate},
                                        {"both", ModelMethod::both}}),
                   "moments (default): by formula; simulate: with queueing; both: side by side");
    bool const has_ranges = with_runs.has(Form::recording);
    options.section(with_runs);
    options.option("--runs N", arguments.simulation.runs,
                   number(std::uint32_t{has_ranges ? 0U : 1U}, std::uint32_t{10'000'000}),
                   std::string("simulate this many runs; default: as many as --precision takes") +
                       (has_ranges ? ". Of recordings: this many replays for each range, 6 to 1000; 0: no "
                                     "ranges; default: as many as take about a second, 6 to 20. Of a "
                                     "written program of threads there are ranges only with it"
                                   : ""));
    options.section({Form::model});
    options.option("--precision PERCENT", arguments.simulation.precision, parse_precision,
                   "simulate until half of the mean's 95 % confidence interval is below this; default: 1 %");
    options.option("--seed N", arguments.simulation.seed, number(std::uint64_t{0}),
                   "seed of the simulated random times; default: 1");
    options.option("--of NAME", arguments.of, any_text, "the process or equation to predict; default: main");
    options.option("--per NAME", arguments.per, any_text,
                   "divide times by this parameter: by the number of turns, for the time of one");
}

void describe_ranges(OptionTable& options, Question& arguments) {
    options.section(replayed_forms);
    options.option(
        "--runs N", arguments.sweep.simulation.runs,
        number(std::uint32_t{0}, std::uint32_t{forecast::most_range_replays}),
        "this many replays for each range, 6 to 1000; 0: no ranges; default: as many as take about a "
        "second, 6 to 20. Of a written program of threads there are ranges only with it");
}

void describe_page_of_recording(OptionTable& options, std::optional<std::string>& measured,
                                bool& source_text) {
    options.section({Form::recording});
    options.option("--measured SCALE.json", measured, any_text,
                   "add the speed-ups measured by: parcast scale --json --measure -- PROGRAM");
    options.section(replayed_forms);
    options.flag("--no-source-text", source_text,
                 "leave out the source lines around the places of the program", false);
}

Result<std::vector<std::uint32_t>> parse_page_cpus(std::string const& text) {
    auto counts = parse_cpu_list(text);
    if (counts && counts->back() > view::most_cpus)
        return fail(ErrorCode::unasked, "a page shows at most " + std::to_string(view::most_cpus) + " CPUs");
    return counts;
}

}  // namespace parcast::cli
