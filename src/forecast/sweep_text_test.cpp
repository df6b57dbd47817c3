#include "forecast/sweep_text.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::forecast {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<double> values_of(char const* text) {
    auto const sweep = parse_sweep(text);
    EXPECT_TRUE(sweep.has_value()) << text << ": " << sweep.error().message;
    return sweep ? sweep->values : std::vector<double>{};
}

TEST(Sweep, TakesValuesInTheirOrder) {
    auto const sweep = parse_sweep("t_l=10,2.5,1e3");
    ASSERT_TRUE(sweep.has_value());
    EXPECT_EQ(*sweep, (Sweep{"t_l", {10, 2.5, 1000}, false}));
    EXPECT_THAT(values_of("x=-1,0"), ElementsAre(-1, 0));
}

TEST(Sweep, GoesThroughRangesByStepsOrCounts) {
    EXPECT_THAT(values_of("P=1..5"), ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(values_of("P=3..3"), ElementsAre(3)) << "a range of one";
    EXPECT_THAT(values_of("P=1..4.5"), ElementsAre(1, 2, 3, 4)) << "no step ends at 4.5";
    EXPECT_THAT(values_of("P=0..1:step=0.25"), ElementsAre(0, 0.25, 0.5, 0.75, 1));
    EXPECT_EQ(values_of("P=0..1:step=0.1").size(), 11u) << "0.1 ten times is not quite 1";
    EXPECT_THAT(values_of("P=1..2:points=3"), ElementsAre(1, 1.5, 2));
    EXPECT_THAT(values_of("P=1..3,16,32..33"), ElementsAre(1, 2, 3, 16, 32, 33));
}

TEST(Sweep, TakesRoundNumbersOfALogarithmicRange) {
    EXPECT_THAT(values_of("P=1..1000:log"), ElementsAre(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000));
    EXPECT_THAT(values_of("P=3..60:log"), ElementsAre(3, 5, 10, 20, 50, 60)) << "its ends are in it";
    EXPECT_THAT(values_of("t=0.001..0.01:log"), ElementsAre(0.001, 0.002, 0.005, 0.01));
    EXPECT_THAT(values_of("P=7..7:log"), ElementsAre(7));
    EXPECT_EQ(parse_sweep("cpu-speed=1..3")->values.size(), 3U);
    EXPECT_TRUE(parse_sweep("P=1..10:log")->is_logarithmic);
}

TEST(Sweep, OfTimesIsInNanoseconds) {
    auto const sweep = parse_sweep("L=500ns,5us,0");
    ASSERT_TRUE(sweep.has_value());
    EXPECT_EQ(*sweep, (Sweep{"L", {500, 5000, 0}, false, true}));
    EXPECT_THAT(values_of("node.G=1us..20us:log"), ElementsAre(1000, 2000, 5000, 10000, 20000));
    EXPECT_THAT(values_of("g=0..1us:step=500ns"), ElementsAre(0, 500, 1000));
    EXPECT_THAT(values_of("G=1ns..3ns:points=5"), ElementsAre(1, 1.5, 2, 2.5, 3));
    EXPECT_EQ(values_of("G=1ns..4ns:log=9").size(), 9u) << "nanoseconds need not be whole";
    EXPECT_FALSE(parse_sweep("S=8192,65536")->has_units);
}

TEST(Sweep, OfWholeNumbersStaysWholeWhereItGrowsByRatio) {
    EXPECT_THAT(values_of("P=1..64:log=7"), ElementsAre(1, 2, 4, 8, 16, 32, 64));
    EXPECT_THAT(values_of("P=1..4:log=9"), ElementsAre(1, 2, 3, 4)) << "without repetition";
    EXPECT_THAT(values_of("t=0.5..8:log=3"), ElementsAre(0.5, DoubleNear(2, 1e-15), 8));
}

struct BadSweep {
    char const* text;
    char const* message;
    char const* because;
};

TEST(Sweep, RefusesWhatIsNoSweepAndSaysWhy) {
    BadSweep const cases[] = {
        {"", "names no parameter", "empty"},
        {"P", "names no parameter", "no values"},
        {"=1", "names no parameter", "no name"},
        {"2P=1", "names no parameter", "not a name"},
        {"-P=1", "names no parameter", "not a name"},
        {"P=", "not a number", "no value"},
        {"P=1,,2", "not a number", "an empty part"},
        {"P=1..", "not a range", "no end"},
        {"P=..5", "not a range", "no start"},
        {"P=5..1", "falls", "the wrong way round"},
        {"P=1..5:cubic", "none of log", "an unknown way"},
        {"P=0..5:log", "above 0", "there is no logarithm of 0"},
        {"P=1..5:log=1", "from 2", "a range has two ends"},
        {"P=1..5:points=2.5", "from 2", "not whole"},
        {"P=1..5:step=0", "above 0", "endless"},
        {"P=1..5:step=-1", "above 0", "the wrong way"},
        {"P=inf", "not a number", "not finite"},
        {"P=nan", "not a number", "not a number"},
        {"P=1..1e12", "10000000", "no memory is taken for a huge range"},
        {"P=1..6e6,1..6e6", "10000000", "too many together"},
        {"P=1..2:points=1e12", "10000000", "too many points"},
        {"P=1..3:log=1e12", "10000000", "too many points"},
        {"L=1us,2", "with a unit and others without", "is that 2 us or 2 ns?"},
        {"L=1us..20us", "does not say its steps", "steps of 1 ns are not meant"},
        {"L=5hours", "not a number", "not a unit"},
    };
    for (auto const& row : cases) {
        auto const sweep = parse_sweep(row.text);
        ASSERT_FALSE(sweep.has_value()) << row.text << ": " << row.because;
        EXPECT_THAT(sweep.error().message, HasSubstr(row.message)) << row.text << ": " << row.because;
    }
}

}  // namespace
}  // namespace parcast::forecast
