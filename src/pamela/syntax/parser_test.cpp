#include "pamela/syntax/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/syntax_printer.h"

namespace parcast::pamela {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Reading {
    Syntax syntax;
    std::vector<Diagnostic> diagnostics;
    std::string text;  // of the diagnostics
};

Reading read(std::string const& text) {
    DiagnosticList list(text, "model.pam");
    auto syntax = parse(text, list);
    auto diagnostics = std::move(list).in_order_of_the_text();
    auto said = describe(diagnostics, text);
    return {std::move(syntax), std::move(diagnostics), std::move(said)};
}

// What the text means, with all that the grammar leaves out put back.
std::string meaning(std::string const& text) {
    auto const reading = read(text);
    EXPECT_EQ(reading.text, "");
    return print(reading.syntax);
}

std::string expression(std::string const& text) {
    auto const printed = meaning("numeric x = " + text);
    return printed.substr(0, printed.size() - 1).substr(sizeof "numeric x = " - 1);
}

TEST(Parser, AnEquationHasAKindANameAndARightSide) {
    EXPECT_EQ(meaning("numeric N = 10 process main = delay(N) resource s = fcfs(0, 1)"),
              "numeric N = 10\nprocess main = delay(N)\nresource s = fcfs(0, 1)\n");
}

TEST(Parser, FormalParametersStandInParentheses) {
    EXPECT_EQ(meaning("process work(r, t) = use(r, t)"), "process work(r, t) = use(r, t)\n");
    EXPECT_EQ(meaning("process work() = idle()"), "process work = idle\n");
}

TEST(Parser, ANumericWithoutARightSideIsAParameter) {
    EXPECT_EQ(meaning("numeric N numeric parameter P numeric parameter Q = 3"),
              "numeric parameter N\nnumeric parameter P\nnumeric parameter Q = 3\n");
}

TEST(Parser, CommentsEndWithTheirLine) {
    EXPECT_EQ(meaning("% a model\nnumeric N = 1 % numeric M = 2\n%"), "numeric N = 1\n");
}

TEST(Parser, SemicolonsBindMoreThanBars) {
    EXPECT_EQ(meaning("process main = a ; b || c ; d"), "process main = a ;\n    b ||\n    c ;\n    d\n");
    EXPECT_EQ(meaning("process main = a ; { b || c } ; d"),
              "process main = a ;\n    {\n        b ||\n        c\n    } ;\n    d\n");
    EXPECT_TRUE(
        same(read("process main = a ; (b || c)").syntax, read("process main = a ; { b || c }").syntax));
}

TEST(Parser, ASemicolonMayEndABlock) {
    EXPECT_TRUE(same(read("process main = { a ; b ; }").syntax, read("process main = a ; b").syntax));
}

TEST(Parser, ALoopWithoutBracesTakesTheNextOperand) {
    EXPECT_TRUE(same(read("process main = par (p = 1, P) seq (i = 1, N) a ; b").syntax,
                     read("process main = { par (p = 1, P) { seq (i = 1, N) { a } } } ; b").syntax));
    EXPECT_EQ(expression("sum (i = 1, N) i * 2"), "sum (i = 1, N) { i } * 2");
}

TEST(Parser, ABodyInBracesEndsWithThem) {
    EXPECT_EQ(expression("max (p = 1, P) { N } + 1"), "max (p = 1, P) { N } + 1");
    EXPECT_EQ(expression("sum (i = 0, 1) { v }[0]"), "sum (i = 0, 1) { v }[0]");
}

TEST(Parser, MaxAndSumAreReductionsIfAnIndexFollows) {
    EXPECT_EQ(expression("max(a, b)"), "max(a, b)");
    EXPECT_EQ(expression("max (a = 1, b) {a}"), "max (a = 1, b) { a }");
    EXPECT_EQ(expression("max(a == 1, b)"), "max(a == 1, b)");
}

TEST(Parser, AnElseBelongsToTheNearestIf) {
    EXPECT_TRUE(same(read("process p = if (a) if (b) x else y").syntax,
                     read("process p = if (a) { if (b) { x } else { y } }").syntax));
}

TEST(Parser, ThenMayStandAfterACondition) {
    EXPECT_EQ(expression("if (a) then 1 else 2 + 3"), "if (a) { 1 } else { 2 + 3 }");
}

TEST(Parser, OperatorsBindAsInMathematics) {
    struct Case {
        char const* text;
        char const* printed;
    };
    for (auto const& [text, printed] : {
             Case{"1 - 2 - 3", "1 - 2 - 3"},
             Case{"1 - (2 - 3)", "1 - (2 - 3)"},
             Case{"(1 - 2) - 3", "(1 - 2) - 3"},
             Case{"6 / 2 * 3", "6 / 2 * 3"},
             Case{"(6 / 2) * 3", "6 / 2 * 3"},
             Case{"6 / (2 * 3)", "6 / (2 * 3)"},
             Case{"n div 2 mod 3", "n div 2 mod 3"},
             Case{"-2^2", "-2^2"},
             Case{"(-2)^2", "(-2)^2"},
             Case{"2^3^2", "2^3^2"},
             Case{"(2^3)^2", "(2^3)^2"},
             Case{"2^-1", "2^-1"},
             Case{"a * -b", "a * -b"},
             Case{"+a", "a"},
             Case{"not a and b or c", "not a and b or c"},
             Case{"not (a and (b or c))", "not (a and (b or c))"},
             Case{"not a == b", "not a == b"},
             Case{"(not a) == b", "(not a) == b"},
             Case{"(a < b) == c", "(a < b) == c"},
             Case{"[1,2,3] * 4", "[1, 2, 3] * 4"},
             Case{"v[i + 1]", "v[i + 1]"},
             Case{"(a + b)[0]", "(a + b)[0]"},
         })
        EXPECT_EQ(expression(text), printed) << text;
}

TEST(Parser, NumbersHaveTheFormsOfThePaper) {
    struct Case {
        char const* text;
        double value;
    };
    for (auto const& [text, value] : {Case{"5e-3", 0.005}, Case{"2e+0", 2}, Case{".5", 0.5}, Case{"1.", 1},
                                      Case{"1E6", 1e6}, Case{"007", 7}, Case{"1e-999", 0}}) {
        auto const reading = read("numeric x = " + std::string(text));
        EXPECT_EQ(reading.text, "") << text;
        EXPECT_EQ(reading.syntax.nodes.back().number, value) << text;
    }
}

// T_main = moments(1.01+07,4.11+03,4.69-01,3.23+00) is how the paper prints its result.
TEST(Parser, AnExponentWithoutItsLetterIsReadWithAWarning) {
    auto const reading = read("numeric x = moments(1.01+07,4.11+03,4.69-01,3.23+00)");
    EXPECT_EQ(print(reading.syntax), "numeric x = moments(10100000, 4110, 0.469, 3.23)\n");
    ASSERT_EQ(reading.diagnostics.size(), 4U);
    EXPECT_EQ(reading.diagnostics[0].severity, Severity::warning);
    EXPECT_THAT(reading.diagnostics[0].message, HasSubstr("1.01e+07"));
    EXPECT_EQ(expression("1.5+10"), "1.5 + 10");
    EXPECT_EQ(expression("1.5 +07"), "1.5 + 7");
}

// ---- errors

TEST(Parser, AnErrorShowsItsLineWithACaret) {
    EXPECT_EQ(read("numeric N = 3\nprocess main = seq (i = 1, N { delay(1) }\n").text,
              "model.pam:2:30: error: expected ')' before '{'\n"
              "    2 | process main = seq (i = 1, N { delay(1) }\n"
              "      |                              ^\n"
              "        a loop has an index, a first and a last value\n");
}

TEST(Parser, SeveralErrorsAreFoundInOneGo) {
    auto const reading = read(
        "numeric a = (1 + ) * [2, ]\n"
        "proces b = delay(1)\n"
        "process c = use(s, ) ; delay(3\n"
        "process d = delay(1) delay(2)\n");
    std::vector<std::string> places;
    for (auto const& each : reading.diagnostics)
        places.push_back(std::to_string(*each.place.line) + ": " + each.message);
    EXPECT_THAT(
        places,
        ElementsAre("1: expected an expression before ')'", "1: expected an expression before ']'",
                    "2: expected an equation before 'proces'",
                    "3: expected a process or an expression before ')'",
                    "4: expected ',' or ')' before 'process'", "4: expected ';' or '||' before 'delay'"))
        << reading.text;
}

TEST(Parser, WhatWasProbablyMeantIsSaid) {
    struct Case {
        char const* text;
        char const* hint;
    };
    for (auto const& [text, hint] : {
             Case{"proces main = delay(1)", "did you mean 'process'?"},
             Case{"process main = if (a = 1) b", "'==' compares"},
             Case{"process main = if (a) b ; else c", "no ';' stands before 'else'"},
             Case{"process main = delay(10ms)",
                  "times are numbers in whatever unit the model chooses; write 10"},
             Case{"numeric x = 2n", "a product has a sign: 2 * n"},
             Case{"numeric x = a && b", "write 'and'"},
             Case{"numeric x = !a", "write 'not', or '!=' for unequal"},
             Case{"numeric x = 1 // one", "a comment begins with %"},
             Case{"numeric x = \xcf\x84", "names are made of the letters"},
             Case{"numeric x = 0 < a < 1", "write 'a < b and b < c'"},
             Case{"numeric seq = 1", "is a word of the language"},
             Case{"process main = { delay(1)\nprocess b = delay(1)", "'{' in line 1 is not closed"},
             Case{"process main = seq i = 1, N delay(1)", "a loop is written seq (i = 1, n) { ... }"},
             Case{"process main = work(a ; b)", "stands in braces"},
             Case{"numeric parametr N = 100", "did you mean 'parameter'?"},
             Case{"process main = use(s, 3\n}", "'(' in line 1 is not closed"},
             Case{"process parameter a = b", "write 'numeric parameter'"},
             Case{"numeric f(1) = 1", "formal parameters are names"},
         })
        EXPECT_THAT(read(text).text, HasSubstr(hint)) << text;
}

TEST(Parser, AHostileNestingIsRefused) {
    for (auto const* unit : {"(", "{", "-", "not ", "2^", "f(", "seq (i = 1, 2) ", "if (a) ", "["}) {
        std::string text = "process main = ";
        for (int i = 0; i < 100'000; ++i)
            text += unit;
        EXPECT_THAT(read(text).text, HasSubstr("nested too deeply")) << unit;
    }
}

TEST(Parser, AnyLengthOfSumsAndSequencesIsRead) {
    std::string sum = "numeric x = 1";
    std::string sequence = "process p = a";
    for (int i = 0; i < 10'000; ++i) {
        sum += " + 1";
        sequence += " ; a";
    }
    EXPECT_THAT(read(sum).diagnostics, IsEmpty());
    EXPECT_THAT(read(sequence).diagnostics, IsEmpty());
}

}  // namespace
}  // namespace parcast::pamela
