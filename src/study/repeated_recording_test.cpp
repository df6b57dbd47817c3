#include "study/repeated_recording.h"

#include <gtest/gtest.h>

#include <vector>

namespace parcast::study {
namespace {

TEST(RepeatedRecording, KeepsTheOneThatOthersDisturbedLeast) {
    std::vector<Disturbance> const recordings{{0.4, 100e6}, {0.1, 120e6}, {0.1, 110e6}, {0.2, 90e6}};
    EXPECT_EQ(least_disturbed(recordings), 2u) << "by the others' share, then by its CPU time";
    EXPECT_EQ(least_disturbed(std::vector<Disturbance>{{1, 5}}), 0u);
}

TEST(RepeatedRecording, HowFarTheyDifferIsTheUncertaintyOfTheirPrice) {
    std::vector<Disturbance> const recordings{{0.4, 100e6}, {0.1, 120e6}, {0.1, 110e6}};
    EXPECT_DOUBLE_EQ(cost_uncertainty(recordings, 10e6).value(), 2.0);
    EXPECT_EQ(cost_uncertainty(std::span(recordings).first(1), 10e6), std::nullopt) << "of one nobody knows";
    EXPECT_EQ(cost_uncertainty(recordings, 0), std::nullopt) << "without events";
}

}  // namespace
}  // namespace parcast::study
