#include "ensemble/sampler.h"

#include <gtest/gtest.h>
#include <cmath>
#include <vector>

#include "ensemble/sample_moments.h"

namespace parcast::ensemble {

namespace {

struct Case {
    char const* name;
    Moments moments;
};

class Draws : public testing::TestWithParam<Case> {};

TEST_P(Draws, HaveTheMomentsAskedFor) {
    auto const& moments = GetParam().moments;
    Sampler const sampler(moments);
    RandomStream random(3, 1);
    std::vector<double> values;
    for (int i = 0; i < 100'000; ++i)
        values.push_back(sampler.draw(random));
    auto const found = sample_moments(values);
    EXPECT_NEAR(found.moments.mean, moments.mean, 5 / 1.96 * found.mean.half_width());
    EXPECT_NEAR(found.moments.variance, moments.variance, 5 / 1.96 * found.variance.half_width());
    EXPECT_NEAR(found.moments.skewness, moments.skewness, 5 / 1.96 * found.skewness.half_width() + 1e-9);
    EXPECT_NEAR(found.moments.kurtosis, moments.kurtosis, 5 / 1.96 * found.kurtosis.half_width() + 1e-3);
}

// A draw of the greatest has the law of the greatest of as many draws.
TEST_P(Draws, OfTheGreatestAreTheGreatestOfDraws) {
    Sampler const sampler(GetParam().moments);
    RandomStream random(5, 1);
    std::vector<double> at_once, one_by_one;
    for (int i = 0; i < 20'000; ++i) {
        at_once.push_back(sampler.greatest(7, random));
        double greatest = sampler.draw(random);
        for (int more = 0; more < 6; ++more)
            greatest = std::max(greatest, sampler.draw(random));
        one_by_one.push_back(greatest);
    }
    auto const one = sample_moments(at_once);
    auto const other = sample_moments(one_by_one);
    EXPECT_NEAR(one.moments.mean, other.moments.mean,
                5 / 1.96 * std::hypot(one.mean.half_width(), other.mean.half_width()) + 1e-9);
    EXPECT_NEAR(one.moments.variance, other.moments.variance,
                5 / 1.96 * std::hypot(one.variance.half_width(), other.variance.half_width()) + 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Sampler, Draws,
                         testing::Values(Case{"constant", {4, 0, 0, 3}}, Case{"exponential", {2, 4, 2, 9}},
                                         Case{"shifted_exponential", {5, 4, 2, 9}},
                                         Case{"mirrored_exponential", {5, 4, -2, 9}},
                                         Case{"uniform", {3, 0.75, 0, 1.8}}, Case{"normal", {40, 64, 0, 3}},
                                         Case{"gamma", {1, 0.25, 1, 4.5}},
                                         Case{"two_points", {0.3, 0.21, 0.87287156, 1.76190476}}),
                         [](auto const& one) { return one.param.name; });

}  // namespace

}  // namespace parcast::ensemble
