#include <regex>

#include <gtest/gtest.h>

#include "symbolic/notation/notation.h"

namespace parcast::symbolic {
namespace {

using enum ExpressionKind;

struct MathMl : testing::Test {
    ExpressionPool pool;
    Expression n = pool.parameter("N");
    Expression p = pool.parameter("P");

    Expression number(double value) { return pool.number(value); }
    std::string text(ExpressionKind kind, std::initializer_list<Expression> operands) {
        return mathml_of(pool, pool.make(kind, operands));
    }
    // What is drawn, without its elements.
    static std::string letters(std::string const& markup) {
        return std::regex_replace(markup, std::regex("<[^>]*>"), "");
    }
};

TEST_F(MathMl, AnEquationIsAnElementOfItsOwn) {
    EXPECT_EQ(mathml_equation(pool, "T", n),
              "<math display=\"block\"><mrow><mi>T</mi><mo>=</mo><mi>N</mi></mrow></math>");
}

TEST_F(MathMl, AFractionAndAPowerAreDrawnInTwoDimensions) {
    EXPECT_EQ(text(divide, {n, p}), "<mfrac><mrow><mi>N</mi></mrow><mrow><mi>P</mi></mrow></mfrac>");
    EXPECT_EQ(text(power, {pool.make(add, {n, p}), number(2)}),
              "<msup><mrow><mrow><mo>(</mo><mi>N</mi><mo>+</mo><mi>P</mi><mo>)</mo></mrow></mrow>"
              "<mrow><mn>2</mn></mrow></msup>");
}

TEST_F(MathMl, AMaximumOverALoopHasItsBoundsBelowAndAbove) {
    auto const index = pool.new_index("i");
    auto const longest = pool.loop(maximum_over, index, number(1), p, pool.index(index));
    EXPECT_EQ(mathml_of(pool, longest),
              "<munderover><mo movablelimits=\"false\" rspace=\"0.3em\">max</mo>"
              "<mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mrow><mi>P</mi></mrow></munderover><mi>i</mi>");
}

TEST_F(MathMl, BracketsStandWhereLatexHasThem) {
    auto const negative = pool.make(multiply, {number(-2), n});
    EXPECT_EQ(letters(text(add, {p, negative})), "P−2N");
    EXPECT_EQ(letters(text(multiply, {p, negative})), "P(−2N)");
    EXPECT_EQ(letters(text(repeat, {pool.make(add, {n, p}), p})), "(N+P)∗P");
}

TEST_F(MathMl, LargeAndSmallNumbersArePowersOfTen) {
    EXPECT_EQ(letters(mathml_of(pool, number(1.5e30))), "1.5·1030");
    EXPECT_EQ(letters(mathml_of(pool, number(-2e-7))), "−2·10−7");
    EXPECT_EQ(letters(mathml_of(pool, number(1e6))), "1000000");
}

TEST_F(MathMl, ARandomChoiceNamesItsProbability) {
    EXPECT_EQ(letters(text(branch, {number(0.1), n, p})), "{Nwith probability&#xA0;0.1Potherwise");
    EXPECT_EQ(letters(text(choose, {pool.make(greater, {p, number(8)}), n, p})),
              "{Nif&#xA0;P&gt;8Potherwise");
}

TEST_F(MathMl, WhatStandsBehindTheFirstUnderlineIsAnIndex) {
    EXPECT_EQ(mathml_name("phi_main"), "<msub><mi>φ</mi><mi mathvariant=\"normal\">main</mi></msub>");
    EXPECT_EQ(letters(mathml_name("t_l_2")), "tl_2");
    EXPECT_EQ(mathml_name("hit"), "<mi>hit</mi>");
}

TEST_F(MathMl, ANameIsNoMarkup) {
    EXPECT_EQ(mathml_name("<script>"), "<mi>&lt;script&gt;</mi>");
}

}  // namespace
}  // namespace parcast::symbolic
