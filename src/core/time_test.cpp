#include "core/time.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

namespace parcast {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) { a + b; };

TEST(Time, InstantsDoNotAddToEachOther) {
    static_assert(!Addable<Instant, Instant>);
    static_assert(Addable<Instant, Duration>);
    EXPECT_EQ(Instant{7} - Instant{3}, Duration{4});
    EXPECT_EQ(Instant{7} + Duration{3}, Instant{10});
}

struct RoundingCase {
    double real_ns;
    std::int64_t rounded_ns;
    char const* because;
};

class RoundsToNearest : public testing::TestWithParam<RoundingCase> {};

TEST_P(RoundsToNearest, Nanosecond) {
    auto const& example = GetParam();
    auto const rounded = round_to_duration(RealDuration{example.real_ns});
    ASSERT_TRUE(rounded.has_value()) << example.because;
    EXPECT_EQ(rounded->ns, example.rounded_ns) << example.because;
}

INSTANTIATE_TEST_SUITE_P(
    Time, RoundsToNearest,
    testing::Values(RoundingCase{0.0, 0, "zero stays zero"}, RoundingCase{0.5, 1, "halves go away from zero"},
                    RoundingCase{-0.5, -1, "also below zero"},
                    RoundingCase{1e9 + 0.49, 1'000'000'000, "large values keep their unit digit"},
                    RoundingCase{9e18, 9'000'000'000'000'000'000, "285 years still fit"}));

TEST(Time, RefusesWhatIsNoTime) {
    for (double const value : {std::nan(""), std::numeric_limits<double>::infinity(), 1e19, -1e19}) {
        auto const rounded = round_to_duration(RealDuration{value});
        ASSERT_FALSE(rounded.has_value()) << value;
        EXPECT_EQ(rounded.error().code, ErrorCode::out_of_range);
    }
}

TEST(Time, WideningAndRoundingBackIsIdentityForHundredDays) {
    constexpr std::int64_t hundred_days = 100LL * 86400 * 1'000'000'000;  // below 2^53 ns
    for (std::int64_t const ns : {std::int64_t{1}, std::int64_t{1'000'000'003}, hundred_days - 1})
        EXPECT_EQ(round_to_duration(to_real(Duration{ns}))->ns, ns);
}

}  // namespace
}  // namespace parcast
