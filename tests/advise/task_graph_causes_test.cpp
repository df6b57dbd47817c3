// Weights of tasks, against their definition: shorten a task a little, and see what the completion does.

#include "analysis/task_graph_causes.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "analysis/extended_critical_path.h"
#include "program/task_graph_builder.h"

namespace parcast {
namespace {

// Integrates max(n, P) / P over a run with a processor for every task, ns.
double completion_ns(TaskGraph const& graph, double cpus) {
    std::vector<double> opens(graph.groups(), 0);
    std::map<double, double> change;
    for (auto const group : topological_order(graph)) {
        double done = opens[group.index()];
        for (double const ns : graph.times_of(group)) {
            change[opens[group.index()]] += 1;
            change[opens[group.index()] + ns] -= 1;
            done = std::max(done, opens[group.index()] + ns);
        }
        for (auto const successor : graph.successors_of(group))
            opens[successor.index()] = std::max(opens[successor.index()], done);
    }
    double total = 0;
    double running = 0;
    double before = 0;
    for (auto const& [when, by] : change) {
        total += (when - before) * std::max(running / cpus, 1.0);
        running += by;
        before = when;
    }
    return total;
}

// Times are whole thousands of ns: shortening by 1 keeps what is longest the longest.
TaskGraph random_graph(std::mt19937_64& random) {
    TaskGraphBuilder builder;
    std::vector<TaskGroupId> groups;
    for (int number = 0; number < 12; ++number) {
        std::vector<double> times(1 + random() % 4);
        for (double& time : times)
            time = 1000.0 * static_cast<double>(random() % 6);
        groups.push_back(builder.add_group(times));
        for (int earlier = 0; earlier < number; ++earlier)
            if (random() % 4 == 0)
                builder.precede(groups[static_cast<std::size_t>(earlier)], groups.back());
    }
    return std::move(builder).finish();
}

TEST(TaskGraphCauses, WeightIsWhatShorteningATaskALittleBrings) {
    std::mt19937_64 random(1993);
    int negative = 0;
    for (int i = 0; i < 200; ++i) {
        auto graph = random_graph(random);
        auto const [causes, end_of, units_per_ns] = analysis::causes_of(graph);
        analysis::ExtendedCriticalPath const path(causes);
        for (std::uint32_t const cpus : {1U, 2U, 3U, 5U}) {
            auto const weighted = path.on(cpus);
            double const whole = completion_ns(graph, cpus);
            ASSERT_NEAR(static_cast<double>(weighted.completion_times_cpus) / cpus / units_per_ns, whole,
                        1e-6);
            for (std::size_t task = 0; task < graph.tasks(); ++task) {
                if (graph.cpu_ns[task] == 0)
                    continue;
                graph.cpu_ns[task] -= 1;
                double const gained = whole - completion_ns(graph, cpus);
                graph.cpu_ns[task] += 1;
                ASSERT_NEAR(static_cast<double>(weighted.weight_times_cpus[end_of[task]]) / cpus, gained,
                            1e-6)
                    << "graph " << i << ", " << cpus << " CPUs, task " << task;
                negative += gained < 0;
            }
        }
    }
    EXPECT_GT(negative, 0);
}

TEST(TaskGraphCauses, DecimalTimesThatAreEqualEndTogether) {
    // 0.1 + 0.2 beside 0.3: no floating point decides which of them is longer.
    TaskGraphBuilder builder;
    auto const first = builder.add_task(0.1);
    builder.precede(first, builder.add_task(0.2));
    builder.add_task(0.3);
    auto const graph = std::move(builder).finish();
    auto const [causes, end_of, units_per_ns] = analysis::causes_of(graph);
    EXPECT_EQ(causes.when(end_of[1]), causes.when(end_of[2]));
}

}  // namespace
}  // namespace parcast
