#include "forecast/forms.h"

#include <algorithm>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/limits.h"
#include "forecast/graph_theories.h"
#include "forecast/results_of.h"
#include "forecast/what_if.h"
#include "model/bounds/speed_up_bounds.h"
#include "model/deterministic/deterministic.h"
#include "model/deterministic/policies_for.h"
#include "model/queueing/machine_law.h"
#include "model/queueing/station_law.h"

namespace parcast::forecast {

namespace {

using Policies = std::vector<ReadyPolicy>;

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
std::optional<std::string> what_is_missing(ReadyPolicy const& policy, TaskGraph const& graph) {
    auto const* const lpt = std::get_if<ready::Lpt>(&policy);
    if (lpt == nullptr || lpt->by != ready::Lpt::By::estimate || !graph.estimate_ns.empty())
        return std::nullopt;
    return "the graph has no estimates of its tasks' times; lpt takes the longest by the times themselves.";
}

// "all": those that the graph says enough for.
Result<Policies> policies_of(std::vector<std::string> const& names, TaskGraph const& graph,
                             Machine const& machine) {
    if (names.empty())
        return Policies{machine.ready_tasks.policy};
    if (names.size() == 1 && names.front() == "all")
        return model::policies_for(graph);
    if (std::ranges::find(names, "all") != names.end())
        return refused(ErrorCode::unasked, "--schedule: \"all\" are all schedules, and stands alone");
    Policies policies;
    for (auto const& name : names) {
        auto policy = parse_ready_policy(name);
        if (!policy)
            return refused(ErrorCode::unasked, "--schedule: " + policy.error().message);
        if (auto const lack = what_is_missing(*policy, graph))
            return refused(ErrorCode::unasked, "--schedule " + name + ": " + *lack);
        if (std::ranges::find(policies, *policy) == policies.end())
            policies.push_back(*policy);
    }
    return policies;
}

// If all were asked for: those that are not among them, and why.
std::vector<ScheduleLeftOut> left_out_of(std::vector<std::string> const& names, TaskGraph const& graph) {
    std::vector<ScheduleLeftOut> left_out;
    if (names != std::vector<std::string>{"all"})
        return left_out;
    for (auto const& [policy, reason] : model::policies_left_out(graph))
        left_out.push_back({name_of(policy), std::string(reason)});
    return left_out;
}

// What is executed: each policy on each number of processors, with one law of contention for all.
struct GraphPlan {
    TaskGraph const& graph;
    Machine const& machine;
    model::ContentionLaw const* contention;  // null: tasks do not delay each other
    Policies const& policies;
    Question const& question;
};

// What does not fit is the schedule, unless there is a law of contention that may be at fault.
ErrorCode code_of(GraphPlan const& plan, Error const& error) {
    bool const is_schedule = plan.contention == nullptr && error.code == ErrorCode::inconsistent;
    return is_schedule ? ErrorCode::unasked : error.code;
}

// What the speed-ups of all policies refer to: one processor that pays nothing for taking tasks, where the
// order does not matter.
Result<model::GraphExecution> execute_sequentially(GraphPlan const& plan) {
    auto machine = with_cpus(plan.machine, 1);
    machine.ready_tasks.policy = ready::Fifo();
    machine.ready_tasks.fetch_ns.clear();
    return model::execute(plan.graph, machine, {model::Keep::totals, plan.contention});
}

// "--schedule pinned: ": which of several it was, after so many executions. What the law of contention
// refuses is no fault of a schedule.
std::string schedule_refused(GraphPlan const& plan, std::size_t executed) {
    if (executed == 0 || plan.contention != nullptr)
        return {};
    return "--schedule " + name_of(plan.policies[(executed - 1) / plan.question.cpus.size()]) + ": ";
}

// How many runs keep a timeline; each has an interval for every task.
std::size_t most_timelines(GraphPlan const& plan) {
    if (plan.question.detail == RunDetail::totals)
        return 0;
    return plan.question.most_intervals / std::max<std::size_t>(plan.graph.tasks(), 1);
}

// Each policy has its runs on many CPUs first when timelines are given out.
Result<model::GraphExecution> execute_under(GraphPlan const& plan, std::size_t policy, std::size_t count) {
    auto const& cpus = plan.question.cpus;
    plan.question.listener.run_begins(cpus[count]);
    auto machine = with_cpus(plan.machine, cpus[count]);
    machine.ready_tasks.policy = plan.policies[policy];
    auto const rank = (policy + 1) * cpus.size() - 1 - count;
    auto const keep = rank < most_timelines(plan) ? model::Keep::timeline : model::Keep::totals;
    auto execution = model::execute(plan.graph, machine, {keep, plan.contention});
    if (execution)
        plan.question.listener.run_ended(execution->run);
    return execution;
}

// The sequential execution, and each policy on the processors that were asked for.
Result<std::vector<model::GraphExecution>> execute_all(GraphPlan const& plan) {
    std::vector<std::packaged_task<Result<model::GraphExecution>()>> tasks;
    tasks.emplace_back([&] { return execute_sequentially(plan); });
    for (std::size_t policy = 0; policy < plan.policies.size(); ++policy)
        for (std::size_t count = 0; count < plan.question.cpus.size(); ++count)
            tasks.emplace_back([&plan, policy, count] { return execute_under(plan, policy, count); });
    std::vector<model::GraphExecution> executions;
    for (auto& execution : results_of(tasks, plan.question.workers)) {
        if (!execution)
            return refused(code_of(plan, execution.error()),
                           schedule_refused(plan, executions.size()) + execution.error().message);
        executions.push_back(std::move(*execution));
    }
    return executions;
}

Row row_of(model::GraphExecution execution, std::uint32_t schedule, double sequential_ns) {
    Row row;
    row.run = std::move(execution.run);
    row.cpus = row.run.accounts.cpus;
    row.schedule = schedule;
    row.time_ns = execution.time_ns;
    row.speed_up = execution.time_ns > 0 ? sequential_ns / execution.time_ns : 1;
    row.efficiency = row.speed_up / row.cpus;
    row.limits = analysis::limits(row.run.accounts, {});
    row.tasks = {execution.lost, execution.mean_busy, execution.busy_for_ns};
    return row;
}

// What the bounds by average parallelism assume, beside the schedule.
bool are_undisturbed(GraphPlan const& plan) {
    return plan.contention == nullptr && plan.machine.ready_tasks.fetch_ns.empty();
}

// By schedule, then by number of processors, as they were executed.
void add_rows(Answer& answer, GraphPlan const& plan, std::vector<model::GraphExecution> executions,
              model::ParallelismProfile const& profile) {
    auto next = executions.begin();
    answer.graph().sequential_ns = (next++)->time_ns;
    for (auto const& policy : plan.policies) {
        bool const is_work_conserving = parcast::is_work_conserving(policy);
        auto const schedule = static_cast<std::uint32_t>(answer.graph().schedules.size());
        answer.graph().schedules.push_back({name_of(policy), is_work_conserving});
        for (auto const cpus : plan.question.cpus) {
            auto& row =
                answer.rows.emplace_back(row_of(std::move(*next++), schedule, answer.graph().sequential_ns));
            auto const bounds = model::speed_up_bounds(profile, cpus);
            if (is_work_conserving && are_undisturbed(plan))
                row.bounds = bounds;
        }
    }
}

Answer begin_answer(std::string const& file, std::string const& format, GraphPlan const& plan,
                    model::ParallelismProfile const& profile) {
    auto const& graph = plan.graph;
    Answer answer;
    answer.file = file;
    auto& basis = answer.basis.emplace<TaskGraphBasis>();
    basis.format = format;
    basis.name = graph.name;
    basis.tasks = graph.tasks();
    basis.groups = graph.groups();
    basis.precedences = graph.successors.size();
    basis.work_ns = profile.work_ns;
    basis.span_ns = profile.span_ns;
    basis.average_parallelism = profile.average();
    basis.maximum_parallelism = profile.most();
    basis.retire = retire_words[static_cast<std::size_t>(plan.machine.ready_tasks.retire)];
    basis.overhead_ns = plan.machine.ready_tasks.fetch_ns;
    answer.assumptions = {"The times of tasks do not vary."};
    answer.assumptions.insert(answer.assumptions.end(), graph.assumptions.begin(), graph.assumptions.end());
    return answer;
}

bool has_approximate_delays(std::vector<model::GraphExecution> const& executions) {
    return std::ranges::any_of(executions, &model::GraphExecution::has_approximate_delays);
}

void describe_law(model::ContentionLaw const& law, bool is_approximate, Answer& answer) {
    answer.graph().contention = law.name;
    for (auto const& assumption : law.assumptions)
        answer.assumptions.push_back(as_sentence(assumption));
    if (is_approximate) {
        answer.assumptions.emplace_back(
            "That network is solved by Schweitzer's approximation where unlike tasks run in too many "
            "combinations for the exact solution; the speed of tasks is then some 1 % off on average, 15 % "
            "at "
            "worst.");
    }
}

// Solved once for all executions. None: tasks do not delay each other.
Result<std::optional<model::ContentionLaw>> contention_of(TaskGraph const& graph,
                                                          TargetMachine const& target) {
    if (!target.lock_contention)
        return model::machine_law(graph, target.shape);
    auto law = model::lock_law(graph);
    if (!law)
        return pass_on(law);
    return std::move(*law);
}

// The rates of shared processors depend on which tasks are on them together.
void describe_sharing(GraphPlan const& plan, Answer& answer) {
    bool const shares = std::ranges::any_of(plan.policies, [](ReadyPolicy const& policy) {
        return std::holds_alternative<ready::ProcessorSharing>(policy);
    });
    if (shares && plan.contention != nullptr) {
        answer.assumptions.emplace_back(
            "Under ps, tasks delay each other only while they are on CPUs at the same time: a task on one "
            "CPU meets no other, and on several CPUs those of an even sample of the running tasks.");
    }
}

Theories compared(GraphPlan const& plan, Answer const& answer) {
    std::vector<DeterministicTime> times;
    auto const first = by_schedule(answer).front();
    for (auto const& row : first.rows)
        times.push_back({row.cpus, row.time_ns});
    auto tasks = plan.machine.ready_tasks;
    tasks.policy = plan.policies.front();
    return theories_of(plan.graph, times, {std::move(tasks), plan.contention});
}

}  // namespace

Result<Forecast> forecast_task_graph(std::string const& file, ImportedGraph imported,
                                     TargetMachine const& target, Question const& question) {
    auto& graph = imported.graph;
    auto contention = contention_of(graph, target);
    if (!contention)
        return fail(with_advice(contention.error(),
                                "What tasks share, and how a task graph says it: docs/theories.md."));
    auto const& names = question.schedule.schedules;
    auto const policies = policies_of(names, graph, target.shape);
    if (!policies)
        return pass_on(policies);
    GraphPlan const plan{graph, target.shape, *contention ? &**contention : nullptr, *policies, question};
    auto executions = execute_all(plan);
    if (!executions)
        return pass_on(executions);
    auto const profile = model::profile_of(graph);
    auto answer = begin_answer(file, name_of(imported.format), plan, profile);
    answer.graph().machine = target.shape.name;
    answer.graph().source = source_of(target);
    bool const is_approximate = has_approximate_delays(*executions);
    add_rows(answer, plan, std::move(*executions), profile);
    answer.graph().left_out = left_out_of(names, graph);
    if (plan.contention)
        describe_law(*plan.contention, is_approximate, answer);
    describe_sharing(plan, answer);
    if (question.schedule.compare)
        answer.graph().comparison = compared(plan, answer);
    return with_what_if({.program = std::move(graph),
                         .machine = target.shape,
                         .answer = std::move(answer),
                         .contention = std::move(*contention)},
                        question);
}

}  // namespace parcast::forecast
