// Equations 3.37 to 3.39 and the means over threads, against the reference values of the sheet.

#include "model/events_threads/dynamic_formulas.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "model/events_threads/over_threads.h"

namespace parcast::model {
namespace {

struct Row {
    double events, active, suspended, threads;
    double gamma, eta, approximate_eta, time, approximate_time, bound;
};

class DynamicTable : public testing::TestWithParam<Row> {};

TEST_P(DynamicTable, is_reproduced) {
    auto const& row = GetParam();
    auto const found = dynamic_formulas({row.events, row.active, row.suspended}, row.threads);
    EXPECT_NEAR(*found.gamma, row.gamma, 1e-9);
    EXPECT_NEAR(found.eta, row.eta, 1e-9);
    EXPECT_NEAR(*found.approximate_eta, row.approximate_eta, 1e-9);
    EXPECT_NEAR(found.time, row.time, 1e-9);
    EXPECT_NEAR(found.approximate_time, row.approximate_time, 1e-9);
    EXPECT_NEAR(found.speed_up_bound, row.bound, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(
    TheSheet, DynamicTable,
    testing::Values(Row{11, 2, 0.5, 8, 0.25, 0.784313725, 0.8, 25.5, 27.5, 6.2745098},
                    Row{101, 1, 0.25, 16, 0.25, 0.798403194, 0.8, 125.25, 126.25, 12.7744511},
                    Row{2, 10, 1, 4, 0.1, 0.833333333, 0.909090909, 12, 22, 3.33333333},
                    Row{501, 0.05, 0.2, 64, 4, 0.199680511, 0.2, 125.2, 125.25, 12.7795527}));

// The worked trace of the sheet: three threads with four events each, 20 long.
TEST(DynamicFormulas, of_the_worked_trace) {
    auto const found = dynamic_formulas({4, 37.5 / 9, 22.5 / 12}, 3);
    EXPECT_NEAR(*found.gamma, 0.45, 1e-12);
    EXPECT_NEAR(found.eta, 0.625, 1e-12);
    EXPECT_NEAR(*found.approximate_eta, 0.689655172, 1e-9);
    EXPECT_NEAR(found.time, 20, 1e-12);
    EXPECT_NEAR(found.speed_up_bound, 1.875, 1e-12);

    auto const parts = speed_up_parts(3, 2.375, 47.5, 37.5);
    EXPECT_NEAR(parts.a, 0.791666667, 1e-9);
    EXPECT_NEAR(parts.b, 0.422222222, 1e-9);
    EXPECT_NEAR(parts.speed_up, 1.875, 1e-12);
}

TEST(DynamicFormulas, a_thread_that_never_works_is_never_active) {
    auto const found = dynamic_formulas({1, 0, 5}, 1);
    EXPECT_FALSE(found.gamma);
    EXPECT_EQ(found.eta, 0);
    EXPECT_EQ(found.time, 5);
    EXPECT_EQ(dynamic_formulas({1, 0, 0}, 1).eta, 0);  // no life at all
}

// Deviation sqrt(10/3). Student's 0.975 quantile with 3 degrees of freedom is 3.18245.
TEST(OverThreadsTest, has_students_interval) {
    std::vector<double> const values{3, 4, 6, 7};
    auto const over = over_threads(values);
    EXPECT_EQ(over.mean, 5);
    EXPECT_EQ(over.least, 3);
    EXPECT_EQ(over.most, 7);
    EXPECT_NEAR(*over.ci95, 3.182446305 * std::sqrt(10.0 / 3) / 2, 1e-8);
}

TEST(OverThreadsTest, of_one_value_there_is_no_interval) {
    EXPECT_FALSE(over_threads(std::vector{4.0}).ci95);
    EXPECT_EQ(over_threads({}).count, 0);
}

}  // namespace
}  // namespace parcast::model
