#include "core/sample.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

TEST(Sample, IsMeanAndSampleDeviation) {
    Sample sample;
    for (double const value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0})
        sample.add(value);
    EXPECT_DOUBLE_EQ(sample.mean(), 5);
    EXPECT_DOUBLE_EQ(sample.variance(), 32.0 / 7);
    EXPECT_DOUBLE_EQ(sample.cv(), sample.deviation() / 5);
    EXPECT_DOUBLE_EQ(sample.sum(), 40);
}

TEST(Sample, OfLargeNumbersKeepsTheirDifferences) {
    Sample sample;
    for (double const value : {1e9 + 1, 1e9 + 2, 1e9 + 3})
        sample.add(value);
    EXPECT_DOUBLE_EQ(sample.variance(), 1);
}

TEST(Sample, InPartsIsTheSame) {
    Sample whole;
    Sample first;
    Sample second;
    for (int i = 0; i < 20; ++i) {
        double const value = i * i % 7 + 0.5 * i;
        whole.add(value);
        (i < 7 ? first : second).add(value);
    }
    first.add(second);
    first.add(Sample{});
    EXPECT_EQ(first.count(), whole.count());
    EXPECT_NEAR(first.mean(), whole.mean(), 1e-12);
    EXPECT_NEAR(first.variance(), whole.variance(), 1e-12);
}

TEST(Sample, OfLessThanTwoValuesDoesNotVary) {
    Sample sample;
    EXPECT_EQ(sample.cv(), 0);
    sample.add(3);
    EXPECT_EQ(sample.deviation(), 0);
}

}  // namespace
}  // namespace parcast
