// The tables were computed twice by independent programs, one of them an event heap, from the definition of
// the model in Adve 1993.

#include "model/deterministic/deterministic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "model/bounds/parallelism_profile.h"
#include "support/graph_execution.h"
#include "support/graphs_in_ns.h"
#include "support/linear_contention.h"

namespace parcast::model {
namespace {

using testing::ElementsAre;

struct Row {
    char const* graph_name;
    TaskGraph (*graph)();
    char const* policy;
    std::vector<std::pair<std::uint32_t, double>> time_on;
};

Row const rows[] = {
    {"g1_fork_join", reference::g1_fork_join, "fifo", {{1, 30}, {2, 20}, {3, 16}, {4, 15}}},
    {"g1_fork_join", reference::g1_fork_join, "lpt", {{1, 30}, {2, 17}, {3, 12}, {4, 10}}},
    {"g1_fork_join", reference::g1_fork_join, "ps", {{1, 30}, {2, 17.5}, {3, 13.6666667}, {4, 12}}},
    {"g1_fork_join", reference::g1_fork_join, "block", {{1, 30}, {2, 18}, {3, 15}, {4, 12}}},
    {"g1_fork_join", reference::g1_fork_join, "batch:2", {{1, 30}, {2, 20}, {3, 15}, {4, 12}}},
    {"g1_fork_join", reference::g1_fork_join, "batch:3", {{1, 30}, {2, 18}, {3, 15}, {4, 15}}},
    {"g1_fork_join", reference::g1_fork_join, "ps:2", {{2, 20}}},
    {"g1_fork_join", reference::g1_fork_join, "ps:3", {{2, 19.5}}},
    {"g1_fork_join", reference::g1_fork_join, "ps:5", {{2, 19}}},
    {"g1_fork_join", reference::g1_fork_join, "ps:8", {{2, 17.5}}},

    {"g2_lpt_worst", reference::g2_lpt_worst, "fifo", {{1, 27}, {2, 15}, {3, 11}, {4, 8}}},
    {"g2_lpt_worst", reference::g2_lpt_worst, "lpt", {{1, 27}, {2, 15}, {3, 11}, {4, 8}}},
    {"g2_lpt_worst", reference::g2_lpt_worst, "ps", {{1, 27}, {2, 13.5}, {3, 9.33333333}, {4, 7.25}}},
    {"g2_lpt_worst", reference::g2_lpt_worst, "block", {{1, 27}, {2, 18}, {3, 14}, {4, 10}}},
    {"g2_lpt_worst", reference::g2_lpt_worst, "batch:2", {{1, 27}, {2, 14}, {3, 10}, {4, 10}}},
    {"g2_lpt_worst", reference::g2_lpt_worst, "batch:3", {{1, 27}, {2, 14}, {3, 14}, {4, 14}}},

    {"g3_graham", reference::g3_graham, "fifo", {{1, 34}, {2, 17}, {3, 12}, {4, 15}}},
    {"g3_graham", reference::g3_graham, "lpt", {{1, 34}, {2, 18}, {3, 12}, {4, 12}}},
    {"g3_graham", reference::g3_graham, "list", {{1, 34}, {2, 17}, {3, 12}, {4, 15}}},
    {"g3_graham", reference::g3_graham, "ps", {{1, 34}, {2, 20}, {3, 15.3333333}, {4, 13}}},

    {"g4_wavefront", reference::g4_wavefront, "fifo", {{1, 16}, {2, 9}, {3, 8}, {4, 7}}},
    {"g4_wavefront", reference::g4_wavefront, "lpt", {{1, 16}, {2, 9}, {3, 8}, {4, 7}}},
    {"g4_wavefront", reference::g4_wavefront, "list", {{1, 16}, {2, 9}, {3, 8}, {4, 7}}},
    {"g4_wavefront", reference::g4_wavefront, "ps", {{1, 16}, {2, 9}, {3, 7.33333333}, {4, 7}}},
    {"wavefront in rows", reference::wavefront_in_rows, "pinned", {{1, 16}, {2, 9}, {3, 8}, {4, 7}}},
    {"wavefront in rows", reference::wavefront_in_rows, "pinned-in-order", {{1, 16}, {2, 9}, {3, 8}, {4, 7}}},

    {"g5_not_series_parallel",
     reference::g5_not_series_parallel,
     "fifo",
     {{1, 14}, {2, 9.5}, {3, 9.5}, {4, 9.5}}},
    {"g5_not_series_parallel",
     reference::g5_not_series_parallel,
     "lpt",
     {{1, 14}, {2, 9.5}, {3, 9.5}, {4, 9.5}}},
    {"g5_not_series_parallel",
     reference::g5_not_series_parallel,
     "list",
     {{1, 14}, {2, 9.5}, {3, 9.5}, {4, 9.5}}},
    {"g5_not_series_parallel",
     reference::g5_not_series_parallel,
     "ps",
     {{1, 14}, {2, 9.5}, {3, 9.5}, {4, 9.5}}},

    {"g6_polyroots_tail",
     reference::g6_polyroots_tail,
     "fifo",
     {{1, 153.1}, {8, 31.4}, {14, 24.8}, {15, 23.3}, {24, 21.1}, {29, 20.5}, {30, 17.5}}},
    {"g6_polyroots_tail",
     reference::g6_polyroots_tail,
     "lpt",
     {{1, 153.1}, {8, 23.8}, {14, 17.5}, {15, 17.5}, {24, 17.5}, {29, 17.5}, {30, 17.5}}},
    {"g6_polyroots_tail",
     reference::g6_polyroots_tail,
     "ps",
     {{1, 153.1}, {8, 28.7125}, {14, 21.7857143}, {15, 21.2}, {24, 18.3125}, {29, 17.6034483}, {30, 17.5}}},
    {"g6_polyroots_tail",
     reference::g6_polyroots_tail,
     "block",
     {{1, 153.1}, {8, 33.4}, {14, 29.5}, {15, 29.5}, {24, 17.5}, {29, 17.5}, {30, 17.5}}},
    {"g6_polyroots_tail",
     reference::g6_polyroots_tail,
     "batch:2",
     {{1, 153.1}, {8, 38.8}, {14, 36.2}, {15, 29.5}, {24, 29.5}, {29, 29.5}, {30, 29.5}}},
    {"g6_polyroots_tail",
     reference::g6_polyroots_tail,
     "batch:3",
     {{1, 153.1}, {8, 45.4}, {14, 33.4}, {15, 33.4}, {24, 33.4}, {29, 33.4}, {30, 33.4}}},

    {"g7_two_phases", reference::g7_two_phases, "fifo", {{1, 36}, {2, 21}, {3, 16}, {4, 16}}},
    {"g7_two_phases", reference::g7_two_phases, "lpt", {{1, 36}, {2, 20}, {3, 16}, {4, 15}}},
    {"g7_two_phases", reference::g7_two_phases, "list", {{1, 36}, {2, 21}, {3, 16}, {4, 16}}},
    {"g7_two_phases", reference::g7_two_phases, "ps", {{1, 36}, {2, 22}, {3, 18}, {4, 16.5}}},

    {"g8_regions", reference::g8_regions, "fifo", {{1, 43}, {2, 23}, {3, 15}, {4, 13}}},
    {"g8_regions", reference::g8_regions, "lpt", {{1, 43}, {2, 22}, {3, 15}, {4, 12}}},
    {"g8_regions", reference::g8_regions, "ps", {{1, 43}, {2, 22.5}, {3, 16}, {4, 13.75}}},
    {"g8_regions", reference::g8_regions, "block", {{1, 43}, {2, 28}, {3, 26}, {4, 25}}},
    {"g8_regions", reference::g8_regions, "batch:2", {{1, 43}, {2, 24}, {3, 18}, {4, 18}}},
    {"g8_regions", reference::g8_regions, "batch:3", {{1, 43}, {2, 25}, {3, 25}, {4, 25}}},
    {"regions in queues", reference::regions_in_queues, "queues", {{2, 23}, {3, 17}, {4, 14}, {6, 10}}},
    {"regions in queues", reference::regions_in_queues, "pinned", {{3, 28}, {4, 28}, {6, 28}}},

    {"g9_split_loops", reference::g9_split_loops, "fifo", {{1, 33}, {2, 17}, {3, 13}, {4, 9}}},
    {"g9_split_loops", reference::g9_split_loops, "lpt", {{1, 33}, {2, 17}, {3, 12}, {4, 9}}},
    {"g9_split_loops", reference::g9_split_loops, "ps", {{1, 33}, {2, 17}, {3, 11.6666667}, {4, 9}}},
    {"g9_split_loops", reference::g9_split_loops, "block", {{1, 33}, {2, 21}, {3, 17}, {4, 12}}},
    {"g9_split_loops", reference::g9_split_loops, "batch:2", {{1, 33}, {2, 17}, {3, 15}, {4, 9}}},
    {"g9_split_loops", reference::g9_split_loops, "batch:3", {{1, 33}, {2, 19}, {3, 13}, {4, 12}}},
    {"split_loops", reference::split_loops, "split", {{1, 33}, {2, 19}, {3, 14}, {4, 10}}},

    {"g10_chain", reference::g10_chain, "fifo", {{1, 17}, {2, 12}, {3, 12}, {4, 12}}},
    {"g10_chain", reference::g10_chain, "lpt", {{1, 17}, {2, 12}, {3, 12}, {4, 12}}},
    {"g10_chain", reference::g10_chain, "list", {{1, 17}, {2, 12}, {3, 12}, {4, 12}}},
    {"g10_chain", reference::g10_chain, "ps", {{1, 17}, {2, 12}, {3, 12}, {4, 12}}},
};

constexpr double of_printed_digits = 1e-7;

TEST(Deterministic, TakesTheTimesOfTheTables) {
    for (auto const& row : rows) {
        for (auto const& [processors, time] : row.time_on) {
            SCOPED_TRACE(testing::Message()
                         << row.graph_name << " by " << row.policy << " on " << processors);
            auto const execution = must_execute(in_ns(row.graph()), processors, policy(row.policy));
            EXPECT_NEAR(execution.time_ns / unit_ns, time, of_printed_digits * time);
        }
    }
}

TEST(Schedule, SaysWhichProcessRunsWhichTaskWhen) {
    auto const execution =
        must_execute(in_ns(reference::g5_not_series_parallel()), 2, ready::Fifo{}, {.keep = Keep::schedule});
    auto const task = [](std::size_t number, std::uint32_t process, double ready, double start,
                         double finish) {
        return ScheduledTask{TaskId(number - 1), process,         ready * unit_ns,
                             start * unit_ns,    start * unit_ns, finish * unit_ns};
    };
    EXPECT_THAT(execution.schedule,
                ElementsAre(task(1, 0, 0, 0, 1), task(3, 1, 1, 1, 3), task(2, 0, 1, 1, 4),
                            task(5, 1, 4, 4, 6.5), task(4, 0, 4, 4, 8), task(6, 0, 8, 8, 9.5)));
}

TEST(Schedule, IsNotKeptUnlessAskedFor) {
    EXPECT_TRUE(must_execute(in_ns(reference::g1_fork_join()), 2, ready::Fifo{}).schedule.empty());
}

TEST(FullModel, WithoutDelaysIsTheBasicOne) {
    for (auto const& row : rows) {
        auto const graph = in_ns(row.graph());
        auto const law = linear_contention(graph, 0);
        for (auto const& [processors, time] : row.time_on) {
            auto const basic = must_execute(graph, processors, policy(row.policy));
            auto const full = must_execute(graph, processors, policy(row.policy), {.contention = &law});
            EXPECT_NEAR(full.time_ns, basic.time_ns, 1e-12 * basic.time_ns) << row.graph_name << row.policy;
        }
    }
}

// Processor sharing with a process a task: Tinf * sum of f_i * max(1, i / P).
TEST(ProcessorSharing, IsTheIntegralOfTheProfile) {
    for (auto const& row : rows) {
        auto const graph = in_ns(row.graph());
        auto const profile = profile_of(graph);
        for (std::uint32_t const processors : {1U, 2U, 3U, 5U}) {
            double expected = 0;
            for (auto const& level : profile.levels)
                expected += level.time_ns * std::max(1.0, static_cast<double>(level.tasks) / processors);
            EXPECT_NEAR(must_execute(graph, processors, ready::ProcessorSharing{}).time_ns, expected,
                        1e-12 * expected)
                << row.graph_name;
        }
    }
}

// A loop as one group, and as tasks that stand alone.
TEST(Groups, TakeTheTimeOfTheirTasks) {
    TaskGraphBuilder builder;
    double const times[] = {5000, 4000, 3000, 3000, 2000, 2000, 1000, 7000};
    auto const fork = builder.add_task(2000);
    auto const loop = builder.add_group(times);
    auto const join = builder.add_task(1000);
    builder.precede(fork, loop);
    builder.precede(loop, join);
    auto const grouped = std::move(builder).finish();
    for (auto const* one :
         {"fifo", "lpt", "list", "critical-path", "block", "cyclic", "batch:3", "guided", "ps"}) {
        for (std::uint32_t const processors : {1U, 2U, 3U, 4U}) {
            auto const together = must_execute(grouped, processors, policy(one));
            auto const alone = must_execute(in_ns(reference::g1_fork_join()), processors, policy(one));
            EXPECT_EQ(together.time_ns, alone.time_ns) << one << " on " << processors;
            EXPECT_EQ(together.lost, alone.lost) << one << " on " << processors;
            EXPECT_EQ(together.busy_for_ns, alone.busy_for_ns) << one << " on " << processors;
        }
    }
}

TEST(Execute, RefusesNoProcessors) {
    auto const result = execute(in_ns(reference::g1_fork_join()), 0, ready::Fifo{});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::out_of_range);
}

TEST(Execute, RefusesAPolicyThatTheGraphSaysTooLittleFor) {
    for (auto const* one : {"queues", "split", "pinned"}) {
        auto const result = execute(in_ns(reference::g1_fork_join()), 2, policy(one));
        ASSERT_FALSE(result.has_value()) << one;
        EXPECT_EQ(result.error().code, ErrorCode::inconsistent) << one;
    }
}

TEST(Execute, ManyMoreProcessorsThanTasksCostNothing) {
    for (auto const* one : {"fifo", "lpt", "critical-path", "ps"})
        EXPECT_EQ(must_execute(in_ns(reference::g1_fork_join()), 4'000'000'000, policy(one)).time_ns,
                  10 * unit_ns)
            << one;
}

}  // namespace
}  // namespace parcast::model
