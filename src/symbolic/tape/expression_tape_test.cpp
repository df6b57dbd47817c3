#include "symbolic/tape/expression_tape.h"

#include "stochastic/maximum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace parcast::symbolic {
namespace {

using testing::HasSubstr;
using enum ExpressionKind;

class ATape : public testing::Test {
protected:
    Expression number(double value) { return pool.number(value); }
    Expression exponential_law(double mean) {
        return pool.make(moments, {number(mean), number(mean * mean), number(2), number(9)});
    }
    ExpressionTape compiled(Expression expression) {
        auto tape = ExpressionTape::compile(pool, expression, names);
        EXPECT_TRUE(tape) << tape.error().message;
        return *tape;
    }
    double value(Expression expression) { return *compiled(expression).number(point); }
    Moments time(Expression expression) { return *compiled(expression).moments(point); }
    std::string failure(Expression expression) {
        auto const value = compiled(expression).number(point);
        return value ? "" : value.error().message;
    }

    ExpressionPool pool;
    std::vector<std::string> const names{"P", "N"};
    std::array<double, 2> const point{4, 10};
    Expression const P = pool.parameter("P");
    Expression const N = pool.parameter("N");
    IndexId const i = pool.new_index("i");
    Expression const I = pool.index(i);
};

TEST_F(ATape, OperationsOnNumbersAreTheOnesOfTheLanguage) {
    EXPECT_EQ(value(pool.make(quotient, {number(-7), number(2)})), -4);
    EXPECT_EQ(value(pool.make(remainder, {number(-7), P})), 1);
    EXPECT_EQ(value(pool.make(remainder, {number(7), pool.make(negate, {P})})), -1)
        << "the sign of the divisor";
    EXPECT_EQ(value(pool.make(add, {P, N, number(1)})), 15);
    EXPECT_EQ(value(pool.make(conjunction, {P, number(0)})), 0);
    EXPECT_EQ(value(pool.make(disjunction, {number(0), P, N})), 1);
    EXPECT_EQ(value(pool.make(choose, {pool.make(less, {P, N}), P, N})), 4);
}

TEST_F(ATape, RepeatingAndScalingAreDifferent) {
    auto const x = exponential_law(3);
    auto const repeated = time(pool.make(repeat, {number(5), x}));
    EXPECT_DOUBLE_EQ(repeated.variance, 45);
    EXPECT_DOUBLE_EQ(repeated.kurtosis, 4.2);
    EXPECT_DOUBLE_EQ(time(pool.make(scale, {number(5), x})).variance, 225);
}

TEST_F(ATape, ALoopThatDoesNotDependOnItsIndexCountsFractions) {
    EXPECT_DOUBLE_EQ(value(pool.loop(sum_over, i, number(1), number(2.5), P)), 10);
    EXPECT_EQ(value(pool.loop(sum_over, i, number(1), number(-3), P)), 0);
    EXPECT_EQ(value(pool.loop(maximum_over, i, number(1), number(0), P)), 0);
    auto const many = time(pool.loop(sum_over, i, number(1), number(1e15), exponential_law(1)));
    EXPECT_DOUBLE_EQ(many.variance, 1e15) << "whatever the number of turns";
}

TEST_F(ATape, TurnsThatDifferAreEvaluatedEach) {
    EXPECT_EQ(value(pool.loop(sum_over, i, number(1), N, pool.make(multiply, {I, I}))), 385);
    EXPECT_EQ(value(pool.loop(maximum_over, i, number(-3), number(-2), I)), -2) << "not 0, where it starts";
    auto const j = pool.new_index("j");
    auto const inner = pool.loop(sum_over, j, number(1), I, pool.make(multiply, {I, pool.index(j)}));
    EXPECT_EQ(value(pool.loop(sum_over, i, number(1), number(3), inner)), 1 + 2 * 3 + 3 * 6);
}

TEST_F(ATape, ALoopInALoopOverTheSameIndexHasItsOwnValues) {
    auto const next = pool.make(add, {I, number(1)});
    auto const inner = pool.loop(sum_over, i, number(1), next, next);  // 2 + 3 + ... + (I + 2)
    auto const outer = pool.loop(sum_over, i, number(1), number(2), pool.make(add, {next, inner}));
    EXPECT_EQ(value(outer), (2 + 2 + 3) + (3 + 2 + 3 + 4));
}

TEST_F(ATape, BranchesOfOneLawAreTakenTogether) {
    auto const x = exponential_law(1);
    auto const of_index =
        pool.make(repeat, {pool.make(power, {I, number(0)}), x});  // depends on i, but not its value
    auto const greatest = time(pool.loop(maximum_over, i, number(1), number(12), of_index));
    EXPECT_EQ(greatest, stochastic::maximum_of(12, {1, 1, 2, 9}));
    EXPECT_EQ(time(pool.make(maximum, {x, x})), stochastic::maximum_of(2, {1, 1, 2, 9})) << "two draws";
}

TEST_F(ATape, ConditionsAreMixturesOfProbabilitiesAndFormalOtherwise) {
    auto const mixed = time(pool.make(branch, {number(0.5), number(4), number(10)}));
    EXPECT_DOUBLE_EQ(mixed.variance, 9);
    auto const condition = pool.make(moments, {number(0.3), number(0.05), number(0.4), number(2.6)});
    auto const a = pool.make(moments, {number(2), number(4), number(2), number(9)});
    auto const b = pool.make(moments, {number(2), number(1. / 3), number(0), number(1.8)});
    EXPECT_NEAR(time(pool.make(branch, {condition, a, b})).kurtosis, 17.95457004, 1e-7);
}

TEST_F(ATape, VectorsAreSparse) {
    auto const far = pool.make(unit_vector, {number(1e9)});
    auto const work = pool.make(add, {pool.make(multiply, {exponential_law(2), far}),
                                      pool.make(multiply, {N, pool.make(unit_vector, {P})})});
    auto const components = compiled(work).components(point);
    ASSERT_TRUE(components);
    ASSERT_EQ(components->components().size(), 2u);
    EXPECT_EQ(components->element(4).mean, 10);
    EXPECT_EQ(components->element(1'000'000'000).variance, 4);
    EXPECT_EQ(components->element(7).mean, 0);
    auto const all =
        pool.loop(sum_over, i, number(0), N, pool.make(multiply, {I, pool.make(unit_vector, {I})}));
    EXPECT_EQ(value(pool.make(largest, {all})), 10);
    EXPECT_EQ(value(pool.make(element, {all, number(3)})), 3);
}

TEST_F(ATape, TheProductOfACountAndARandomComponentRepeatsIt) {
    auto const unit = pool.make(unit_vector, {number(0)});
    auto const work = pool.make(multiply, {number(5), pool.make(multiply, {exponential_law(3), unit})});
    EXPECT_DOUBLE_EQ(time(pool.make(largest, {work})).variance, 45);
}

TEST_F(ATape, OnlyTheChosenSideIsEvaluated) {
    auto const endless = pool.loop(sum_over, i, number(1), number(1e12), pool.make(ceiling, {I}));
    EXPECT_EQ(value(pool.make(choose, {pool.make(greater, {P, number(5)}), endless, N})), 10);
}

// The probability, as a time, was computed on the side that is not taken, and looked up on the other.
TEST_F(ATape, AConstantOfOneSideOfAConstantConditionIsThereOnTheOther) {
    auto const maybe = [&](double mean) {
        return pool.make(branch, {number(0.25), exponential_law(mean), number(mean)});
    };
    auto const chosen = pool.make(choose, {pool.make(less, {number(2), number(2)}), maybe(3), maybe(4)});
    EXPECT_DOUBLE_EQ(time(chosen).variance, 4);
}

TEST_F(ATape, WhatHasNoValueIsNamed) {
    auto const by_zero = pool.make(divide, {N, pool.make(add, {P, number(-4)})});
    EXPECT_THAT(failure(pool.make(add, {by_zero, P})), HasSubstr("'N / (P - 4)' has no finite value"));
    auto const endless = pool.loop(sum_over, i, number(1), number(1e12), pool.make(ceiling, {I}));
    EXPECT_THAT(failure(endless), HasSubstr("more than 10 million turns"));
    // A million unlike branches took minutes without a word.
    auto const unlike =
        pool.loop(maximum_over, i, number(1), number(1e6), pool.make(scale, {I, exponential_law(1)}));
    auto const refused = compiled(unlike).moments(point);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().message, HasSubstr("more than 100,000 unlike random times"));
    auto const negative = pool.make(largest, {pool.make(unit_vector, {pool.make(negate, {P})})});
    EXPECT_THAT(failure(negative), HasSubstr("no whole number from 0"));
}

// Each loop was counted by itself: 3,000 times 3,000 unlike branches ran for half an hour.
TEST_F(ATape, NestedUnlikeBranchesAreCountedTogether) {
    auto const j = pool.new_index("j");
    auto const inner = pool.loop(maximum_over, j, number(1), number(400),
                                 pool.make(scale, {pool.make(add, {I, pool.index(j)}), exponential_law(1)}));
    auto const nested = pool.loop(maximum_over, i, number(1), number(400), inner);
    auto tape = compiled(nested);
    auto const refused = tape.moments(point);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().message, HasSubstr("more than 100,000 unlike random times"));
}

// A sweep over a probability went on beyond 1, and had a resource that was busy for -140 % of the time.
TEST_F(ATape, AProbabilityOutsideOf0And1IsNamed) {
    auto const taken_with = [&](double share) {
        return pool.make(branch, {pool.make(multiply, {P, number(share)}), exponential_law(3), number(0)});
    };
    auto const refusal = [&](Expression expression) {
        auto const found = compiled(expression).moments(point);
        return found ? "" : found.error().message;
    };
    EXPECT_THAT(refusal(taken_with(0.375)), HasSubstr("has a probability of 1.50, which does not lie"));
    EXPECT_THAT(refusal(taken_with(-0.125)), HasSubstr("has a probability of -0.500"));
    EXPECT_NEAR(time(taken_with(0.25)).mean, 3, 1e-12) << "P is 4";
    auto const of_vector =
        pool.make(branch, {pool.make(multiply, {P, number(0.5)}), pool.make(unit_vector, {number(0)}),
                           pool.make(unit_vector, {number(1)})});
    EXPECT_THAT(refusal(pool.make(largest, {of_vector})), HasSubstr("has a probability of 2"));
}

TEST_F(ATape, AnUnknownParameterOrIndexIsRefused) {
    auto const unknown = ExpressionTape::compile(pool, pool.parameter("Q"), names);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::not_found);
    EXPECT_FALSE(ExpressionTape::compile(pool, I, names));
    EXPECT_TRUE(ExpressionTape::compile(pool, I, names, std::array{i}));
}

TEST_F(ATape, AnOpenIndexIsGivenAfterTheParameters) {
    auto const tape = ExpressionTape::compile(pool, pool.make(multiply, {I, N}), names, std::array{i});
    EXPECT_EQ(*tape->number(std::array{4.0, 10.0, 7.0}), 70);
}

// A constant that a step outside the constants had converted was read before it was computed.
TEST_F(ATape, AConstantIsThereForConstantsAndForTheRest) {
    auto const x = exponential_law(3);
    auto const rest = pool.make(repeat, {number(5), pool.make(repeat, {P, x})});
    auto const constant = pool.make(repeat, {number(5), x});
    auto const both = time(pool.make(add, {rest, constant}));
    EXPECT_DOUBLE_EQ(both.mean, 5 * 4 * 3 + 5 * 3);
}

}  // namespace
}  // namespace parcast::symbolic
