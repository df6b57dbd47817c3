#include "model/comparators/kruskal_weiss.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/linear_contention.h"
#include "support/reference_graphs.h"

namespace parcast::model {
namespace {

using namespace reference;

// Mean of the true completion time: simulated 10^4 to 10^6 times by another program, standard error below
// 0.05 % but for the row of 1024 tasks in a batch.
TEST(KruskalWeiss, IsSomePerCentFromTheTrueMean) {
    struct Row {
        double deviation, tasks, processors;
        std::uint32_t batch;
        double simulated, estimate, error_percent;
    };
    for (Row const& row : {
             Row{1, 1000, 10, 1, 101.92133, 102.14597, 0.22},
             Row{1, 1000, 10, 10, 106.69808, 106.78614, 0.08},
             Row{1, 4096, 64, 1, 67.72955, 66.88405, -1.25},
             Row{1, 4096, 64, 8, 73.00474, 72.15734, -1.16},
             Row{1, 16384, 16, 1024, 1081.23092, 1099.35424, 1.68},
             Row{1, 128, 4, 32, 37.99465, 41.41928, 9.01},
             Row{1 / std::sqrt(3.0), 1000, 10, 1, 100.83061, 101.23897, 0.41},
             Row{1 / std::sqrt(3.0), 1000, 10, 10, 105.30702, 103.91798, -1.32},
             Row{1 / std::sqrt(3.0), 4096, 64, 1, 65.13899, 65.66511, 0.81},
             Row{1 / std::sqrt(3.0), 4096, 64, 8, 69.96048, 68.70964, -1.79},
             Row{1 / std::sqrt(3.0), 16384, 16, 1024, 1056.65358, 1067.50579, 1.03},
             Row{1 / std::sqrt(3.0), 128, 4, 32, 35.35690, 37.43822, 5.89},
             Row{0.5, 1000, 10, 1, 100.90577, 101.07298, 0.17},
             Row{0.5, 1000, 10, 10, 105.15684, 103.39307, -1.68},
             Row{0.5, 4096, 64, 1, 65.54632, 65.44203, -0.16},
             Row{0.5, 4096, 64, 8, 69.82286, 68.07867, -2.50},
             Row{0.5, 16384, 16, 1024, 1052.76784, 1061.67712, 0.85},
             Row{0.5, 128, 4, 32, 34.96485, 36.70964, 4.99},
             Row{0.1, 1000, 10, 1, 100.48119, 100.21460, -0.27},
             Row{0.1, 1000, 10, 10, 101.54124, 100.67861, -0.85},
             Row{0.1, 4096, 64, 1, 64.59250, 64.28841, -0.47},
             Row{0.1, 4096, 64, 8, 65.88090, 64.81573, -1.62},
             Row{0.1, 16384, 16, 1024, 1029.57473, 1031.53542, 0.19},
             Row{0.1, 128, 4, 32, 32.57781, 32.94193, 1.12},
         }) {
        double const estimate =
            kruskal_weiss(row.tasks, row.processors, 1, row.deviation, {Batches::Kind::fixed, row.batch, 0});
        EXPECT_NEAR(estimate, row.estimate, 6e-6) << row.tasks << " tasks, batch " << row.batch;
        EXPECT_NEAR(100 * (estimate / row.simulated - 1), row.error_percent, 0.01) << row.tasks << " tasks";
    }
}

// Exponential tasks one by one have a closed form: mu [(N - P) / P + H_P].
TEST(KruskalWeiss, OfExponentialTasksOneByOne) {
    struct Row {
        double tasks, processors, exact, estimate;
    };
    for (Row const& row : {Row{8, 2, 4.5, 5.177410023}, Row{8, 3, 3.5, 4.148970474},
                           Row{100, 4, 26.08333333, 26.66510922}, Row{1000, 10, 101.9289683, 102.145966},
                           Row{4096, 64, 67.7438909, 66.88405377}, Row{10000, 16, 627.380729, 627.35482}}) {
        double const estimate = kruskal_weiss(row.tasks, row.processors, 1, 1);
        EXPECT_NEAR(estimate, row.estimate, 1e-7);
        double harmonic = 0;
        for (double i = 1; i <= row.processors; ++i)
            harmonic += 1 / i;
        EXPECT_NEAR((row.tasks - row.processors) / row.processors + harmonic, row.exact, 1e-6);
        EXPECT_NEAR(estimate / row.exact, 1, 0.2);
    }
}

TEST(KruskalWeiss, EachBatchPaysItsOverhead) {
    Batches const batches{Batches::Kind::fixed, 5, 2};
    EXPECT_DOUBLE_EQ(kruskal_weiss(100, 4, 1, 0, batches), 25 + 25 / 5 * 2);
    Batches const even{Batches::Kind::even_share, 1, 2};
    EXPECT_DOUBLE_EQ(kruskal_weiss(100, 4, 1, 0, even), 25 + 2) << "static: one batch for each";
}

TEST(KruskalWeiss, FewerTasksThanProcessorsUseAsManyProcessors) {
    EXPECT_DOUBLE_EQ(kruskal_weiss(1, 8, 3, 3), 3) << "one task takes its mean";
    EXPECT_DOUBLE_EQ(kruskal_weiss(2, 8, 3, 3), kruskal_weiss(2, 2, 3, 3));
}

TEST(KruskalWeiss, AddsThePhasesOfAGraph) {
    auto const graph = g7_two_phases();
    auto const actual = kruskal_weiss(graph, 3, Deviation::actual);
    ASSERT_TRUE(actual);
    // 6, 2, 2, 2, 2, 2 and 1, 1, 1, 5, 5, 3 between single tasks of 1, 1 and 2.
    double const first =
        std::sqrt(((6 - 16.0 / 6) * (6 - 16.0 / 6) + 5 * (2 - 16.0 / 6) * (2 - 16.0 / 6)) / 5);
    double const second = std::sqrt((3 * (1 - 16.0 / 6) * (1 - 16.0 / 6) +
                                     2 * (5 - 16.0 / 6) * (5 - 16.0 / 6) + (3 - 16.0 / 6) * (3 - 16.0 / 6)) /
                                    5);
    EXPECT_NEAR(*actual, 4 + kruskal_weiss(6, 3, 16.0 / 6, first) + kruskal_weiss(6, 3, 16.0 / 6, second),
                1e-12);
    auto const exponential = kruskal_weiss(graph, 3, Deviation::exponential);
    ASSERT_TRUE(exponential);
    EXPECT_NEAR(*exponential, 4 + 2 * kruskal_weiss(6, 3, 16.0 / 6, 16.0 / 6), 1e-12);
}

TEST(KruskalWeiss, TasksAreLongerUnderContention) {
    auto const law = linear_contention(g1_fork_join(), 0.5);
    auto const estimate = kruskal_weiss(independent({2, 2, 2, 2}), 2, Deviation::actual, {}, &law);
    ASSERT_TRUE(estimate);
    EXPECT_DOUBLE_EQ(*estimate, 2 * 3) << "two at once, each half as long again";
}

TEST(KruskalWeiss, RefusesAGraphThatHasNoPhases) {
    auto const refused = kruskal_weiss(g5_not_series_parallel(), 2, Deviation::actual);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_EQ(refused.error().message, "not a sequence of parallel phases: task 3 does not wait for task 2");
}

}  // namespace
}  // namespace parcast::model
