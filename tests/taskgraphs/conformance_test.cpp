// A task graph as threads, simulated, takes the time that the deterministic model says. No two tasks finish
// together in these graphs, so that it does not matter who would be first.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "model/deterministic/deterministic.h"
#include "simulate/simulate.h"
#include "support/program_builder.h"
#include "taskgraphs/random_graph.h"

namespace parcast {
namespace {

constexpr std::uint64_t graphs = 40;

// A semaphore a task, which everybody before it posts.
class TaskThreads {
public:
    TaskThreads(TaskGraph const& graph, std::uint32_t threads) : graph_(graph), program_(threads, 1) {
        for (std::size_t task = 0; task < graph.tasks(); ++task)
            may_start_.push_back(program_.object(ObjectKind::semaphore));
        waits_ = predecessor_groups(graph);
    }

    ProgramBuilder& program() { return program_; }

    // REQUIRES: groups of one task.
    void wait_for_predecessors(ThreadBuilder& thread, std::size_t task) const {
        for (auto left = waits_[task]; left > 0; --left)
            thread.wait(may_start_[task]);
    }
    void work(ThreadBuilder& thread, std::size_t task) const {
        thread.work(static_cast<std::int64_t>(graph_.cpu_ns[task]));
        thread.add(OperationKind::work_only);
    }
    void release_successors(ThreadBuilder& thread, std::size_t task) const {
        for (auto const successor : graph_.successors_of(TaskGroupId(task)))
            thread.post(may_start_[successor.index()]);
    }

private:
    TaskGraph const& graph_;
    ProgramBuilder program_;
    std::vector<ObjectId> may_start_;  // by task
    std::vector<std::uint32_t> waits_;
};

// A thread a task, and thread 0, which creates them.
ThreadProgram thread_a_task(TaskGraph const& graph) {
    TaskThreads tasks(graph, static_cast<std::uint32_t>(graph.tasks()) + 1);
    for (std::uint32_t task = 0; task < graph.tasks(); ++task) {
        auto& thread = tasks.program().thread(task + 1);
        tasks.wait_for_predecessors(thread, task);
        tasks.work(thread, task);
        tasks.release_successors(thread, task);
    }
    return tasks.program().finish_with_all_created();
}

// As before, with a semaphore that has a unit a processor: threads queue for it in the order of their
// arrival.
ThreadProgram thread_a_task_and_a_pool(TaskGraph const& graph, std::uint32_t processors) {
    TaskThreads tasks(graph, static_cast<std::uint32_t>(graph.tasks()) + 1);
    auto const pool = tasks.program().object(ObjectKind::semaphore, processors);
    for (std::uint32_t task = 0; task < graph.tasks(); ++task) {
        auto& thread = tasks.program().thread(task + 1);
        tasks.wait_for_predecessors(thread, task);
        thread.wait(pool);
        tasks.work(thread, task);
        tasks.release_successors(thread, task);
        thread.post(pool);
    }
    return tasks.program().finish_with_all_created();
}

// A thread a process, which runs its tasks in order.
ThreadProgram thread_a_process(TaskGraph const& graph, std::uint32_t processes) {
    TaskThreads tasks(graph, processes);
    for (std::uint32_t task = 0; task < graph.tasks(); ++task) {
        auto& thread = tasks.program().thread(graph.process[task] % processes);
        tasks.wait_for_predecessors(thread, task);
        tasks.work(thread, task);
        tasks.release_successors(thread, task);
    }
    return tasks.program().finish_with_all_created();
}

Machine linux_without_costs(std::uint32_t cpus) {
    auto machine = linux_machine(cpus);
    machine.costs = {};
    return machine;
}

double simulated_ns(ThreadProgram const& program, Machine const& machine) {
    auto const run = simulate::run(program, machine);
    EXPECT_TRUE(run.has_value()) << (run ? "" : run.error().message);
    EXPECT_FALSE(run && run->deadlock);
    return run ? static_cast<double>(run->accounts.completion.ns) : 0;
}

double modelled_ns(TaskGraph const& graph, std::uint32_t processors, model::Policy const& policy) {
    auto const execution = model::execute(graph, processors, policy);
    EXPECT_TRUE(execution.has_value()) << (execution ? "" : execution.error().message);
    return execution ? execution->time_ns : 0;
}

TaskGraph random_graph(std::uint64_t seed) {
    return RandomGraph{.seed = seed, .groups = static_cast<std::uint32_t>(5 + seed)}.make();
}

template <class Check>
void for_all_graphs(Check const& check_one) {
    for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
        for (std::uint32_t const processors : {1U, 2U, 3U, 5U}) {
            SCOPED_TRACE("seed " + std::to_string(seed) + " on " + std::to_string(processors));
            check_one(random_graph(seed), processors);
        }
    }
}

TEST(Conformance, FifoIsThreadsThatQueueForProcessors) {
    for_all_graphs([](TaskGraph const& graph, std::uint32_t processors) {
        auto const enough = static_cast<std::uint32_t>(graph.tasks()) + 1;
        EXPECT_EQ(simulated_ns(thread_a_task_and_a_pool(graph, processors), ideal_machine(enough)),
                  modelled_ns(graph, processors, model::Fifo{}));
    });
}

// The simulator rounds every completion up to a whole ns.
TEST(Conformance, ProcessorSharingIsTheIdealSchedulerWithAThreadATask) {
    for_all_graphs([](TaskGraph const& graph, std::uint32_t processors) {
        EXPECT_NEAR(simulated_ns(thread_a_task(graph), ideal_machine(processors)),
                    modelled_ns(graph, processors, model::ProcessorSharing{}),
                    static_cast<double>(graph.tasks()));
    });
}

TEST(Conformance, PinnedInOrderIsAThreadAProcess) {
    for_all_graphs([](TaskGraph graph, std::uint32_t processors) {
        for (std::uint32_t task = 0; task < graph.tasks(); ++task)
            graph.process.push_back(task * 7 % 11 % processors);
        auto const program = thread_a_process(graph, processors);
        auto const expected = modelled_ns(graph, processors, model::Explicit{model::Start::in_order});
        EXPECT_EQ(simulated_ns(program, ideal_machine(processors)), expected);
        EXPECT_EQ(simulated_ns(program, linux_without_costs(processors)), expected);
    });
}

}  // namespace
}  // namespace parcast
