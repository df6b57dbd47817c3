#include "forecast/model_at_point.h"

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "pamela/compile.h"

namespace parcast::forecast {
namespace {

constexpr std::array levels = {0.1, 1.0, 50.0, 99.0, 99.99};

std::vector<double> quantiles_of(std::string const& text) {
    auto compiled = pamela::compile(text, "model.pam", {}, [](std::string_view) -> Result<std::string> {
        return fail(ErrorCode::not_found, "no file");
    });
    EXPECT_TRUE(compiled.succeeded()) << pamela::describe(compiled.diagnostics, text);
    auto const formula = ModelFormula::of(compiled.model, {"main", {}, false});
    EXPECT_TRUE(formula.has_value()) << (formula ? "" : formula.error().message);
    auto const found = point_with_spread(*formula, {}, levels, WithBand::no);
    EXPECT_TRUE(found.has_value()) << (found ? "" : found.error().message);
    return found->quantiles;
}

struct BoundsCase {
    char const* process;
    double low, high;
    char const* what;
};

class QuantilesOfAProcess : public testing::TestWithParam<BoundsCase> {};

// The fitted law went beyond: 4.344 of at most 4, 8.339 of 8, 1.049 of 1, and 4.99887 of at least 5.
TEST_P(QuantilesOfAProcess, LieWithinWhatItsPartsCanBe) {
    auto const& [process, low, high, what] = GetParam();
    auto const quantiles = quantiles_of(std::string("process main = ") + process);
    ASSERT_EQ(quantiles.size(), levels.size()) << what;
    double before = low;
    for (double const each : quantiles) {
        EXPECT_GE(each, before) << what;
        EXPECT_LE(each, high) << what;
        before = each;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Each, QuantilesOfAProcess,
    testing::Values(
        BoundsCase{"delay(uniform(0, 4)) || delay(uniform(1, 3))", 1, 4, "unlike uniform times"},
        BoundsCase{"delay(uniform(0, 4)); delay(uniform(0, 4))", 0, 8, "a sum of two"},
        BoundsCase{"seq (i = 1, 3) delay(uniform(1, 2))", 3, 6, "a loop"},
        BoundsCase{"delay(5) || delay(exponential(1))", 5, 1e9, "one that is no less than 5"},
        BoundsCase{"par (p = 1, 2) delay(moments(0.5, 0.05, 0, 2.142857142857143))", 0, 1, "beta(2, 2)"},
        BoundsCase{"delay(moments(0.7142857142857143, 0.025510204081632654, -0.596284793999944, 2.88))", 0, 1,
                   "beta(5, 2)"}));

// P(X <= x) = 1 - e^-1.5x (1 + 1.5 x + (1.5 x)^2 / 2). The lambda law had 4.4e-16 for the first one.
TEST(QuantilesOfATime, OfASingleErlangTimeAreExact) {
    auto const quantiles = quantiles_of("process main = delay(erlang(3, 2))");
    ASSERT_EQ(quantiles.size(), levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        double const x = 1.5 * quantiles[i];
        EXPECT_NEAR(-std::expm1(-x + std::log(1 + x + x * x / 2)), levels[i] / 100, 1e-9);
    }
}

// F^50.
TEST(QuantilesOfATime, OfTheGreatestOfAlikeTimesAreExact) {
    auto const quantiles = quantiles_of("process main = par (p = 1, 50) delay(erlang(3, 2))");
    ASSERT_EQ(quantiles.size(), levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        double const x = 1.5 * quantiles[i];
        double const one = -std::expm1(-x + std::log(1 + x + x * x / 2));
        EXPECT_NEAR(std::pow(one, 50), levels[i] / 100, 1e-8);
    }
}

}  // namespace
}  // namespace parcast::forecast
