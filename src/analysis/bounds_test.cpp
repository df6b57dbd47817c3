#include "analysis/bounds.h"

#include <array>

#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

struct Case {
    std::int64_t one;
    std::int64_t work;
    Span span;
    std::uint32_t cpus;
    double lower;
    double upper;
    char const* because;
};

class Bounds : public testing::TestWithParam<Case> {};

TEST_P(Bounds, FollowGrahamAndBrent) {
    Case const& c = GetParam();
    SpeedUpBounds const bounds = speed_up_bounds(Duration{c.one}, Duration{c.work}, c.span, c.cpus);
    EXPECT_NEAR(bounds.lower, c.lower, 1e-12) << c.because;
    EXPECT_NEAR(bounds.upper, c.upper, 1e-12) << c.because;
}

constexpr Span ten{Duration{10}, Duration{10}};

INSTANTIATE_TEST_SUITE_P(
    SpeedUp, Bounds,
    testing::Values(Case{100, 100, ten, 1, 1, 1, "one processor is the unit"},
                    Case{100, 100, ten, 2, 100 / 55.0, 2, "work bounds: (100-10)/2 + 10 = 55"},
                    Case{100, 100, ten, 10, 100 / 19.0, 10, "work and span meet: 9 + 10 = 19"},
                    Case{100, 100, ten, 1'000, 100 / 10.09, 10, "the span bounds"},
                    Case{50, 50, {Duration{50}, Duration{50}}, 8, 1, 1, "a chain does not scale"},
                    Case{10,
                         10,
                         {Duration{10}, Duration{0}},
                         2,
                         1,
                         1,
                         "input overlapped with all the work: the lower bound is no slow-down"},
                    Case{0, 0, {}, 8, 1, 1, "nothing to do"},
                    Case{60, 40, {Duration{15}, Duration{15}}, 2, 2, 2, "two are no more than twice one"}));

// On a machine with rates 1 and 0.6 a speed-up of 1.16 stood beside bounds of 1.54 and 2.00.
TEST(Bounds, KnowThatBusyProcessorsSlowEachOtherDown) {
    std::array const speeds{1.0, 0.6};
    SpeedUpBounds const two = speed_up_bounds(Duration{100}, Duration{100}, ten, 2, speeds);
    EXPECT_NEAR(two.upper, 1.2, 1e-12) << "twice 0.6";
    EXPECT_NEAR(two.lower, 0.6 * 100 / 55.0, 1e-12) << "work bounds: 55 at a speed of 0.6";
    SpeedUpBounds const four = speed_up_bounds(Duration{100}, Duration{100}, ten, 4, speeds);
    EXPECT_NEAR(four.upper, 2.4, 1e-12) << "the last speed holds for more";
}

TEST(Bounds, AProgramMayDoBestOnFewerProcessorsThanThereAre) {
    std::array const speeds{1.0, 0.9, 0.4};
    SpeedUpBounds const three =
        speed_up_bounds(Duration{100}, Duration{100}, {Duration{1}, Duration{1}}, 3, speeds);
    EXPECT_NEAR(three.upper, 1.8, 1e-12) << "two at 0.9 do more than three at 0.4";
    EXPECT_NEAR(speed_up_bounds(Duration{50}, Duration{50}, {Duration{50}, Duration{50}}, 3, speeds).lower,
                0.4, 1e-12)
        << "a chain beside busy processors";
}

TEST(Bounds, GrowWithTheProcessors) {
    SpeedUpBounds last;
    for (std::uint32_t cpus = 1; cpus <= 128; ++cpus) {
        SpeedUpBounds const next =
            speed_up_bounds(Duration{1'003}, Duration{1'000}, {Duration{41}, Duration{37}}, cpus);
        EXPECT_GE(next.lower, last.lower) << cpus;
        EXPECT_GE(next.upper, last.upper) << cpus;
        EXPECT_LE(next.lower, next.upper) << cpus;
        last = next;
    }
}

}  // namespace
}  // namespace parcast::analysis
