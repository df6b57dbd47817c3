#include "model/comparators/markov_states.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/comparators/markov_chain.h"
#include "program/task_graph_builder.h"
#include "support/reference_graphs.h"

namespace parcast::model {
namespace {

using namespace reference;

TaskGraph eight_alike() {
    return independent(std::vector<double>(8, 1.0));
}

// n rows of n tasks, each after the one above it and the one to its left.
TaskGraph square(std::size_t n) {
    std::vector<Edge> edges;
    for (std::size_t task = 0; task < n * n; ++task) {
        if (task >= n)
            edges.push_back({task - n, task});
        if (task % n > 0)
            edges.push_back({task - 1, task});
    }
    return graph_of(std::vector<double>(n * n, 1.0), edges);
}

// Two loops one after the other, beside a task that neither waits for nor is waited for: no phases.
TaskGraph two_loops_beside_a_task(std::size_t first, std::size_t second) {
    TaskGraphBuilder builder;
    auto const before = builder.add_group(std::vector<double>(first, 1.0));
    auto const after = builder.add_group(std::vector<double>(second, 2.0));
    auto const end = builder.add_task(1);
    builder.add_task(3);
    builder.precede(before, after);
    builder.precede(after, end);
    return std::move(builder).finish();
}

// The same states found in the plainest way: sets of whole queues, one task after the other.
std::size_t states_of(TaskGraph const& graph, std::size_t processors) {
    struct State {
        std::set<std::size_t> running, done;
        std::vector<std::size_t> queue;
        auto operator<=>(State const&) const = default;
    };
    auto const group_of = group_of_each_task(graph);
    auto const is_ready = [&](std::size_t task, State const& state) {
        for (std::size_t other = 0; other < graph.tasks(); ++other) {
            auto const next = graph.successors_of(group_of[other]);
            if (std::ranges::find(next, group_of[task]) != next.end() && !state.done.contains(other))
                return false;
        }
        return true;
    };
    auto const settled = [&](State state) {
        for (std::size_t task = 0; task < graph.tasks(); ++task) {
            bool const is_new = !state.running.contains(task) && !state.done.contains(task) &&
                                std::ranges::find(state.queue, task) == state.queue.end();
            if (is_new && is_ready(task, state))
                state.queue.push_back(task);
        }
        while (state.running.size() < processors && !state.queue.empty()) {
            state.running.insert(state.queue.front());
            state.queue.erase(state.queue.begin());
        }
        return state;
    };
    std::set<State> known = {settled({})};
    std::vector<State> open(known.begin(), known.end());
    while (!open.empty()) {
        auto const state = open.back();
        open.pop_back();
        for (auto const task : state.running) {
            auto next = state;
            next.running.erase(task);
            next.done.insert(task);
            if (auto const [at, is_new] = known.insert(settled(std::move(next))); is_new)
                open.push_back(*at);
        }
    }
    return known.size() - 1;
}

TEST(MarkovSize, OfPhasesIsAFormula) {
    for (auto const& [processors, states] : {std::pair(2U, 36), {3U, 92}}) {
        auto const size = markov_size_by_formula(eight_alike(), processors);
        EXPECT_TRUE(size.is_exact);
        EXPECT_EQ(size.states, states);
        EXPECT_EQ(states_of(eight_alike(), processors), states);
    }
}

// A fork and a join that only tell where a loop begins and ends were counted as states.
TEST(MarkovSize, TasksOfNoTimeAreNoStates) {
    EXPECT_EQ(markov_size_by_formula(fork_join({0, 2, 3, 4, 0}), 2).states, 6);
    EXPECT_EQ(markov_chain(fork_join({0, 2, 3, 4, 0}), 2)->states, 6U);
}

// A graph without phases was refused with "more than 500000 states before 7 of 217 tasks are done".
TEST(MarkovSize, IsCountedWhereThereAreNoPhases) {
    for (auto const& graph :
         {g5_not_series_parallel(), square(3), square(4), two_loops_beside_a_task(5, 4)}) {
        for (std::uint32_t const processors : {1, 2, 3, 8}) {
            auto const size = markov_size(graph, processors);
            EXPECT_TRUE(size.is_exact);
            EXPECT_EQ(size.states, states_of(graph, processors)) << graph.tasks() << " on " << processors;
        }
    }
}

TEST(MarkovSize, ByFormulaIsNeverMoreThanThereAre) {
    for (auto const& graph : {g5_not_series_parallel(), square(4), two_loops_beside_a_task(6, 3),
                              two_loops_beside_a_task(2, 7), g10_chain()}) {
        for (std::uint32_t const processors : {1, 2, 3, 4, 8}) {
            auto const least = markov_size_by_formula(graph, processors);
            EXPECT_LE(least.states, states_of(graph, processors)) << graph.tasks() << " on " << processors;
        }
    }
    auto const loops = markov_size_by_formula(two_loops_beside_a_task(40, 50), 3);
    EXPECT_FALSE(loops.is_exact);
    // The first loop and the task wait for nothing; then the second loop, and the end.
    EXPECT_EQ(loops.states, (41 + 820 + 10'660) + (50 + 1225 + 19'600) + 1);
}

TEST(MarkovSize, BeyondWhatIsCountedThereAreAtLeastSoMany) {
    auto const many = markov_size(square(14), 14);
    EXPECT_FALSE(many.is_exact);
    EXPECT_GT(many.states, 500'000);
    auto const more = markov_size(two_loops_beside_a_task(1000, 10), 8);
    EXPECT_FALSE(more.is_exact);
    EXPECT_GT(more.states, 1e19) << "C(1001, 8), without counting";
}

TEST(MarkovStates, AreNumberedInTheirOrderAndOnce) {
    MarkovStates states;
    for (std::uint32_t task = 0; task < 1000; ++task)
        EXPECT_EQ(states.add({{task}, {task + 1, 1000}}), task);
    EXPECT_EQ(states.add({{7}, {8, 1000}}), 7U);
    EXPECT_EQ(states.add({{7, 8}, {1000, 1001}}), 1000U) << "what runs is told from what waits";
    MarkovState state;
    states.copy(7, state);
    EXPECT_EQ(state, (MarkovState{{7}, {8, 1000}}));
}

}  // namespace
}  // namespace parcast::model
