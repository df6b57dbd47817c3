#include "symbolic/expression.h"

#include "symbolic/substitute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace parcast::symbolic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using enum ExpressionKind;

TEST(ExpressionPool, EqualExpressionsAreTheSameNode) {
    ExpressionPool pool;
    auto const p = pool.parameter("P");
    auto const sum = pool.make(add, {p, pool.number(1)});
    auto const size = pool.size();
    EXPECT_EQ(pool.make(add, {pool.parameter("P"), pool.number(1.0)}), sum);
    EXPECT_EQ(pool.size(), size);
    EXPECT_NE(pool.make(add, {pool.number(1), p}), sum);  // as given: nothing is sorted
    EXPECT_NE(pool.parameter("Q"), p);
}

TEST(ExpressionPool, NumbersAreFoundAgainByTheirBits) {
    ExpressionPool pool;
    auto const nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(pool.number(nan), pool.number(nan));
    EXPECT_EQ(pool.number(-0.0), pool.number(0.0));
    EXPECT_NE(pool.number(0.1), pool.number(0.1 + 1e-17 + 1e-16));
    EXPECT_EQ(pool.value(pool.number(1e300)), 1e300);
}

TEST(ExpressionPool, OperandsOfANodeMayBeHandedToTheNext) {
    ExpressionPool pool;
    std::vector<Expression> parts;
    for (int part = 0; part < 100; ++part)
        parts.push_back(pool.number(part));
    auto sum = pool.make(add, parts);
    auto const product = pool.make(multiply, pool.operands(sum));
    EXPECT_TRUE(std::ranges::equal(pool.operands(product), parts));
}

TEST(ExpressionPool, AnIndexIsFreeOutsideItsLoopOnly) {
    ExpressionPool pool;
    auto const i = pool.new_index("i");
    auto const j = pool.new_index("i");  // another index, of the same name
    auto const both = pool.make(add, {pool.index(i), pool.index(j)});
    EXPECT_THAT(pool.free_indices(both), ElementsAre(i, j));
    auto const inner = pool.loop(sum_over, i, pool.number(0), pool.index(i), both);
    EXPECT_THAT(pool.free_indices(inner), ElementsAre(i, j)) << "the bounds are outside the loop";
    auto const closed = pool.loop(sum_over, i, pool.number(0), pool.number(3), both);
    EXPECT_FALSE(pool.depends_on(closed, i));
    EXPECT_TRUE(pool.depends_on(closed, j));
    EXPECT_EQ(pool.name(i), pool.name(j));
    EXPECT_THAT(pool.free_indices(pool.parameter("P")), IsEmpty());
}

TEST(ExpressionPool, RandomnessAndVectorsAreKnownOfEveryNode) {
    ExpressionPool pool;
    auto const n = pool.parameter("N");
    auto const one = pool.number(1);
    auto const random = pool.make(moments, {one, one, pool.number(2), pool.number(9)});
    EXPECT_TRUE(pool.is_random(pool.make(repeat, {n, random})));
    EXPECT_FALSE(pool.is_random(pool.make(multiply, {n, one})));
    EXPECT_TRUE(pool.is_random(pool.make(branch, {pool.parameter("p"), n, one}))) << "whatever it chooses";
    auto const unit = pool.make(unit_vector, {n});
    auto const work = pool.make(multiply, {random, unit});
    EXPECT_TRUE(pool.is_vector(work));
    EXPECT_TRUE(pool.is_random(work));
    EXPECT_FALSE(pool.is_vector(pool.make(largest, {work})));
    EXPECT_FALSE(pool.is_vector(pool.make(element, {work, n})));
    EXPECT_TRUE(pool.has_parameters(work));
    EXPECT_FALSE(pool.has_parameters(random));
}

TEST(Substitute, ReplacesAnIndexButNotInLoopsOfItsOwn) {
    ExpressionPool pool;
    auto const i = pool.new_index("i");
    auto const p = pool.parameter("P");
    auto const inner = pool.loop(sum_over, i, pool.number(0), pool.index(i), pool.index(i));
    auto const replaced = substitute(pool, inner, pool.index(i), p);
    EXPECT_EQ(replaced, pool.loop(sum_over, i, pool.number(0), p, pool.index(i)));
}

TEST(Substitute, ReplacesAParameterEverywhere) {
    ExpressionPool pool;
    auto const p = pool.parameter("P");
    auto const sum = pool.make(add, {p, pool.make(multiply, {p, pool.parameter("N")})});
    auto const two = pool.number(2);
    EXPECT_EQ(substitute(pool, sum, p, two),
              pool.make(add, {two, pool.make(multiply, {two, pool.parameter("N")})}));
}

}  // namespace
}  // namespace parcast::symbolic
