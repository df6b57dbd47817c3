#include "symbolic/notation/notation.h"

#include <gtest/gtest.h>

namespace parcast::symbolic {
namespace {

using enum ExpressionKind;

struct Latex : testing::Test {
    ExpressionPool pool;
    Expression n = pool.parameter("N");
    Expression p = pool.parameter("P");

    Expression number(double value) { return pool.number(value); }
    Expression loop(ExpressionKind kind) {
        auto const index = pool.new_index("i");
        return pool.loop(kind, index, number(1), p, pool.index(index));
    }
    std::string text(ExpressionKind kind, std::initializer_list<Expression> operands) {
        return latex_of(pool, pool.make(kind, operands));
    }
};

TEST_F(Latex, ANegativeFactorIsSubtracted) {
    auto const product = pool.make(multiply, {number(-2), n});
    EXPECT_EQ(text(add, {p, product}), "P - 2 \\, N");
    EXPECT_EQ(text(add, {product, p}), "-2 \\, N + P");
    EXPECT_EQ(text(add, {p, pool.make(multiply, {number(-1), n})}), "P - N");
}

TEST_F(Latex, ANegativeProductIsAFactorInBrackets) {
    EXPECT_EQ(text(multiply, {p, pool.make(multiply, {number(-2), n})}), "P \\, \\left(-2 \\, N\\right)");
}

TEST_F(Latex, WhatFollowsAMaximumIsNoPartOfItsBody) {
    EXPECT_EQ(text(add, {loop(maximum_over), n}), "\\left(\\max_{i=1}^{P} i\\right) + N");
    EXPECT_EQ(text(add, {n, loop(maximum_over)}), "N + \\max_{i=1}^{P} i");
    EXPECT_EQ(text(add, {pool.make(repeat, {n, loop(maximum_over)}), p}),
              "\\left(N \\ast \\max_{i=1}^{P} i\\right) + P");
    EXPECT_EQ(text(maximum, {loop(maximum_over), n}), "\\max\\left(\\max_{i=1}^{P} i, N\\right)");
}

TEST_F(Latex, AMaximumWhoseBodyHasBracketsNeedsNoOthersInASum) {
    auto const index = pool.new_index("i");
    auto const body = pool.make(add, {pool.index(index), number(1)});
    auto const longest = pool.loop(maximum_over, index, number(1), p, body);
    EXPECT_EQ(text(add, {longest, n}), "\\max_{i=1}^{P} \\left(i + 1\\right) + N");
    EXPECT_EQ(text(multiply, {longest, n}), "\\left(\\max_{i=1}^{P} \\left(i + 1\\right)\\right) \\, N");
}

TEST_F(Latex, WhatFollowsASumIsNoFactorOfItsBody) {
    EXPECT_EQ(text(multiply, {loop(sum_over), n}), "\\left(\\sum_{i=1}^{P} i\\right) \\, N");
    EXPECT_EQ(text(add, {loop(sum_over), n}), "\\sum_{i=1}^{P} i + N");
}

}  // namespace
}  // namespace parcast::symbolic
