#include "model/deterministic/policy.h"

#include <algorithm>
#include <charconv>

namespace parcast::model {

namespace {

using Number = PolicyName::Number;

PolicyName const names[] = {
    {"fifo", Number::none, "one queue, first in, first out", Fifo{}},
    {"lpt", Number::none, "longest task first", Lpt{}},
    {"lpt-estimate", Number::none, "longest task first, by its estimate", Lpt{Lpt::By::estimate}},
    {"list", Number::none, "lowest task id first", ListOrder{}},
    {"critical-path", Number::none, "longest way to the end of the graph first",
     ListOrder{ListOrder::First::longest_path}},
    {"block", Number::none, "a block of each loop for each process", StaticBlock{}},
    {"block-in-order", Number::none, "block, and a process keeps the order of its tasks",
     StaticBlock{Start::in_order}},
    {"cyclic", Number::none, "the tasks of each loop to the processes in turn", StaticCyclic{}},
    {"cyclic-in-order", Number::none, "cyclic, and a process keeps the order of its tasks",
     StaticCyclic{Start::in_order}},
    {"batch", Number::must_follow, "one queue, so many tasks at once", Batch{}},
    {"guided", Number::may_follow, "one queue, an even share of it at once, at least so many tasks",
     Batch{Batch::Kind::guided, 1}},
    {"queues", Number::none, "several queues, with stealing", SeveralQueues{}},
    {"queues-lpt", Number::none, "several queues, with stealing, longest estimate first in each",
     SeveralQueues{SeveralQueues::Order::longest_first}},
    {"split", Number::none, "loops split between subsets of the processes", SplitLoops{}},
    {"pinned", Number::none, "each task on the process that the graph gives", Explicit{}},
    {"pinned-in-order", Number::none, "pinned, and a process keeps the order of its tasks",
     Explicit{Start::in_order}},
    {"ps", Number::may_follow, "processor sharing, by so many processes (without a number: one a task)",
     ProcessorSharing{}},
};

std::string all_names() {
    std::string list;
    for (auto const& known : names)
        list += (list.empty() ? "" : ", ") + std::string(known.name) +
                (known.number == Number::must_follow  ? ":N"
                 : known.number == Number::may_follow ? "[:N]"
                                                      : "");
    return list;
}

std::optional<std::uint32_t> positive(std::string_view text) {
    std::uint32_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool const is_whole = error == std::errc() && end == text.data() + text.size();
    return is_whole && value > 0 ? std::optional(value) : std::nullopt;
}

Policy with_number(Policy policy, std::uint32_t number) {
    if (auto* batch = std::get_if<Batch>(&policy))
        batch->size = number;
    else if (auto* sharing = std::get_if<ProcessorSharing>(&policy))
        sharing->processes = number;
    return policy;
}

std::optional<std::uint32_t> number_of(Policy const& policy) {
    if (auto const* batch = std::get_if<Batch>(&policy))
        return batch->size > 1 || batch->kind == Batch::Kind::fixed ? std::optional(batch->size)
                                                                    : std::nullopt;
    if (auto const* sharing = std::get_if<ProcessorSharing>(&policy))
        return sharing->processes;
    return std::nullopt;
}

Policy without_number(Policy policy) {
    if (auto* batch = std::get_if<Batch>(&policy))
        batch->size = 1;
    else if (auto* sharing = std::get_if<ProcessorSharing>(&policy))
        sharing->processes.reset();
    return policy;
}

bool has_estimates(TaskGraph const& graph) {
    return !graph.estimate_ns.empty() && graph.estimate_ns != graph.cpu_ns;
}

bool has_several_queues(TaskGraph const& graph) {
    return std::ranges::adjacent_find(graph.queue, std::ranges::not_equal_to()) != graph.queue.end();
}

bool has_subsets(TaskGraph const& graph) {
    return std::ranges::any_of(graph.subset, [](std::uint16_t subset) { return subset > 0; });
}

// Without one, a task goes to the process of its queue.
bool has_processes(TaskGraph const& graph) {
    return !graph.process.empty() || has_several_queues(graph);
}

}  // namespace

std::span<PolicyName const> policy_names() {
    return names;
}

Result<Policy> parse_policy(std::string_view text) {
    auto const colon = text.find(':');
    auto const* const known = std::ranges::find(names, text.substr(0, colon), &PolicyName::name);
    if (known == std::end(names)) {
        return fail(ErrorCode::malformed,
                    "there is no schedule '" + std::string(text) + "'; there are " + all_names());
    }
    if (colon == std::string_view::npos && known->number != Number::must_follow)
        return known->policy;
    auto const number = colon == std::string_view::npos ? std::nullopt : positive(text.substr(colon + 1));
    if (known->number == Number::none || !number) {
        return fail(ErrorCode::malformed,
                    "'" + std::string(text) + "' should be '" + std::string(known->name) +
                        (known->number == Number::none ? "', without a number" : ":N', N a number from 1"));
    }
    return with_number(known->policy, *number);
}

std::string name_of(Policy const& policy) {
    auto const* const known = std::ranges::find(names, without_number(policy), &PolicyName::policy);
    auto const number = number_of(policy);
    return std::string(known->name) + (number ? ":" + std::to_string(*number) : "");
}

std::vector<Policy> policies_for(TaskGraph const& graph) {
    std::vector<Policy> policies = {Fifo{}, Lpt{}};
    if (has_estimates(graph))
        policies.emplace_back(Lpt{Lpt::By::estimate});
    policies.insert(policies.end(),
                    {ListOrder{}, ListOrder{ListOrder::First::longest_path}, StaticBlock{}, StaticCyclic{},
                     Batch{Batch::Kind::fixed, 4}, Batch{Batch::Kind::guided, 1}});
    if (has_several_queues(graph))
        policies.insert(policies.end(),
                        {SeveralQueues{}, SeveralQueues{SeveralQueues::Order::longest_first}});
    if (has_subsets(graph))
        policies.emplace_back(SplitLoops{});
    if (has_processes(graph))
        policies.emplace_back(Explicit{});
    policies.emplace_back(ProcessorSharing{});
    return policies;
}

std::vector<PolicyLeftOut> policies_left_out(TaskGraph const& graph) {
    std::vector<PolicyLeftOut> left_out;
    if (!has_estimates(graph))
        left_out.push_back({Lpt{Lpt::By::estimate}, "no task has an estimate other than its time"});
    if (!has_several_queues(graph)) {
        left_out.push_back({SeveralQueues{}, "all tasks are in one queue"});
        left_out.push_back(
            {SeveralQueues{SeveralQueues::Order::longest_first}, "all tasks are in one queue"});
    }
    if (!has_subsets(graph))
        left_out.push_back({SplitLoops{}, "no loop is for a subset of the processes"});
    if (!has_processes(graph))
        left_out.push_back({Explicit{}, "no task has a process"});
    return left_out;
}

bool is_work_conserving(Policy const& policy) {
    if (auto const* batch = std::get_if<Batch>(&policy))
        return batch->kind == Batch::Kind::fixed && batch->size == 1;
    if (auto const* sharing = std::get_if<ProcessorSharing>(&policy))
        return !sharing->processes;
    return std::holds_alternative<Fifo>(policy) || std::holds_alternative<Lpt>(policy) ||
           std::holds_alternative<ListOrder>(policy) || std::holds_alternative<SeveralQueues>(policy);
}

}  // namespace parcast::model
