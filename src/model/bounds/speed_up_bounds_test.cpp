#include "model/bounds/speed_up_bounds.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/reference_graphs.h"

namespace parcast::model {
namespace {

using namespace reference;

TEST(Bounds, LieAtMostAFactorOfTwoApart) {
    struct Row {
        double both, lower, geometric, geometric_error, harmonic, harmonic_error;
    };
    for (Row const& row : {Row{2, 1.33333333, 1.63299316, 0.224745, 1.6, 0.2},
                           Row{4, 2.28571429, 3.02371578, 0.322876, 2.90909091, 0.272727},
                           Row{16, 8.25806452, 11.4947393, 0.391941, 10.893617, 0.319149},
                           Row{64, 32.2519685, 45.4326533, 0.408678, 42.8900524, 0.329843},
                           Row{1024, 512.250122, 724.254185, 0.413868, 682.888961, 0.333116}}) {
        ProfileBounds bounds;
        bounds.lower = work_conserving_lower_bound(row.both, static_cast<std::uint32_t>(row.both));
        bounds.upper = row.both;
        EXPECT_NEAR(bounds.lower, row.lower, 1e-6);
        EXPECT_NEAR(bounds.middle(), row.harmonic, 1e-6);
        EXPECT_NEAR(bounds.middle() / bounds.lower - 1, row.harmonic_error, 1e-6);
        double const geometric = std::sqrt(bounds.lower * bounds.upper);
        EXPECT_NEAR(geometric, row.geometric, 1e-6);
        EXPECT_NEAR(geometric / bounds.lower - 1, row.geometric_error, 1e-6)
            << "41 %, not the 34 % of the thesis";
    }
}

struct ByNumbers {
    double average, most;
    std::uint32_t processors;
    double lower, upper, geometric, sharing;
};

class BoundsByNumbers : public testing::TestWithParam<ByNumbers> {};

INSTANTIATE_TEST_SUITE_P(Thesis, BoundsByNumbers,
                         testing::Values(ByNumbers{18.1, 30, 2, 1.89528796, 2, 1.94694014, 1.95566319},
                                         ByNumbers{18.1, 30, 8, 5.7689243, 8, 6.79348176, 6.90430779},
                                         ByNumbers{18.1, 30, 30, 11.5286624, 18.1, 14.4453726, 18.1},
                                         ByNumbers{18.1, 30, 64, 14.2836005, 18.1, 16.0789667, 18.1},
                                         ByNumbers{3407, 20480, 8, 7.98359695, 8, 7.99179427, 7.98632039},
                                         ByNumbers{3407, 20480, 16, 15.9298656, 16, 15.9648943, 15.9414874},
                                         ByNumbers{3407, 20480, 64, 62.8380403, 64, 63.4163589, 63.0283597},
                                         ByNumbers{726, 1274, 2, 1.99724897, 2, 1.99862401, 1.99881481},
                                         ByNumbers{726, 1274, 16, 15.6761134, 16, 15.8372287, 15.8589474},
                                         ByNumbers{726, 1274, 30, 28.8476821, 30, 29.4181995, 29.4928571},
                                         ByNumbers{21.4, 420, 2, 1.91071429, 2, 1.95484745, 1.91487635},
                                         ByNumbers{21.4, 420, 8, 6.02816901, 8, 6.94444757, 6.10138813},
                                         ByNumbers{21.4, 420, 30, 12.7380952, 21.4, 16.5104584, 13.1052324},
                                         ByNumbers{21.4, 420, 64, 16.2274882, 21.4, 18.6351347, 16.839476},
                                         ByNumbers{50.6, 500, 8, 7.02777778, 8, 7.49814792, 7.11370936},
                                         ByNumbers{50.6, 500, 16, 12.3414634, 16, 14.0521676, 12.6284885},
                                         ByNumbers{50.6, 500, 64, 28.5070423, 50.6, 37.9796832, 30.1701518},
                                         ByNumbers{4, 4, 2, 1.6, 2, 1.78885438, 2},
                                         ByNumbers{4, 4, 16, 3.36842105, 4, 3.67065174, 4},
                                         ByNumbers{4, 4, 30, 3.63636364, 4, 3.81385036, 4},
                                         ByNumbers{1, 1, 2, 1, 1, 1, 1}, ByNumbers{1, 1, 8, 1, 1, 1, 1},
                                         ByNumbers{1, 1, 30, 1, 1, 1, 1}, ByNumbers{1, 1, 64, 1, 1, 1, 1},
                                         ByNumbers{2.5, 10, 8, 2.10526316, 2.5, 2.29415734, 2.4},
                                         ByNumbers{2.5, 10, 16, 2.28571429, 2.5, 2.39045722, 2.5},
                                         ByNumbers{2.5, 10, 64, 2.44274809, 2.5, 2.47120825, 2.5}));

TEST_P(BoundsByNumbers, FollowFromAverageAndMaximumParallelism) {
    ByNumbers const& row = GetParam();
    double const lower = work_conserving_lower_bound(row.average, row.processors);
    EXPECT_NEAR(lower, row.lower, 1e-6);
    EXPECT_NEAR(std::sqrt(lower * row.upper), row.geometric, 1e-6);
    EXPECT_NEAR(sharing_lower_bound(row.average, row.most, row.processors), row.sharing, 1e-6);
}

struct ByGraph {
    char const* name;
    TaskGraph graph;
    std::uint32_t processors;
    double work, span, average;
    std::uint32_t most;
    double lower, sharing_lower, upper, estimate, sharing_exact, fifo;
};

TEST(Bounds, OfTheReferenceGraphs) {
    for (ByGraph const& row : {
             ByGraph{"G1", g1_fork_join(), 2, 30, 10, 3, 8, 1.5, 1.61538462, 2, 1.57894737, 1.71428571, 1.5},
             ByGraph{"G1", g1_fork_join(), 3, 30, 10, 3, 8, 1.8, 2.03225806, 3, 2, 2.19512195, 1.875},
             ByGraph{"G2", g2_lpt_worst(), 2, 27, 5, 5.4, 7, 1.6875, 1.90588235, 2, 1.8, 2, 1.8},
             ByGraph{"G2", g2_lpt_worst(), 3, 27, 5, 5.4, 7, 2.18918919, 2.73033708, 3, 2.25, 2.89285714,
                     2.45454545},
             ByGraph{"G3", g3_graham(), 2, 34, 12, 2.83333333, 5, 1.47826087, 1.67901235, 2, 1.54545455, 1.7,
                     2},
             ByGraph{"G3", g3_graham(), 3, 34, 12, 2.83333333, 5, 1.75862069, 2.17021277, 2.83333333,
                     1.88888889, 2.2173913, 2.83333333},
             ByGraph{"G4", g4_wavefront(), 2, 16, 7, 2.28571429, 4, 1.39130435, 1.6, 2, 1.6, 1.77777778,
                     1.77777778},
             ByGraph{"G4", g4_wavefront(), 3, 16, 7, 2.28571429, 4, 1.6, 2, 2.28571429, 2, 2.18181818, 2},
             ByGraph{"G5", g5_not_series_parallel(), 2, 14, 9.5, 1.47368421, 2, 1.19148936, 1.47368421,
                     1.47368421, 1.47368421, 1.47368421, 1.47368421},
             ByGraph{"G5", g5_not_series_parallel(), 3, 14, 9.5, 1.47368421, 2, 1.27272727, 1.47368421,
                     1.47368421, 1.47368421, 1.47368421, 1.47368421},
             ByGraph{"G6", g6_polyroots_tail(), 2, 153.1, 17.5, 8.74857143, 30, 1.79484174, 1.84542167, 2,
                     1.91375, 1.93064313, 1.89950372},
             ByGraph{"G6", g6_polyroots_tail(), 3, 153.1, 17.5, 8.74857143, 30, 2.44178628, 2.56953527, 3,
                     2.65337955, 2.69858989, 2.63058419},
             ByGraph{"G7", g7_two_phases(), 2, 36, 15, 2.4, 6, 1.41176471, 1.53846154, 2, 1.56521739,
                     1.63636364, 1.71428571},
             ByGraph{"G7", g7_two_phases(), 3, 36, 15, 2.4, 6, 1.63636364, 1.875, 2.4, 2, 2, 2.25},
             ByGraph{"G8", g8_regions(), 2, 43, 10, 4.3, 12, 1.62264151, 1.72, 2, 1.72, 1.91111111,
                     1.86956522},
             ByGraph{"G8", g8_regions(), 3, 43, 10, 4.3, 12, 2.04761905, 2.26315789, 3, 2.6875, 2.6875,
                     2.86666667},
             ByGraph{"G9", g9_split_loops(), 2, 33, 5, 6.6, 12, 1.73684211, 1.86153846, 2, 1.94117647,
                     1.94117647, 1.94117647},
             ByGraph{"G9", g9_split_loops(), 3, 33, 5, 6.6, 12, 2.30232558, 2.61151079, 3, 2.53846154,
                     2.82857143, 2.53846154},
             ByGraph{"G10", g10_chain(), 2, 17, 12, 1.41666667, 2, 1.17241379, 1.41666667, 1.41666667,
                     1.41666667, 1.41666667, 1.41666667},
             ByGraph{"G10", g10_chain(), 3, 17, 12, 1.41666667, 2, 1.24390244, 1.41666667, 1.41666667,
                     1.41666667, 1.41666667, 1.41666667},
         }) {
        auto const profile = profile_of(row.graph);
        auto const bounds = speed_up_bounds(profile, row.processors);
        EXPECT_NEAR(profile.work_ns, row.work, 1e-9) << row.name;
        EXPECT_NEAR(profile.span_ns, row.span, 1e-9) << row.name;
        EXPECT_NEAR(profile.average(), row.average, 1e-7) << row.name;
        EXPECT_EQ(profile.most(), row.most) << row.name;
        EXPECT_NEAR(bounds.lower, row.lower, 1e-7) << row.name << " on " << row.processors;
        EXPECT_NEAR(bounds.sharing.lower, row.sharing_lower, 1e-7) << row.name << " on " << row.processors;
        EXPECT_NEAR(bounds.upper, row.upper, 1e-7) << row.name << " on " << row.processors;
        EXPECT_NEAR(bounds.estimate, row.estimate, 1e-7) << row.name << " on " << row.processors;
        EXPECT_NEAR(bounds.sharing.exact, row.sharing_exact, 1e-7) << row.name << " on " << row.processors;
        // A FIFO queue is work-conserving, so that its speed-up, computed elsewhere, lies between the bounds.
        EXPECT_GE(row.fifo, bounds.lower - 1e-7) << row.name << " on " << row.processors;
        EXPECT_LE(row.fifo, bounds.upper + 1e-7) << row.name << " on " << row.processors;
    }
}

TEST(ParallelismProfile, IsTheTimeWithSoManyTasks) {
    auto const profile = profile_of(g1_fork_join());
    std::vector<std::pair<std::uint32_t, double>> levels;
    for (auto const& level : profile.levels)
        levels.emplace_back(level.tasks, level.time_ns);
    // fork 2 and join 1 alone; the eight tasks of 5 4 3 3 2 2 1 7 end one after another.
    EXPECT_THAT(levels, testing::ElementsAre(testing::Pair(1, testing::DoubleEq(5)), testing::Pair(2, 1),
                                             testing::Pair(3, 1), testing::Pair(5, 1), testing::Pair(7, 1),
                                             testing::Pair(8, 1)));
}

TEST(ParallelismProfile, AGroupIsAsManyTasks) {
    TaskGraphBuilder builder;
    auto const fork = builder.add_task(2);
    auto const loop = builder.add_group(std::vector<double>{5, 4, 3, 3, 2, 2, 1, 7});
    auto const join = builder.add_task(1);
    builder.precede(fork, loop);
    builder.precede(loop, join);
    auto const profile = profile_of(std::move(builder).finish());
    EXPECT_EQ(profile.most(), 8U);
    EXPECT_DOUBLE_EQ(profile.average(), 3);
}

// 0.1 + 0.2 is a little more than 0.3, where the two tasks after the other chain begin.
TEST(ParallelismProfile, RoundedInstantsDoNotOverlap) {
    auto const graph = graph_of({0.1, 0.2, 0.3, 1, 1}, {{0, 1}, {2, 3}, {2, 4}});
    EXPECT_EQ(profile_of(graph).most(), 2U);
}

TEST(ParallelismProfile, OfNoTimeIsSequential) {
    auto const profile = profile_of(independent({0, 0}));
    EXPECT_EQ(profile.average(), 1);
    EXPECT_EQ(profile.most(), 1U);
    EXPECT_EQ(speed_up_bounds(profile, 8).upper, 1);
}

}  // namespace
}  // namespace parcast::model
