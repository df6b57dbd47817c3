#include "model/deterministic/policies_for.h"

#include <algorithm>
#include <functional>

namespace parcast::model {

namespace {

using namespace ready;

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

std::vector<ReadyPolicy> policies_for(TaskGraph const& graph) {
    std::vector<ReadyPolicy> policies = {Fifo{}, Lpt{}};
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

}  // namespace parcast::model
