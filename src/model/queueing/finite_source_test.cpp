#include "model/queueing/finite_source.h"

#include <limits>

#include <gtest/gtest.h>

namespace parcast::model {
namespace {

struct Case {
    FiniteSource queue;
    double throughput, at_servers, wait, blocked, wait_if_blocked;
    char const* because;
};

class FiniteSourceTable : public testing::TestWithParam<Case> {};

// X, L and W were computed by octave-queueing (qsmmmk with a finite source), the rest in closed form.
TEST_P(FiniteSourceTable, AgreesWithAnotherSolver) {
    auto const& row = GetParam();
    auto const solved = solve(row.queue);
    ASSERT_TRUE(solved);
    EXPECT_NEAR(solved->throughput, row.throughput, 1e-9 * row.throughput) << row.because;
    EXPECT_NEAR(solved->waiting_or_served, row.at_servers, 1e-8) << row.because;
    EXPECT_NEAR(solved->wait, row.wait, 1e-8 * (1 + row.wait)) << row.because;
    EXPECT_NEAR(solved->blocked, row.blocked, 1e-9) << row.because;
    EXPECT_NEAR(solved->wait_if_blocked, row.wait_if_blocked, 1e-7) << row.because;
}

INSTANTIATE_TEST_SUITE_P(
    Queues, FiniteSourceTable,
    testing::Values(
        Case{{3, 4, 100, 20},
             0.03332476215,
             0.667523785,
             0.0308641975,
             0.00462962963,
             6.66666667,
             "one customer more than servers: only the last can wait"},
        Case{{3, 8, 100, 20}, 0.0661752598, 1.38247402, 0.891100762, 0.102921449, 8.65806663, "eight"},
        Case{{3, 16, 100, 20},
             0.1227131663,
             3.72868337,
             10.385357,
             0.589098745,
             17.6292295,
             "near saturation, which is 3 / 20"},
        Case{{3, 16, 400, 20}, 0.03806983381, 0.772066475, 0.280269131, 0.0339580996, 8.25338091, "light"},
        Case{{3, 2, 100, 20}, 0.01666666667, 0.333333333, 0, 0, 0, "fewer customers than servers never wait"},
        Case{{1, 5, 10, 1}, 0.4360478231, 0.639521769, 0.466632178, 0.353336782, 1.32064422, "a lock"}));

TEST(FiniteSource, WithoutThinkingEverybodyIsAtTheServers) {
    auto const solved = solve({.servers = 2, .customers = 6, .think = 0, .service = 3});
    ASSERT_TRUE(solved);
    EXPECT_DOUBLE_EQ(solved->throughput, 2.0 / 3);
    EXPECT_DOUBLE_EQ(solved->wait, 6) << "four before it, of which two servers complete 2/3 a unit";
    EXPECT_DOUBLE_EQ(solved->blocked, 1);
}

TEST(FiniteSource, AMillionCustomersNeitherOverflowNorVanish) {
    auto const busy = solve({.servers = 1, .customers = 1'000'000, .think = 1, .service = 1e3});
    ASSERT_TRUE(busy);
    EXPECT_NEAR(busy->throughput, 1e-3, 1e-12) << "the server never rests";
    auto const idle = solve({.servers = 1, .customers = 1'000'000, .think = 1e12, .service = 1});
    ASSERT_TRUE(idle);
    EXPECT_NEAR(idle->wait, 1e-6, 1e-10) << "M/M/1 with an arrival in a million services";
}

TEST(FiniteSource, RefusesWhatIsNoQueue) {
    EXPECT_EQ(solve({.servers = 0, .customers = 1, .think = 1, .service = 1}).error().code,
              ErrorCode::out_of_range);
    EXPECT_FALSE(solve({.servers = 1, .customers = 0, .think = 1, .service = 1}));
    EXPECT_FALSE(solve({.servers = 1, .customers = 1, .think = 0, .service = 0}));
    EXPECT_FALSE(solve({.servers = 1, .customers = 1, .think = -1, .service = 2}));
    EXPECT_FALSE(solve(
        {.servers = 1, .customers = 1, .think = 1, .service = std::numeric_limits<double>::infinity()}));
}

}  // namespace
}  // namespace parcast::model
