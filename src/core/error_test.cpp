#include "core/error.h"

#include <gtest/gtest.h>

#include "core/result.h"

namespace parcast {
namespace {

struct PlaceCase {
    std::optional<SourcePosition> place;
    char const* text;
};

class DescribesPlace : public testing::TestWithParam<PlaceCase> {};

TEST_P(DescribesPlace, AsFarAsItIsKnown) {
    EXPECT_EQ(describe(Error{ErrorCode::malformed, "bad", GetParam().place}), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(Error, DescribesPlace,
                         testing::Values(PlaceCase{std::nullopt, "bad"},
                                         PlaceCase{SourcePosition{"a.toml", 3, 7, {}}, "a.toml:3:7: bad"},
                                         PlaceCase{SourcePosition{"a.toml", 3, {}, {}}, "a.toml:3: bad"},
                                         PlaceCase{SourcePosition{"a.parcast", {}, {}, 17},
                                                   "a.parcast, byte 17: bad"},
                                         PlaceCase{SourcePosition{"", {}, {}, 17}, "byte 17: bad"},
                                         PlaceCase{SourcePosition{"a.toml", {}, {}, {}}, "a.toml: bad"}));

Result<int> half(int number) {
    if (number % 2 != 0)
        return fail(ErrorCode::out_of_range, "odd");
    return number / 2;
}

Result<double> quarter(int number) {
    auto halved = half(number);
    if (!halved)
        return pass_on(halved);
    return *halved / 2.0;
}

TEST(Result, CarriesAValueOrAnErrorAcrossTypes) {
    EXPECT_EQ(quarter(6).value(), 1.5);
    ASSERT_FALSE(quarter(3).has_value());
    EXPECT_EQ(quarter(3).error().message, "odd");
}

}  // namespace
}  // namespace parcast
