#include "cli/predicted_graph.h"

#include <algorithm>
#include <future>
#include <optional>
#include <string>
#include <utility>

#include "cli/exit_status.h"
#include "cli/graph_theories.h"
#include "cli/memory_option.h"
#include "cli/predicted_file.h"
#include "cli/results_of.h"
#include "cli/target_machine.h"
#include "cli/task_graph_file.h"
#include "model/bounds/speed_up_bounds.h"

namespace parcast::cli {

namespace {

using Policies = std::vector<model::Policy>;

tl::unexpected<Error> refused(ErrorCode code, std::string message) {
    return fail(make_error(code, std::move(message), "Schedules and what they are: parcast help predict"));
}

// "the lock is a queue" -> "The lock is a queue."
std::string as_sentence(std::string words) {
    if (!words.empty() && words.front() >= 'a' && words.front() <= 'z')
        words.front() = static_cast<char>(words.front() - 'a' + 'A');
    return words + '.';
}

// Without estimates lpt-estimate would be lpt under another name.
std::optional<std::string> what_is_missing(model::Policy const& policy, TaskGraph const& graph) {
    auto const* const lpt = std::get_if<model::Lpt>(&policy);
    if (lpt == nullptr || lpt->by != model::Lpt::By::estimate || !graph.estimate_ns.empty())
        return std::nullopt;
    return "the graph has no estimates of its tasks' times; lpt takes the longest by the times themselves.";
}

// "all": those that the graph says enough for.
Result<Policies> policies_of(std::vector<std::string> const& names, TaskGraph const& graph) {
    if (names.empty())
        return Policies{model::Fifo()};
    if (names.size() == 1 && names.front() == "all")
        return model::policies_for(graph);
    if (std::ranges::find(names, "all") != names.end())
        return refused(ErrorCode::unasked, "--schedule: \"all\" are all schedules, and stands alone.");
    Policies policies;
    for (auto const& name : names) {
        auto policy = model::parse_policy(name);
        if (!policy)
            return refused(ErrorCode::unasked, "--schedule: " + policy.error().message + ".");
        if (auto const lack = what_is_missing(*policy, graph))
            return refused(ErrorCode::unasked, "--schedule " + name + ": " + *lack);
        if (std::ranges::find(policies, *policy) == policies.end())
            policies.push_back(*policy);
    }
    return policies;
}

// If all were asked for: those that are not among them, and why.
std::vector<report::ScheduleLeftOut> left_out_of(std::vector<std::string> const& names,
                                                 TaskGraph const& graph) {
    std::vector<report::ScheduleLeftOut> left_out;
    if (names != std::vector<std::string>{"all"})
        return left_out;
    for (auto const& [policy, reason] : model::policies_left_out(graph))
        left_out.push_back({model::name_of(policy), std::string(reason)});
    return left_out;
}

// What an execution refuses is the schedule, or the law of contention.
ErrorCode code_of(model::Options const& options) {
    return options.contention == nullptr ? ErrorCode::unasked : ErrorCode::inconsistent;
}

// What the speed-ups of all policies refer to: one processor that pays nothing for taking tasks, where the
// order does not matter.
Result<model::Execution> execute_sequentially(PredictedGraph const& plan) {
    auto options = plan.options;
    options.fetch_ns.clear();
    return model::execute(plan.graph, 1, model::Fifo(), options);
}

// "--schedule pinned: ": which of several it was, after so many executions. What the law of contention
// refuses is no fault of a schedule.
std::string schedule_refused(PredictedGraph const& plan, std::size_t executed) {
    if (executed == 0 || plan.options.contention != nullptr)
        return {};
    return "--schedule " + model::name_of(plan.policies[(executed - 1) / plan.cpus.size()]) + ": ";
}

// The sequential execution, and each policy on the processors that were asked for.
Result<std::vector<model::Execution>> execute_all(PredictedGraph const& plan, unsigned workers) {
    std::vector<std::packaged_task<Result<model::Execution>()>> tasks;
    tasks.emplace_back([&] { return execute_sequentially(plan); });
    for (auto const& policy : plan.policies)
        for (auto const cpus : plan.cpus)
            tasks.emplace_back([&, cpus] { return model::execute(plan.graph, cpus, policy, plan.options); });
    std::vector<model::Execution> executions;
    for (auto& execution : results_of(tasks, workers)) {
        if (!execution)
            return refused(code_of(plan.options),
                           schedule_refused(plan, executions.size()) + execution.error().message + ".");
        executions.push_back(std::move(*execution));
    }
    return executions;
}

report::TaskGraphRun run_of(model::Execution const& execution, double sequential_ns) {
    report::TaskGraphRun run;
    run.cpus = execution.processors;
    run.time_ns = execution.time_ns;
    run.speed_up = execution.time_ns > 0 ? sequential_ns / execution.time_ns : 1;
    run.efficiency = run.speed_up / run.cpus;
    run.lost = {execution.lost.idle_ns, execution.lost.latency_ns, execution.lost.contention_ns,
                execution.lost.overhead_ns};
    run.mean_busy = execution.mean_busy;
    run.busy_for_ns = execution.busy_for_ns;
    return run;
}

// What the bounds by average parallelism assume, beside the schedule.
bool are_undisturbed(model::Options const& options) {
    return options.contention == nullptr && options.fetch_ns.empty();
}

std::vector<report::ScheduledRuns> scheduled_runs(PredictedGraph const& plan,
                                                  std::vector<model::Execution> const& executions,
                                                  model::ParallelismProfile const& profile) {
    std::vector<report::ScheduledRuns> schedules;
    auto next = executions.begin();
    double const sequential_ns = (next++)->time_ns;
    for (auto const& policy : plan.policies) {
        auto& scheduled = schedules.emplace_back();
        scheduled.schedule = model::name_of(policy);
        scheduled.is_work_conserving = model::is_work_conserving(policy);
        for (auto const cpus : plan.cpus) {
            auto& run = scheduled.runs.emplace_back(run_of(*next++, sequential_ns));
            auto const bounds = model::speed_up_bounds(profile, cpus);
            if (scheduled.is_work_conserving && are_undisturbed(plan.options))
                run.bounds = report::SpeedUpRange{bounds.lower, bounds.upper};
        }
    }
    return schedules;
}

report::TaskGraphPrediction describe_graph(PredictArguments const& arguments, TaskGraphFormat format,
                                           TaskGraph const& graph, model::ParallelismProfile const& profile) {
    report::TaskGraphPrediction prediction;
    prediction.file = arguments.file;
    prediction.format = name_of(format);
    prediction.name = graph.name;
    prediction.tasks = graph.tasks();
    prediction.groups = graph.groups();
    prediction.precedences = graph.successors.size();
    prediction.work_ns = profile.work_ns;
    prediction.span_ns = profile.span_ns;
    prediction.average_parallelism = profile.average();
    prediction.maximum_parallelism = profile.most();
    prediction.retire = arguments.graph.retire == model::Retire::all ? "all" : "one";
    prediction.overhead_ns = arguments.graph.overhead_ns;
    prediction.assumptions = {"The times of tasks do not vary."};
    prediction.assumptions.insert(prediction.assumptions.end(), graph.assumptions.begin(),
                                  graph.assumptions.end());
    return prediction;
}

// The law of contention that --memory names, if it does.
Result<std::unique_ptr<model::ContentionLaw const>> shared_law(PredictArguments const& arguments,
                                                               TaskGraph const& graph) {
    if (!arguments.memory)
        return nullptr;
    auto law = contention_law(*arguments.memory, graph);
    if (!law)
        return fail(make_error(ErrorCode::inconsistent, describe(law.error()) + ".",
                               "What tasks share, and how a task graph says it: docs/theories.md."));
    return std::make_unique<model::ContentionLaw const>(std::move(*law));
}

void describe_law(model::ContentionLaw const& law, report::TaskGraphPrediction& prediction) {
    prediction.contention = law.name;
    for (auto const& assumption : law.assumptions)
        prediction.assumptions.push_back(as_sentence(assumption));
}

report::Theories compared(PredictedGraph const& plan) {
    auto const& first = plan.prediction.schedules.front();
    std::vector<DeterministicTime> times;
    for (auto const& run : first.runs)
        times.push_back({run.cpus, run.time_ns});
    return theories_of(plan.graph, times,
                       {plan.policies.front(), plan.options.fetch_ns, plan.options.contention});
}

}  // namespace

model::Options options_of(TaskGraphArguments const& arguments) {
    model::Options options;
    options.retire = arguments.retire;
    options.fetch_ns = arguments.overhead_ns;
    return options;
}

Result<PredictedGraph> predicted_graph(PredictArguments const& arguments, GraphCheck check) {
    if (auto const option = option_of_recordings(arguments))
        return refused(ErrorCode::unasked,
                       *option + " is for recordings, and " + arguments.file + " is a task graph.");
    auto file = read_task_graph(arguments.file, arguments.graph.reading);
    if (!file)
        return pass_on(file);
    if (check != nullptr) {
        if (auto refusal = check(file->graph, arguments.file))
            return tl::unexpected(std::move(*refusal));
    }
    PredictedGraph predicted;
    predicted.graph = std::move(file->graph);
    predicted.cpus = arguments.cpus.value_or(usual_cpus());
    predicted.options = options_of(arguments.graph);
    auto policies = policies_of(arguments.graph.schedules, predicted.graph);
    if (!policies)
        return pass_on(policies);
    predicted.policies = std::move(*policies);
    auto law = shared_law(arguments, predicted.graph);
    if (!law)
        return pass_on(law);
    predicted.law = std::move(*law);
    predicted.options.contention = predicted.law.get();

    auto const executions = execute_all(predicted, workers(arguments));
    if (!executions)
        return pass_on(executions);
    auto const profile = model::profile_of(predicted.graph);
    predicted.prediction = describe_graph(arguments, file->format, predicted.graph, profile);
    predicted.prediction.sequential_ns = executions->front().time_ns;
    predicted.prediction.schedules = scheduled_runs(predicted, *executions, profile);
    predicted.prediction.left_out = left_out_of(arguments.graph.schedules, predicted.graph);
    if (predicted.law)
        describe_law(*predicted.law, predicted.prediction);
    if (arguments.graph.compare)
        predicted.prediction.comparison = compared(predicted);
    return predicted;
}

std::optional<std::string> option_of_recordings(PredictArguments const& arguments) {
    if (arguments.scheduler)
        return "--scheduler";
    if (arguments.machine_file)
        return "--machine";
    if (arguments.model != ModelName::automatic)
        return "--model";
    if (arguments.tasks != TasksName::automatic)
        return "--tasks";
    return arguments.threads_table ? std::optional<std::string>("--threads-table") : std::nullopt;
}

std::optional<std::string> option_of_task_graphs(PredictArguments const& arguments) {
    if (!arguments.graph.schedules.empty())
        return "--schedule";
    if (!arguments.graph.reading.set.empty())
        return "--set";
    if (arguments.graph.reading.unit)
        return "--unit";
    if (arguments.graph.compare)
        return "--compare";
    if (!arguments.graph.overhead_ns.empty())
        return "--overhead";
    return arguments.graph.retire == model::Retire::all ? std::optional<std::string>("--retire")
                                                        : std::nullopt;
}

}  // namespace parcast::cli
