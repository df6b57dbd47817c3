// What is printed of an expression is PAMELA text: it is read again, and means the same.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>

#include "pamela/compile.h"
#include "support/random_expression.h"
#include "symbolic/notation/notation.h"
#include "symbolic/tape/expression_tape.h"

namespace parcast {
namespace {

using symbolic::Digits;
using symbolic::Expression;
using symbolic::ExpressionPool;
using symbolic::ExpressionTape;
using symbolic::RandomKind;

constexpr std::array<double, 2> values = {2, 5};  // of P and N
std::array<std::string, 2> const names = {"P", "N"};

std::optional<Moments> evaluated(ExpressionPool const& pool, Expression expression) {
    auto const tape = ExpressionTape::compile(pool, expression, names);
    EXPECT_TRUE(tape) << tape.error().message;
    auto const result = tape ? tape->moments(values) : fail(ErrorCode::inconsistent, "");
    return result ? std::optional(*result) : std::nullopt;
}

bool are_close(double one, double other) {
    return std::abs(one - other) <= 1e-7 * std::max({1.0, std::abs(one), std::abs(other)});
}

void check(RandomKind kind, unsigned seed) {
    ExpressionPool pool;
    auto const expression = symbolic::random_expression(pool, seed, kind);
    auto const before = evaluated(pool, expression);
    auto const text =
        "numeric parameter P numeric parameter N numeric x = " + text_of(pool, expression, Digits::all);
    auto const compilation = pamela::compile(text, "printed", {}, {});
    ASSERT_TRUE(compilation.succeeded()) << describe(compilation.diagnostics, text);
    ASSERT_EQ(compilation.model.numeric_equations.size(), 1U);
    auto const after = evaluated(compilation.model.expressions, compilation.model.numeric_equations[0].value);
    ASSERT_EQ(before.has_value(), after.has_value()) << text;
    if (!before)
        return;
    EXPECT_TRUE(are_close(before->mean, after->mean)) << text << "\n" << before->mean << " " << after->mean;
    EXPECT_TRUE(are_close(before->variance, after->variance)) << text << "\n"
                                                              << before->variance << " " << after->variance;
}

TEST(FormulaText, NumbersAreReadAgain) {
    for (unsigned seed = 0; seed < 1500; ++seed)
        check(RandomKind::number, seed);
}

TEST(FormulaText, TimesAreReadAgain) {
    for (unsigned seed = 0; seed < 1500; ++seed)
        check(RandomKind::time_without_maxima, seed);
}

TEST(FormulaText, MaximaAreReadAgain) {
    for (unsigned seed = 0; seed < 100; ++seed)
        check(RandomKind::time, seed);
}

}  // namespace
}  // namespace parcast
