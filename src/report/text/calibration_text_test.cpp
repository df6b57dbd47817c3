#include "report/calibration.h"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/text.h"

namespace parcast::report {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

CalibrationAnswer small_answer() {
    CalibrationAnswer answer;
    answer.machine.calibration.emplace();
    answer.machine.calibration->host = "build7";
    answer.machine.calibration->processor = "Some CPU";
    answer.machine.costs = {.wake_up = {24'600}};
    answer.machine.rates.compute = {1, 0.985};
    answer.cpus = {0, 1};
    answer.wall = {20'100'000'000};
    answer.rounds = 40;
    answer.values = {{"lock_ns", "uncontended lock", "lock and unlock", false, {6.25, 6, 7, 100}},
                     {"wake_up_ns", "wake-up", "from the release", false, {24'600, 18'400, 30'200, 50}},
                     {"compute_rate_2", "speed of each of 2", "arithmetic", true, {0.985, 0.97, 1, 40}}};
    return answer;
}

TEST(CalibrationText, HasARowAQuantityWithItsSpreadAndMethod) {
    std::string const text = calibration_text(small_answer(), {});
    EXPECT_THAT(text, StartsWith("build7 (Some CPU): 2 CPUs in 20.1 s, 40 rounds\n"));
    EXPECT_THAT(text, HasSubstr("6.25 ns  6.00 ns - 7.00 ns"));
    EXPECT_THAT(text, HasSubstr("24.6 µs  18.4 µs - 30.2 µs       50  from the release"));
    EXPECT_THAT(text, HasSubstr("0.985      0.970 - 1.000"));
    EXPECT_THAT(text, HasSubstr("wake_up_ns = 24600, "));
    EXPECT_THAT(text, HasSubstr(", compute = [1, 0.985]."));
    EXPECT_THAT(text, Not(HasSubstr("memory")));
}

TEST(CalibrationText, WhatDisturbedTheMeasurementComesFirst) {
    auto answer = small_answer();
    answer.disturbed_rounds = 3;
    answer.machine.calibration->notes = {"others used 12 % of the CPUs."};
    std::string const text = calibration_text(answer, {});
    EXPECT_THAT(text, StartsWith("Note: others used 12 % of the CPUs.\n"));
    EXPECT_THAT(text, HasSubstr("40 rounds, 3 more left out because others ran"));
}

// A switch took "-1.04 ms - 770 ns", in lines of 140 columns.
TEST(CalibrationText, ADifferenceBelowZeroIsTooNoisyAndNoLineIsTooLong) {
    auto answer = small_answer();
    answer.values = {{"context_switch_ns",
                      "context switch",
                      "two threads that yield to each other on one CPU, less the call of sched_yield",
                      false,
                      {751, -1'040'000, 770, 24}}};
    std::string const text = calibration_text(answer, {});
    EXPECT_THAT(text, HasSubstr("751 ns  too noisy"));
    EXPECT_THAT(text,
                HasSubstr("two threads that yield to each other on one CPU, less the call of sched_yield"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(display_width(line), Layout{}.width) << line;
}

}  // namespace
}  // namespace parcast::report
