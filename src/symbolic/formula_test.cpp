#include "symbolic/formula.h"

#include "symbolic/parameters.h"
#include "symbolic/tape/tape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

namespace parcast::symbolic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Parameters three_parameters() {
    Parameters parameters;
    parameters.set("n", 1024);
    parameters.set("k", 3);
    parameters.set("bus.rate", 0.25);
    return parameters;
}

struct Value {
    char const* formula;
    double value;
    char const* why;
};

class FormulaValue : public testing::TestWithParam<Value> {};

TEST_P(FormulaValue, IsAsInAlgebra) {
    auto const formula = Formula::parse(GetParam().formula);
    ASSERT_TRUE(formula) << formula.error().message;
    auto const value = evaluate(*formula, three_parameters());
    ASSERT_TRUE(value) << value.error().message;
    EXPECT_DOUBLE_EQ(*value, GetParam().value) << GetParam().why;
}

INSTANTIATE_TEST_SUITE_P(
    Formulas, FormulaValue,
    testing::Values(Value{"n*k^2", 9216, "a power binds more than a product"},
                    Value{"2+3*4", 14, "a product binds more than a sum"},
                    Value{"10-4-3", 3, "differences from the left"},
                    Value{"64/4/2", 8, "quotients from the left"},
                    Value{"2^3^2", 512, "powers from the right"},
                    Value{"-2^2", -4, "a sign binds less than a power"},
                    Value{"2^-1", 0.5, "an exponent may have a sign"}, Value{"3 - -2", 5, "two signs"},
                    Value{" ( 1 + 2 ) * ( 3 ) ", 9, "blanks and brackets"},
                    Value{"1.5e3 + .5", 1500.5, "numbers with a point and an exponent"},
                    Value{"bus.rate*4", 1, "a name may have points"},
                    Value{"7*27 % 30", 9, "a remainder is on the level of a product"},
                    Value{"-1 % 8", 7, "a remainder counts around"}, Value{"1 % -8", -7, "as its divisor"},
                    Value{"max(1, k, 2) + min(5, k)", 6, "min and max of two or more"},
                    Value{"ceil(n/1000) + floor(k/2)", 3, "rounding up and down"},
                    Value{"round(2.5) + round(-2.5) + round(2.4)", 2, "half away from zero"},
                    Value{"log2(n) + log(exp(2)) + sqrt(k*3) + abs(-1)", 16, "functions"},
                    Value{"if(k < 4, 10, 20) + if(n == k, 1, 2)", 12, "a choice"},
                    Value{"(k >= 3) + (k != 3) + (k <= 2) + (k > 2)", 2, "comparisons are 1 or 0"},
                    Value{"if(k > 0, 1, 1/0)", 1, "what is not chosen may be infinite"}));

struct Mistake {
    char const* formula;
    char const* message;
};

class FormulaMistake : public testing::TestWithParam<Mistake> {};

TEST_P(FormulaMistake, IsNamedWithItsColumn) {
    auto const formula = Formula::parse(GetParam().formula);
    ASSERT_FALSE(formula);
    EXPECT_EQ(formula.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Formulas, FormulaMistake,
    testing::Values(
        Mistake{"", "the formula '' has no operand at column 1"},
        Mistake{"n*", "the formula 'n*' has no operand at column 3"},
        Mistake{"n*/2", "the formula 'n*/2' has no operand at column 3"},
        Mistake{"2 n", "the formula '2 n' has something unexpected at column 3"},
        Mistake{"(n+1", "the formula '(n+1' lacks a ')' at column 5"},
        Mistake{"n)", "the formula 'n)' has something unexpected at column 2"},
        Mistake{"sqrt(1,2)", "the formula 'sqrt(1,2)' gives sqrt 2 instead of 1 values at column 9"},
        Mistake{"min(1)", "the formula 'min(1)' gives min 1 instead of 2 values at column 6"},
        Mistake{"1+cos(n)",
                "the formula '1+cos(n)' calls 'cos', which is none of min, max, ceil, floor, round, "
                "abs, log2, log, exp, sqrt and if, at column 3"}));

TEST(Formula, AHostileTextDoesNotUseUpTheStack) {
    for (auto const* opening : {"(", "-", "2^", "min(1,", "1+("}) {
        std::string text;
        for (int depth = 0; depth < 100'000; ++depth)
            text += opening;
        EXPECT_FALSE(Formula::parse(text)) << opening;
    }
    std::string wide = "1";
    for (int depth = 0; depth < 100; ++depth)
        wide = "1+(" + wide + ")";
    EXPECT_THAT(Formula::parse(wide).error().message, HasSubstr("is nested too deeply"));
}

TEST(Formula, ParametersAreThoseOfTheTextInTheirOrder) {
    auto const formula = Formula::parse("n*k + n*m");
    ASSERT_TRUE(formula);
    EXPECT_THAT(formula->parameters(), ElementsAre("n", "k", "m"));
}

TEST(Parameters, AMissingOneIsNamedWithTheNearest) {
    auto const error = evaluate(*Formula::parse("n * bus.rat"), three_parameters()).error().message;
    EXPECT_EQ(error,
              "the formula 'n * bus.rat' needs 'bus.rat', which has no value: did you mean 'bus.rate'? Else "
              "bind it with --set bus.rat=VALUE");
    EXPECT_THAT(evaluate(*Formula::parse("unknown"), three_parameters()).error().message,
                HasSubstr("which has no value: bind it with --set unknown=VALUE"));
}

TEST(Parameters, AreAssignedAsFormulasOfThoseBefore) {
    auto parameters = three_parameters();
    ASSERT_TRUE(assign(parameters, "n=2^20"));
    ASSERT_TRUE(assign(parameters, "half=n/2"));
    EXPECT_EQ(parameters.find("half"), 524288);
    for (auto const* wrong : {"n", "=3", "3=n", "n n=3", "n=", "n=m", "n=1/0"})
        EXPECT_FALSE(assign(parameters, wrong)) << wrong;
    EXPECT_EQ(parameters.find("n"), 1048576) << "a refused assignment changes nothing";
}

TEST(Tape, IsEvaluatedForEachIndex) {
    constexpr std::array<std::string_view, 1> index = {"i"};
    auto const tape = Tape::bind(*Formula::parse("k + 0.1*((7*i) % 30)"), three_parameters(), index);
    ASSERT_TRUE(tape);
    for (double i = 0; i < 28; ++i)
        EXPECT_DOUBLE_EQ(*tape->evaluate(std::array{i}), 3 + 0.1 * std::fmod(7 * i, 30));
}

TEST(Tape, AnIndexHidesAParameterOfItsName) {
    constexpr std::array<std::string_view, 1> index = {"n"};
    auto const tape = Tape::bind(*Formula::parse("n + k"), three_parameters(), index);
    EXPECT_EQ(*tape->evaluate(std::array{5.0}), 8);
}

TEST(Tape, AValueThatIsNoNumberIsRefusedWithItsIndex) {
    constexpr std::array<std::string_view, 1> index = {"i"};
    auto const tape = Tape::bind(*Formula::parse("n/(i-4)"), three_parameters(), index);
    EXPECT_EQ(tape->evaluate(std::array{4.0}).error().message,
              "the formula 'n/(i-4)' gives infinity with i = 4");
    EXPECT_THAT(Tape::bind(*Formula::parse("sqrt(-k)"), three_parameters())->evaluate().error().message,
                HasSubstr("gives no number"));
}

}  // namespace
}  // namespace parcast::symbolic
