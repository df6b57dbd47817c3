// The standard task graphs (Tobita and Kasahara 2002) with the lengths of their optimal schedules, which
// other programs found: tests/stg. One unit of time is 1 ns.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "import/readers.h"
#include "model/bounds/speed_up_bounds.h"
#include "model/deterministic/policies_for.h"
#include "support/graph_execution.h"

namespace parcast {
namespace {

using model::execute;
using model::policies_for;

struct Optimum {
    std::uint32_t processors = 0;
    double length_ns = 0;
};

struct StandardGraph {
    std::string name;
    TaskGraph graph;
    std::vector<Optimum> optima;
};

std::string text_of(std::string const& name) {
    std::ifstream file(std::string(PARCAST_STANDARD_GRAPHS) + "/" + name);
    EXPECT_TRUE(file.is_open()) << name;
    return {std::istreambuf_iterator<char>(file), {}};
}

// graph,processors,optimal_length
std::map<std::string, std::vector<Optimum>> read_optima() {
    std::map<std::string, std::vector<Optimum>> optima;
    std::istringstream lines(text_of("optimal.csv"));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::ranges::replace(line, ',', ' ');
        std::istringstream words(line);
        std::string name;
        Optimum optimum;
        words >> name >> optimum.processors >> optimum.length_ns;
        EXPECT_TRUE(words) << line;
        optima[name].push_back(optimum);
    }
    return optima;
}

std::vector<StandardGraph> const& standard_graphs() {
    static std::vector<StandardGraph> const graphs = [] {
        std::vector<StandardGraph> all;
        for (auto const& [name, optima] : read_optima()) {
            auto graph = task_graph_from_stg(text_of(name), name);
            EXPECT_TRUE(graph.has_value()) << (graph ? "" : describe(graph.error()));
            if (graph)
                all.push_back({name, std::move(*graph), optima});
        }
        return all;
    }();
    return graphs;
}

double time_ns(TaskGraph const& graph, std::uint32_t processors, ReadyPolicy const& policy) {
    auto const execution = execute(graph, processors, policy);
    EXPECT_TRUE(execution.has_value()) << (execution ? "" : execution.error().message);
    return execution ? execution->time_ns : 0;
}

TEST(StandardGraphs, AreAllThere) {
    EXPECT_EQ(standard_graphs().size(), 120U);
}

// Processor sharing divides tasks, so it may: the optima are of schedules that do not.
TEST(StandardGraphs, NoScheduleBeatsTheOptimum) {
    for (auto const& [name, graph, optima] : standard_graphs()) {
        for (auto const& [processors, length_ns] : optima) {
            for (auto const& policy : policies_for(graph)) {
                if (!std::holds_alternative<ready::ProcessorSharing>(policy)) {
                    EXPECT_GE(time_ns(graph, processors, policy), length_ns)
                        << name << " on " << processors << " by " << name_of(policy);
                }
            }
        }
    }
}

TEST(StandardGraphs, BoundsHold) {
    for (auto const& [name, graph, optima] : standard_graphs()) {
        auto const profile = model::profile_of(graph);
        double const work = work_ns(graph);
        EXPECT_EQ(profile.span_ns, span_ns(graph)) << name;
        for (auto const& [processors, length_ns] : optima) {
            EXPECT_GE(length_ns, std::max(work / processors, span_ns(graph))) << name;
            auto const bounds = model::speed_up_bounds(profile, processors);
            for (auto const& policy : policies_for(graph)) {
                double const speed_up = work / time_ns(graph, processors, policy);
                EXPECT_LE(speed_up, bounds.upper * (1 + 1e-12)) << name << " by " << name_of(policy);
                double const lower = is_work_conserving(policy) ? bounds.lower : 0;
                EXPECT_GE(speed_up, lower * (1 - 1e-12)) << name << " by " << name_of(policy);
            }
        }
    }
}

// The shares that docs/taskgraphs.md reports: 350 of 446 schedules are optimal, 0.997 of the speed of the
// optimum in the mean, 0.92 at least.
TEST(StandardGraphs, LongestWayFirstComesNearTheOptimum) {
    ReadyPolicy const longest_way = ready::ListOrder{ready::ListOrder::First::longest_path};
    int schedules = 0;
    int optimal = 0;
    double share = 0;
    double least = 1;
    for (auto const& [name, graph, optima] : standard_graphs()) {
        for (auto const& [processors, length_ns] : optima) {
            double const reached = length_ns / time_ns(graph, processors, longest_way);
            ++schedules;
            optimal += reached == 1 ? 1 : 0;
            share += reached;
            least = std::min(least, reached);
            EXPECT_GE(reached, 1 / (2 - 1.0 / processors)) << name << ": Graham's bound of any list schedule";
        }
    }
    RecordProperty("optimal", std::to_string(optimal) + " of " + std::to_string(schedules));
    RecordProperty("share", std::to_string(share / schedules) + ", least " + std::to_string(least));
    EXPECT_GE(share / schedules, 0.99);
}

}  // namespace
}  // namespace parcast
