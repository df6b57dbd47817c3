// What a model is told that is no model, or a doubtful one.

#include "pamela/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::pamela {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string messages(std::string const& text, std::vector<Setting> const& settings = {}) {
    auto const no_files = [](std::string_view name) -> Result<std::string> {
        return fail(ErrorCode::not_found, "there is no file '" + std::string(name) + "'");
    };
    return describe(compile(text, "model.pam", settings, no_files).diagnostics, text);
}

TEST(Compile, AnUnknownNameIsNamedWithTheNearest) {
    EXPECT_EQ(messages("numeric t_s = 1\nresource s = fcfs(0,1)\nprocess main = use(s,ts)\n"),
              "model.pam:3:22: error: unknown name 'ts'\n"
              "    3 | process main = use(s,ts)\n"
              "      |                      ^~\n"
              "        did you mean 't_s'?\n");
    EXPECT_THAT(messages("numeric P = 1 numeric x = p"), HasSubstr("did you mean 'P'?"));
    EXPECT_THAT(messages("numeric x = expnential(3)"), HasSubstr("did you mean 'exponential'?"));
    EXPECT_THAT(messages("process main = wait(3)"), HasSubstr("did you mean 'delay'?"));
    EXPECT_THAT(messages("numeric P = 1 numeric x = y"), Not(HasSubstr("did you mean")));
}

TEST(Compile, RecursionIsExplainedWithTheCycle) {
    auto const text = messages("process main = a(3) process a(n) = b(n) ; delay(1) process b(n) = a(n - 1)");
    EXPECT_THAT(text, HasSubstr("'a' needs itself: a -> b -> a"));
    EXPECT_THAT(text, HasSubstr("seq (i = 1, n)"));
    EXPECT_THAT(messages("numeric x = x + 1"), HasSubstr("'x' needs itself: x -> x"));
}

struct Mistake {
    char const* text;
    char const* message;
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreExplained) {
    EXPECT_THAT(messages(GetParam().text), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Pamela, Mistakes,
    testing::Values(
        Mistake{"process main = 3", "'main' is declared a process, but this is a numeric expression"},
        Mistake{"numeric x = delay(3)", "'x' is declared a numeric, but this is a process"},
        Mistake{"process main = delay(1) ; 3", "expected a process; this is a numeric expression"},
        Mistake{"process main = seq (i = 1, 3) i", "delay(t) takes the time t"},
        Mistake{"resource s = fcfs(0, 1) process main = s",
                "'main' is declared a process, but this is a resource"},
        Mistake{"resource s = fcfs(0, 1) process main = delay(1) ; s", "use(s, t) uses it for the time t"},
        Mistake{"process main = use(3, 4)", "expected a resource; this is a numeric expression"},
        Mistake{"process work(t) = delay(t) process main = work", "'work' takes 1 argument, not none"},
        Mistake{"process work(t) = delay(t) process main = work(1, 2)", "it is defined as work(t)"},
        Mistake{"numeric x = moments(1, 2)", "'moments' takes 4 arguments, not 2"},
        Mistake{"numeric N = 1 numeric N = 2", "'N' is defined twice"},
        Mistake{"process work(t, t) = delay(t)", "'t' is a formal parameter twice"},
        Mistake{"process work(t) = t(3)", "'t' takes no arguments"},
        Mistake{"numeric x = moments(1, -1, 0, 3)", "the variance -1 is negative"},
        Mistake{"numeric x = moments(1, 1, 3, 9)", "with a skewness of 3 the kurtosis is at least 10"},
        Mistake{"numeric x = bernoulli(2)", "a probability lies between 0 and 1; this is 2"},
        Mistake{"numeric x = exponential(1) < 2", "what a comparison takes is a number; this is random"},
        Mistake{"numeric x = 1 / exponential(1)", "what divides is a number; this is random"},
        Mistake{"numeric x = min(exponential(1), 2)", "what 'min' takes is a number; this is random"},
        Mistake{"numeric x = 1 / 0", "division by zero"},
        Mistake{"numeric x = [1, 2] + 1", "this is a vector, what it is combined with is a scalar"},
        Mistake{"numeric x = [1, 2] * [1, 2]", "vectors have no product"},
        Mistake{"numeric x = 3[1]", "only a vector has elements"},
        Mistake{"process main = delay([1, 2])", "a time is a scalar; this is a vector"},
        Mistake{"process main = delay(-1)", "the time -1 is negative"},
        Mistake{"process main = delay(normal(-1, 2))", "the time has the mean -1: a time is 0 or more"},
        Mistake{"process main = delay(exponential(1) + normal(-3, 2))", "the time has the mean -2"},
        Mistake{"resource s = fcfs(0, 0)", "a multiplicity of 1 or more"},
        Mistake{"resource s = fcfs(exponential(1), 1)",
                "the index of a resource is a number; this is random"},
        Mistake{"process main = if (1 < 2) delay(1) else 3", "what stands before 'else' is a process"},
        Mistake{"numeric parameter x = exponential(3)", "the value of a parameter is a number"},
        Mistake{"numeric parameter f(x) = 3", "has no formal parameters of its own"},
        Mistake{"numeric x = empirical(3)", "it stands in quotation marks"},
        Mistake{"numeric x = empirical(\"t.txt\")", "there is no file 't.txt'"},
        Mistake{"numeric x = \"t.txt\"", "only the argument of empirical"},
        Mistake{"resource a = fcfs(0, 1) resource b = fcfs(0, 1)",
                "'b' and 'a' are one resource: both have the index 0"},
        Mistake{"process never(t) = delay(t) ; 3", "expected a process; this is a numeric expression"},
        Mistake{"process main = seq (n = 1, m) delay(n) ; delay(n) numeric parameter m",
                "'n' is no index here: it is taken for 1"},
        Mistake{"process main = { seq (n = m, 9) delay(n) } ; delay(n) numeric parameter m",
                "only known in the body of the loop in line 1"}));

TEST(Compile, ErrorsOfEveryKindAreFoundInOneGo) {
    auto const text = messages(
        "numeric a = b\n"
        "process main = delay(1) ; 3 ; use(s)\n"
        "resource s = fcfs(0)\n"
        "numeric d = 1 +\n");
    for (auto const* line : {"model.pam:1:13: error", "model.pam:2:27: error", "model.pam:2:31: error",
                             "model.pam:3:14: error", "model.pam:5:1: error"})
        EXPECT_THAT(text, HasSubstr(line)) << text;
}

TEST(Compile, WhatIsWrongWithAnArgumentIsToldWithItsCall) {
    EXPECT_EQ(messages("process work(t) = delay(t)\nprocess main = work(-1)\n"),
              "model.pam:1:25: error: the time -1 is negative\n"
              "    1 | process work(t) = delay(t)\n"
              "      |                         ^\n"
              "        in the call in line 2\n");
}

TEST(Compile, BoundsOfAUniformTimeStandInTheirOrder) {
    EXPECT_THAT(messages("process main = delay(uniform(3, 1))\n"),
                HasSubstr("model.pam:1:22: error: the lowest value, 3, is more than the highest, 1"));
    EXPECT_THAT(messages("numeric parameter a = 3\nprocess main = delay(uniform(a, 1))\n"),
                HasSubstr("warning: the lowest value, 3, is more than the highest, 1"));
    EXPECT_EQ(messages("process main = delay(uniform(1, 3))\n"), "");
}

TEST(Compile, AnIndexIsAWholeNumberFromZero) {
    EXPECT_THAT(messages("resource r = fcfs(0.5, 1)\nprocess main = use(r, 1)\n"),
                HasSubstr("1:19: error: the index of a resource is a whole number from 0, not 0.5"));
    EXPECT_THAT(messages("numeric u = max(unitvec(-1))\nprocess main = delay(u)\n"),
                HasSubstr("the index of a unit vector is a whole number from 0, not -1"));
}

TEST(Compile, HalfABranchIsNoBranch) {
    EXPECT_THAT(messages("process main = par (i = 1, 2.5) delay(1)\n"),
                HasSubstr("1:28: error: these are 2.5 parallel branches, no whole number"));
    EXPECT_THAT(messages("numeric parameter P = 2.5\nprocess main = par (i = 1, P) delay(1)\n"),
                HasSubstr("warning: these are 2.5 parallel branches"));
    EXPECT_EQ(messages("process main = seq (i = 1, 2.5) delay(1)\n"), "");
}

TEST(Compile, ANegativeCountIsSaid) {
    std::string const loop = "numeric parameter P = 3\nprocess main = par (i = 1, P) delay(2)\n";
    EXPECT_THAT(messages(loop, {{.name = "P", .value = -3, .stays_symbolic = false}}),
                HasSubstr("2:28: warning: from 1 to -3 this loop has no turns"));
    EXPECT_EQ(messages(loop, {{.name = "P", .value = 0, .stays_symbolic = false}}), "");
    EXPECT_THAT(messages("process main = delay(-2 * exponential(1))\n"),
                HasSubstr("warning: a random quantity is added up -2 times here"));
}

TEST(Compile, ANumberThatIsNoneIsRefusedWhereItIsWritten) {
    EXPECT_THAT(messages("process main = delay(log(-1))\n"),
                HasSubstr("1:22: error: log(-1) has no finite value"));
    EXPECT_THAT(messages("process main = delay(1e200 * 1e200)\n"),
                HasSubstr("1:22: error: this has no finite value"));
    EXPECT_THAT(messages("process main = delay(exponential(1e200))\n"),
                HasSubstr("exponential(1e+200) has no finite value"));
    EXPECT_THAT(messages("numeric parameter P = -1\nprocess main = delay(log(P))\n"),
                HasSubstr("2:22: warning: log(-1) has no finite value"));
}

TEST(Compile, AProcessInANumberIsAWrongTypeEvenInACycle) {
    auto const said = messages("process main = delay(u)\nnumeric u = main + 1\n");
    EXPECT_THAT(said, HasSubstr("2:13: error: expected a numeric expression; this is a process"));
    EXPECT_THAT(said, Not(HasSubstr("needs itself")));
}

TEST(Compile, AnUnknownNameIsToldBesideAnEquationThatWasLost) {
    auto const said = messages("numeric = 3 * lost\nprocess main = delay(other) ; delay(lost)\n");
    EXPECT_THAT(said, HasSubstr("unknown name 'other'"));
    EXPECT_THAT(said, Not(HasSubstr("unknown name 'lost'")));
}

TEST(Compile, AByteOrderMarkIsNoPartOfTheFirstLine) {
    auto const said = messages("\xef\xbb\xbfprocess main = delay(x)\n");
    EXPECT_THAT(said, testing::StartsWith("model.pam:1:22: error: unknown name 'x'\n    1 | process main"));
}

TEST(Compile, LimitsAreToldWithoutTheDigitsOfRounding) {
    EXPECT_THAT(messages("process main = delay(moments(1, 1, 8.3, 9))\n"),
                HasSubstr("the kurtosis is at least 69.89\n"));
}

TEST(Compile, ExponentialGrowthIsRefused) {
    std::string numbers = "numeric a0 = moments(1, 1, 2, 9)\n";
    std::string processes = "process a0 = delay(1)\n";
    for (int i = 1; i < 60; ++i) {
        auto const before = "a" + std::to_string(i - 1);
        auto const name = "a" + std::to_string(i);
        numbers.append("numeric " + name).append(" = " + before).append(" + " + before).append("\n");
        processes.append("process " + name).append(" = " + before).append(" || " + before).append("\n");
    }
    EXPECT_THAT(messages(numbers), HasSubstr("more than a million parts"));
    EXPECT_THAT(messages(processes), HasSubstr("more than a million parts"));
}

TEST(Compile, ADeepChainOfEquationsIsRefusedOrLowered) {
    std::string forward = "numeric a0 = 1\n";
    std::string backward;
    for (int i = 1; i < 20'000; ++i) {
        forward += "numeric a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " + 1\n";
        backward += "process b" + std::to_string(i - 1) + "(n) = b" + std::to_string(i) + "(n)\n";
    }
    EXPECT_EQ(messages(forward), "");
    EXPECT_THAT(messages(backward + "process b19999(n) = delay(n) process main = b0(1)"),
                HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace parcast::pamela
