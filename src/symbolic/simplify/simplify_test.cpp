#include "symbolic/simplify/simplify.h"

#include "support/random_expression.h"
#include "symbolic/notation/notation.h"
#include "symbolic/tape/expression_tape.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace parcast::symbolic {
namespace {

using enum ExpressionKind;

class Simplify : public testing::Test {
protected:
    Expression number(double value) { return pool.number(value); }
    Expression random(double mean, double variance, double skewness, double kurtosis) {
        return pool.make(moments, {number(mean), number(variance), number(skewness), number(kurtosis)});
    }
    Expression exponential_law(double mean) { return random(mean, mean * mean, 2, 9); }
    Expression plus(Expression left, Expression right) { return pool.make(add, {left, right}); }
    Expression minus(Expression left, Expression right) {
        return pool.make(add, {left, pool.make(negate, {right})});
    }
    Expression times(Expression left, Expression right) { return pool.make(multiply, {left, right}); }
    Expression over(Expression left, Expression right) { return pool.make(divide, {left, right}); }
    Expression repeated(Expression count, Expression each) { return pool.make(repeat, {count, each}); }

    std::string simple(Expression expression) { return text_of(pool, simplify(pool, expression)); }

    ExpressionPool pool;
    Expression const P = pool.parameter("P");
    Expression const N = pool.parameter("N");
    IndexId const i = pool.new_index("i");
    IndexId const p = pool.new_index("p");
    Expression const I = pool.index(i);
    Expression const at_p = pool.index(p);
};

TEST_F(Simplify, NumbersHaveANormalForm) {
    EXPECT_EQ(simple(plus(minus(P, number(1)), number(1))), "P");
    EXPECT_EQ(simple(minus(P, P)), "0");
    EXPECT_EQ(simple(plus(P, plus(N, P))), "2 * P + N");
    EXPECT_EQ(simple(over(plus(times(N, P), P), P)), "N + 1");
    EXPECT_EQ(simple(over(P, P)), "1");
    EXPECT_EQ(simple(minus(number(1), P)), "1 - P");
    EXPECT_EQ(simple(over(plus(P, number(1)), number(3))), "(P + 1) / 3") << "exact for whole numbers";
    EXPECT_EQ(simple(over(minus(N, over(N, P)), times(P, P))), "N * (P - 1) / P^3");
    EXPECT_EQ(simple(times(plus(P, N), minus(P, N))), "P^2 - N^2");
    EXPECT_EQ(simple(over(plus(N, number(1)), plus(times(number(2), N), number(2)))), "0.5");
    EXPECT_EQ(simple(pool.make(less, {P, plus(P, number(1))})), "1");
    EXPECT_EQ(simple(pool.make(maximum, {minus(P, number(1)), P})), "P");
    EXPECT_EQ(simple(pool.make(maximum, {P, P})), "P");
    EXPECT_EQ(simple(pool.make(ceiling, {over(plus(N, minus(P, number(1))), P)})), "ceil((P + N - 1) / P)");
    EXPECT_EQ(simple(pool.make(choose, {number(1), P, N})), "P");
}

TEST_F(Simplify, ACountOfASelectionSortIsAPolynomialOfItsLengthAlone) {
    // sum over i = lb + 1 .. ub of i - lb, with lb = p N / P and ub = (p + 1) N / P - 1: n (n - 1) / 2, n = N
    // / P.
    auto const lb = over(times(at_p, N), P);
    auto const ub = minus(over(times(plus(at_p, number(1)), N), P), number(1));
    auto const sum = pool.loop(sum_over, i, plus(lb, number(1)), ub, minus(I, lb));
    EXPECT_EQ(simple(sum), "N * (N - P) / (2 * P^2)");
}

TEST_F(Simplify, SumsOfPowersOfTheIndexHaveAClosedForm) {
    for (int power = 0; power <= 4; ++power) {
        auto const body = pool.make(ExpressionKind::power, {I, number(power)});
        auto const closed = simplify(pool, pool.loop(sum_over, i, number(3), N, body));
        EXPECT_TRUE(pool.free_indices(closed).empty());
        auto const tape = ExpressionTape::compile(pool, closed, std::array<std::string, 1>{"N"});
        double expected = 0;
        for (int value = 3; value <= 17; ++value)
            expected += std::pow(value, power);
        EXPECT_NEAR(*tape->number(std::array{17.0}), expected, 1e-9 * expected) << power;
    }
}

TEST_F(Simplify, TheMachineRepairModelIsWhatThePaperPrints) {
    auto const local = exponential_law(10);
    auto const server = exponential_law(0.1);
    auto const phi =
        pool.loop(maximum_over, p, number(1), P, pool.loop(sum_over, i, number(1), N, plus(local, server)));
    auto const unit = pool.make(unit_vector, {number(0)});
    auto const delta = pool.loop(sum_over, p, number(1), P,
                                 pool.loop(sum_over, i, number(1), N, pool.make(multiply, {server, unit})));
    auto const total = pool.make(maximum, {phi, pool.make(largest, {delta})});
    EXPECT_EQ(simple(delta), "[P * N * moments(0.1,0.01,2,9)]");
    EXPECT_EQ(simple(total),
              "max(max (p = 1, P) { N * moments(10.1,100.01,1.999702037,8.99880024) }, "
              "P * N * moments(0.1,0.01,2,9))");
}

TEST_F(Simplify, RepetitionsCollect) {
    auto const x = random(1, 2, 0, 3);
    EXPECT_EQ(simple(repeated(N, repeated(P, x))), "P * N * moments(1,2,0,3)");
    EXPECT_EQ(simple(plus(repeated(N, x), repeated(P, x))), "(P + N) * moments(1,2,0,3)");
    EXPECT_EQ(simple(plus(repeated(N, x), repeated(N, random(3, 4, 0, 3)))), "N * moments(4,6,0,3)");
    EXPECT_EQ(simple(plus(x, x)), "moments(2,4,0,3)");
    EXPECT_EQ(simple(repeated(number(5), x)), "moments(5,10,0,3)");
    EXPECT_EQ(simple(plus(number(5), x)), "moments(6,2,0,3)");
    EXPECT_EQ(simple(repeated(N, plus(number(5), x))), "N * moments(6,2,0,3)") << "not 5 * N apart";
    EXPECT_EQ(simple(repeated(number(0), x)), "0");
    EXPECT_EQ(simple(pool.loop(sum_over, i, number(1), number(0), x)), "0");
    EXPECT_EQ(simple(repeated(N, number(7))), "7 * N");
}

// Each term was compared with all before it.
TEST_F(Simplify, ManyTermsAreCollectedAtOnce) {
    std::vector<Expression> terms;
    for (int term = 0; term < 20'000; ++term)
        terms.push_back(repeated(term % 2 == 0 ? N : number(1), random(1 + term, 2, 0, 3)));
    auto const sum = simplify(pool, pool.make(add, terms));
    EXPECT_EQ(pool.operands(sum).size(), 2u);
}

TEST_F(Simplify, ScalingIsNotRepeating) {
    auto const x = exponential_law(3);
    EXPECT_EQ(simple(pool.make(scale, {number(5), x})), "moments(15,225,2,9)");
    EXPECT_EQ(simple(repeated(number(5), x)), "moments(15,45,0.894427191,4.2)");
    EXPECT_EQ(simple(repeated(N, pool.make(scale, {over(number(1), P), x}))), "N * (moments(3,9,2,9) / P)");
    EXPECT_EQ(simple(pool.make(scale, {P, pool.make(scale, {N, x})})), "scale(P * N, moments(3,9,2,9))");
}

TEST_F(Simplify, MaximaOfTheSameRandomExpressionCountItAndNumbersDoNot) {
    auto const x = repeated(N, exponential_law(1));
    EXPECT_EQ(simple(pool.make(maximum, {x, x})), "max (i = 1, 2) { N * moments(1,1,2,9) }");
    auto const inner = pool.loop(maximum_over, i, number(0), minus(N, number(1)), exponential_law(1));
    EXPECT_EQ(simple(pool.loop(maximum_over, p, number(1), P, inner)),
              "max (p = 1, P * N) { moments(1,1,2,9) }");
    EXPECT_EQ(simple(pool.loop(maximum_over, p, number(1), P, number(4))), "4");
    EXPECT_EQ(simple(pool.loop(maximum_over, p, number(1), number(1), x)), "N * moments(1,1,2,9)");
}

TEST_F(Simplify, MaximaOfConstantsAreComputedAfterAllElse) {
    // max over 3 of max over 4 is one over 12: with two fits in between it would be less exact.
    auto const inner = pool.loop(maximum_over, i, number(1), number(4), exponential_law(1));
    auto const all = simplify(pool, pool.loop(maximum_over, p, number(1), number(3), inner));
    ASSERT_EQ(pool.kind(all), moments);
    EXPECT_NEAR(pool.value(pool.operands(all)[0]), 3.10321068, 1e-7);  // the harmonic number of 12
}

TEST_F(Simplify, VectorsFoldByIndex) {
    auto const x = exponential_law(1);
    auto const unit = [&](Expression index) { return pool.make(unit_vector, {index}); };
    EXPECT_EQ(simple(pool.make(multiply, {number(10), unit(number(3))})), "[0, 0, 0, 10]");
    auto const list = pool.make(vector, {number(1), number(2), number(3)});
    EXPECT_EQ(simple(pool.make(multiply, {list, number(4)})), "[4, 8, 12]");
    EXPECT_EQ(simple(pool.make(largest, {pool.make(multiply, {list, P})})), "max(P, 2 * P, 3 * P)");
    auto const work =
        pool.loop(sum_over, p, number(0), minus(P, number(1)),
                  plus(pool.make(multiply, {repeated(N, x), unit(at_p)}), pool.make(multiply, {x, unit(P)})));
    EXPECT_EQ(simple(work),
              "P * moments(1,1,2,9) * unitvec(P) + "
              "sum (p = 0, P - 1) { N * moments(1,1,2,9) * unitvec(p) }");
    EXPECT_EQ(simple(pool.make(largest, {work})),
              "max(P * moments(1,1,2,9), max (p = 1, P) { N * moments(1,1,2,9) })")
        << "P is no index of the loop from 0 to P - 1";
    EXPECT_EQ(simple(pool.make(element, {list, number(1)})), "2");
}

// The zero vector was taken for a component at 0, which might have been the one at p.
TEST_F(Simplify, AConditionOverOneComponentIsThatOfTheComponent) {
    auto const condition = random(0.3, 0.05, 0.4, 2.6);
    auto const unit = pool.make(unit_vector, {at_p});
    auto const work = pool.make(
        branch, {condition, pool.make(multiply, {random(3, 9, 2, 9), unit}), pool.make(vector, {number(0)})});
    // By cumulants (equation 8): 0.9, 0.3 9 + 0.05 9, 16.2 + 4.05 + 0.12075, 145.8 + 44.55 + 2.17346 - 0.081.
    EXPECT_EQ(simple(pool.loop(sum_over, p, number(1), P, pool.loop(sum_over, i, number(1), N, work))),
              "sum (p = 1, P) { N * moments(0.9,3.15,3.643687633,22.3945536) * unitvec(p) }");
}

TEST_F(Simplify, ARandomNumberOfTurnsIsARandomSum) {
    // Geometric with mean 5, of exp(1): exp(5).
    auto const turns = random(5, 20, 2.0124611797498106, 9.05);
    EXPECT_EQ(simple(pool.loop(sum_over, i, number(1), turns, exponential_law(1))), "moments(5,25,2,9)");
}

TEST_F(Simplify, BranchesOfEqualLawsAreThatLaw) {
    auto const x = exponential_law(1);
    auto const condition = random(0.3, 0.05, 0.4, 2.6);
    EXPECT_EQ(simple(pool.make(branch, {condition, x, x})), "moments(1,1,2,9)");
    EXPECT_EQ(simple(pool.make(branch, {number(1), repeated(N, x), x})), "N * moments(1,1,2,9)");
    EXPECT_EQ(simple(pool.make(branch, {number(0.5), number(4), number(10)})), "moments(7,9,0,1)");
}

// They were unrolled within each other, 64 times as many turns with each.
TEST_F(Simplify, LoopsInLoopsOfConstantsAreEvaluatedNotUnrolled) {
    auto const j = pool.new_index("j");
    auto const k = pool.new_index("k");
    auto const body = pool.make(ceiling, {over(I, plus(pool.index(j), pool.index(k)))});
    auto const inner =
        pool.loop(sum_over, j, number(1), number(60), pool.loop(sum_over, k, number(1), number(60), body));
    auto const size = pool.size();
    double expected = 0;
    for (int a = 1; a <= 60; ++a)
        for (int b = 1; b <= 60; ++b)
            for (int c = 1; c <= 60; ++c)
                expected += std::ceil(static_cast<double>(a) / (b + c));
    EXPECT_EQ(simple(pool.loop(sum_over, i, number(1), number(60), inner)), text_of(pool, number(expected)));
    EXPECT_LT(pool.size(), size + 100);
}

// A product of sums has twice as many terms with each factor.
TEST_F(Simplify, LongProductsOfSumsAreNotMultipliedOut) {
    auto work = exponential_law(1);
    auto fixed = number(7);
    for (int level = 0; level < 24; ++level) {
        auto const count = plus(pool.parameter("N" + std::to_string(level)), number(1));
        work = repeated(count, work);
        fixed = repeated(count, fixed);
    }
    auto const simpler = simplify(pool, plus(work, fixed));
    EXPECT_LT(text_of(pool, simpler).size(), 5000u);
    EXPECT_EQ(simplify(pool, simpler), simpler);
}

TEST_F(Simplify, EqualLoopsOfDifferentIndicesAreOneExpression) {
    auto const j = pool.new_index("i");
    auto const body = [&](Expression index) { return pool.make(ceiling, {over(N, plus(index, number(1)))}); };
    auto const one = pool.loop(sum_over, i, number(1), P, body(I));
    auto const other = pool.loop(sum_over, j, number(1), P, body(pool.index(j)));
    EXPECT_EQ(simplify(pool, one), simplify(pool, other));
}

TEST_F(Simplify, AnInnerIndexOfTheSameNameIsNotMixedUpWithTheOuter) {
    auto const outer = pool.new_index("k");
    auto const inner = pool.new_index("k");
    auto const body = pool.make(ceiling, {over(pool.index(outer), plus(pool.index(inner), number(1)))});
    auto const both = pool.loop(sum_over, outer, number(1), N,
                                pool.loop(sum_over, inner, number(1), pool.index(outer), body));
    auto const simpler = simplify(pool, both);
    EXPECT_EQ(text_of(pool, simpler), "sum (k = 1, N) { sum (k_2 = 1, k) { ceil(k / (k_2 + 1)) } }");
    std::array<std::string, 1> const names{"N"};
    auto const value = [&](Expression expression) {
        return *ExpressionTape::compile(pool, expression, names)->number(std::array{6.0});
    };
    EXPECT_EQ(value(simpler), value(both));
}

// --- laws, on random expressions of whole parameters

struct Seed : testing::TestWithParam<unsigned> {};

bool is_close(double left, double right, double tolerance) {
    return std::abs(left - right) <= tolerance * std::max({1.0, std::abs(left), std::abs(right)});
}

TEST_P(Seed, ASimpleExpressionIsItsOwnSimplification) {
    ExpressionPool pool;
    for (int round = 0; round < 150; ++round) {
        auto const given =
            random_expression(pool, GetParam() * 1000 + static_cast<unsigned>(round), RandomKind::time);
        auto const once = simplify(pool, given);
        EXPECT_EQ(text_of(pool, simplify(pool, once)), text_of(pool, once)) << text_of(pool, given);
    }
}

TEST_P(Seed, SimplifiedAndUnsimplifiedNumbersAgree) {
    ExpressionPool pool;
    std::array<std::string, 2> const names{"P", "N"};
    for (int round = 0; round < 150; ++round) {
        auto const given =
            random_expression(pool, GetParam() * 1000 + static_cast<unsigned>(round), RandomKind::number);
        auto const simpler = simplify(pool, given);
        auto const before = ExpressionTape::compile(pool, given, names);
        auto const after = ExpressionTape::compile(pool, simpler, names);
        ASSERT_TRUE(before && after) << text_of(pool, given);
        for (std::array const point : {std::array{3.0, 7.0}, std::array{2.0, 11.0}, std::array{5.0, 5.0}}) {
            auto const one = before->number(point);
            auto const other = after->number(point);
            if (one) {  // where the given one has a value
                ASSERT_TRUE(other) << text_of(pool, given) << "\n" << text_of(pool, simpler);
                EXPECT_TRUE(is_close(*one, *other, 1e-9)) << text_of(pool, given) << " = " << *one << "\n"
                                                          << text_of(pool, simpler) << " = " << *other;
            }
        }
    }
}

TEST_P(Seed, SimplifiedAndUnsimplifiedMomentsAgree) {
    ExpressionPool pool;
    std::array<std::string, 2> const names{"P", "N"};
    for (int round = 0; round < 150; ++round) {
        auto const given = random_expression(pool, GetParam() * 1000 + static_cast<unsigned>(round),
                                             RandomKind::time_without_maxima);
        auto const simpler = simplify(pool, given);
        auto const before = ExpressionTape::compile(pool, given, names);
        auto const after = ExpressionTape::compile(pool, simpler, names);
        ASSERT_TRUE(before && after) << text_of(pool, given);
        for (std::array const point : {std::array{3.0, 7.0}, std::array{2.0, 11.0}}) {
            auto const one = before->moments(point);
            auto const other = after->moments(point);
            if (!one)
                continue;
            ASSERT_TRUE(other) << text_of(pool, given) << "\n" << text_of(pool, simpler);
            bool const agree = is_close(one->mean, other->mean, 1e-9) &&
                               is_close(one->variance, other->variance, 1e-9) &&
                               is_close(one->skewness, other->skewness, 1e-6) &&
                               is_close(one->kurtosis, other->kurtosis, 1e-6);
            EXPECT_TRUE(agree) << text_of(pool, given) << ": " << one->mean << " " << one->variance << "\n"
                               << text_of(pool, simpler) << ": " << other->mean << " " << other->variance;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Laws, Seed, testing::Range(1u, 17u));

}  // namespace
}  // namespace parcast::symbolic
