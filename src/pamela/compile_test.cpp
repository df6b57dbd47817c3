#include "pamela/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace parcast::pamela {
namespace {

using symbolic::Expression;
using symbolic::ExpressionKind;
using symbolic::ExpressionPool;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Result<std::string> no_files(std::string_view name) {
    return fail(ErrorCode::not_found, "there is no file '" + std::string(name) + "'");
}

Compilation compiled(std::string const& text, std::vector<Setting> const& settings = {}) {
    auto result = compile(text, "model.pam", settings, no_files);
    EXPECT_TRUE(result.succeeded()) << describe(result.diagnostics, text);
    return result;
}

std::string messages(std::string const& text, std::vector<Setting> const& settings = {}) {
    return describe(compile(text, "model.pam", settings, no_files).diagnostics, text);
}

std::string number(double value) {
    auto text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

// Names of operators and operands, so that a test says which operator it wants: "repeat(N, moments(1, 1, 2,
// 9))".
std::string shown(ExpressionPool const& pool, Expression expression) {
    static std::map<ExpressionKind, std::string> const names = {
        {ExpressionKind::moments, "moments"},
        {ExpressionKind::add, "add"},
        {ExpressionKind::negate, "negate"},
        {ExpressionKind::multiply, "multiply"},
        {ExpressionKind::repeat, "repeat"},
        {ExpressionKind::scale, "scale"},
        {ExpressionKind::divide, "divide"},
        {ExpressionKind::quotient, "div"},
        {ExpressionKind::remainder, "mod"},
        {ExpressionKind::choose, "choose"},
        {ExpressionKind::branch, "branch"},
        {ExpressionKind::maximum, "max"},
        {ExpressionKind::vector, "vector"},
        {ExpressionKind::unit_vector, "unitvec"},
        {ExpressionKind::element, "element"},
        {ExpressionKind::largest, "largest"},
        {ExpressionKind::greater, "greater"},
        {ExpressionKind::sum_over, "sum"},
        {ExpressionKind::maximum_over, "maximum_over"},
        {ExpressionKind::square_root, "sqrt"}};
    switch (pool.kind(expression)) {
        case ExpressionKind::number: return number(pool.value(expression));
        case ExpressionKind::parameter:
        case ExpressionKind::index: return pool.name(expression);
        default: break;
    }
    auto const found = names.find(pool.kind(expression));
    std::string text = found == names.end() ? "other" : found->second;
    auto const operands = pool.operands(expression);
    for (std::size_t i = 0; i < operands.size(); ++i)
        text += (i == 0 ? "(" : ", ") + shown(pool, operands[i]);
    return text + ")";
}

std::string shown(ProcessModel const& model, ProcessId id);

std::string shown(ProcessModel const& model, std::vector<ProcessId> const& parts) {
    std::string text;
    for (auto const part : parts)
        text += (text.empty() ? "" : ", ") + shown(model, part);
    return "[" + text + "]";
}

std::string shown(ProcessModel const& model, ProcessId id) {
    auto const& pool = model.expressions;
    auto const& process = model[id];
    if (auto const* delay = std::get_if<Delay>(&process))
        return "delay " + shown(pool, delay->time);
    if (auto const* use = std::get_if<Use>(&process)) {
        return "use " + use->resource.name + "#" + shown(pool, use->resource.index) + "x" +
               shown(pool, use->resource.multiplicity) + " " + shown(pool, use->time);
    }
    if (auto const* sequence = std::get_if<Sequence>(&process))
        return "seq" + shown(model, sequence->parts);
    if (auto const* parallel = std::get_if<Parallel>(&process))
        return "par" + shown(model, parallel->branches);
    if (auto const* choice = std::get_if<ProcessChoice>(&process)) {
        return std::string(choice->stochastic ? "maybe " : "if ") + shown(pool, choice->condition) + " " +
               shown(model, choice->then) + " else " + shown(model, choice->otherwise);
    }
    auto const& loop = std::get<ProcessLoop>(process);
    return std::string(loop.parallel ? "par" : "seq") + "(" + pool.name(loop.index) + "=" +
           shown(pool, loop.first) + ".." + shown(pool, loop.last) + ") " + shown(model, loop.body);
}

std::string process(std::string const& text, std::vector<Setting> const& settings = {},
                    std::string const& name = "main") {
    auto const result = compiled(text, settings);
    for (auto const& equation : result.model.process_equations)
        if (equation.name == name)
            return shown(result.model, equation.root);
    return "no process " + name;
}

std::string value(std::string const& expression, std::string const& before = "") {
    auto const result = compiled(before + "\nnumeric x = " + expression);
    return result.model.numeric_equations.empty()
               ? "nothing"
               : shown(result.model.expressions, result.model.numeric_equations.back().value);
}

// ---- substitution

TEST(Compile, NamesAreReplacedByTheirRightSides) {
    EXPECT_EQ(process(R"(
        numeric exponential(mu) = moments(mu, mu*mu, 2, 9)
        numeric N = 100
        process main = seq (i = 1, N) { delay(exponential(10)) ; use(s, exponential(0.5)) }
        resource s = fcfs(0, 1)
    )"),
              "seq(i=1..100) seq[delay moments(10, 100, 2, 9), use s#0x1 moments(0.5, 0.25, 2, 9)]");
}

TEST(Compile, EquationsMayStandBehindTheirCalls) {
    EXPECT_EQ(process("process main = work(3) process work(n) = delay(n * unit) numeric unit = 2"),
              "delay 6");
}

TEST(Compile, ParametersStaySymbolic) {
    auto const result =
        compiled("numeric parameter N numeric parameter P = 8 numeric M = N * P process main = delay(M)");
    ASSERT_EQ(result.model.parameters.size(), 2U);
    EXPECT_EQ(result.model.parameters[0].name, "N");
    EXPECT_EQ(result.model.parameters[0].value, std::nullopt);
    EXPECT_EQ(result.model.parameters[1].value, 8);
    EXPECT_EQ(shown(result.model, result.model.process_equations[0].root), "delay multiply(N, P)");
    ASSERT_EQ(result.model.numeric_equations.size(), 1U);
    EXPECT_EQ(result.model.numeric_equations[0].name, "M");
}

TEST(Compile, ASettingReplacesTheValueOfTheText) {
    std::string const text = "numeric N = 10 numeric parameter P process main = delay(N * P)";
    EXPECT_EQ(process(text, {{"N", 3}}), "delay multiply(3, P)");
    EXPECT_EQ(process(text, {{"P", 4}}), "delay 40");
    EXPECT_EQ(process(text, {{"N", 3, true}, {"P", 2}}), "delay multiply(N, 2)");
    auto const kept = compiled(text, {{"N", 3, true}});
    ASSERT_EQ(kept.model.parameters.size(), 2U);
    EXPECT_EQ(kept.model.parameters[0].value, 3);
}

TEST(Compile, ASettingOfNothingNamesTheNearest) {
    EXPECT_THAT(messages("numeric nodes = 1", {{"node", 3}}),
                HasSubstr("the model has no 'node' to set\n        did you mean 'nodes'?"));
    EXPECT_THAT(messages("process main = delay(1)", {{"main", 3}}),
                HasSubstr("'main' cannot be set: it is a process"));
}

TEST(Compile, AHelperMayBeRedefined) {
    EXPECT_EQ(value("exponential(2)", "numeric exponential(mu) = mu + 1"), "3");
    EXPECT_THAT(messages("numeric delay(t) = t"), HasSubstr("'delay' is part of the language"));
}

TEST(Compile, ResourcesAndProcessesMayBeArguments) {
    EXPECT_EQ(process("process locked(r, work) = use(r, 1) ; work resource s = fcfs(2, 3) process main = "
                      "locked(s, { delay(1) ; delay(2) })"),
              "seq[use s#2x3 1, seq[delay 1, delay 2]]");
    EXPECT_EQ(process("process main = use(rho, 3)"), "delay 3");
    EXPECT_EQ(process("process main = use(fcfs(1, 2), 3)"), "use fcfs#1x2 3");
}

TEST(Compile, ArraysOfResourcesTakeAnIndex) {
    EXPECT_EQ(process("resource cpu(p) = fcfs(p, 1) process main = par (p = 0, 7) use(cpu(p), 1)"),
              "par(p=0..7) use cpu#px1 1");
}

TEST(Compile, TheIndexOfALoopIsItsOwnWhateverItsName) {
    auto const result =
        compiled("process inner(n) = seq (i = 1, n) delay(i) process main = seq (i = 1, 3) inner(i)");
    auto const& model = result.model;
    auto const& outer = std::get<ProcessLoop>(model[model.process_equations[0].root]);
    auto const& inner = std::get<ProcessLoop>(model[outer.body]);
    EXPECT_NE(outer.index, inner.index);
    EXPECT_EQ(model.expressions.bound_index(inner.last), outer.index);
    EXPECT_EQ(model.expressions.bound_index(std::get<Delay>(model[inner.body]).time), inner.index);
}

TEST(Compile, AnEquationIsLoweredOnceForEachListOfArguments) {
    std::string text = "process p0(n) = delay(n)\n";
    for (int i = 1; i < 15; ++i) {
        auto const before = "p" + std::to_string(i - 1);
        text.append("process p" + std::to_string(i))
            .append("(n) = " + before)
            .append("(n) ; " + before)
            .append("(n)\n");
    }
    EXPECT_LT(compiled(text + "process main = p14(3)").model.processes.size(), 20U);
}

// ---- numeric operators

TEST(Compile, NumbersAreComputed) {
    EXPECT_EQ(value("2 + 3 * 4 - 6 / 4"), "12.5");
    EXPECT_EQ(value("7 div 2 + 7 mod 4 + -7 mod 4"), "7");
    EXPECT_EQ(value("(1 < 2) + (2 <= 2) + (3 != 3) + (not 0) + (1 and 0) + (1 or 0)"), "4");
    EXPECT_EQ(value("max(1, 5, 3) + min(2, 1) + 2^3"), "14");
    EXPECT_EQ(value("ceil(1.2) + floor(1.8) + round(2.5) + abs(-1) + log2(8) + log(1) + exp(0) + sqrt(9)"),
              "14");
}

struct Product {
    char const* text;
    char const* meaning;
    char const* because;
};

class Products : public testing::TestWithParam<Product> {};

TEST_P(Products, AreThreeDifferentOperators) {
    auto const& [text, meaning, because] = GetParam();
    EXPECT_EQ(
        value(text, "numeric X = moments(3, 9, 2, 9) numeric Y = moments(2, 4, 2, 9) numeric parameter n"),
        meaning)
        << because;
}

INSTANTIATE_TEST_SUITE_P(
    Pamela, Products,
    testing::Values(
        Product{"n * 3", "multiply(n, 3)", "numbers"},
        Product{"n * X", "repeat(n, moments(3, 9, 2, 9))", "n independent ones, added up"},
        Product{"X * n", "repeat(n, moments(3, 9, 2, 9))", "whatever the order"},
        Product{"repeat(X, n)", "repeat(moments(3, 9, 2, 9), n)", "n, a random number of times: not X * n"},
        Product{"repeat(Y, X)", "repeat(moments(2, 4, 2, 9), moments(3, 9, 2, 9))", "a random sum"},
        Product{"repeat(n, 3)", "multiply(n, 3)", "of numbers there is one product"},
        Product{"scale(n, X)", "scale(n, moments(3, 9, 2, 9))", "one, n times as long"},
        Product{"X / n", "scale(divide(1, n), moments(3, 9, 2, 9))", "as scale(1/n, X)"},
        Product{"scale(2, 3)", "6", "of numbers there is one product"},
        Product{"-X", "scale(-1, moments(3, 9, 2, 9))", ""},
        Product{"X - n", "add(moments(3, 9, 2, 9), negate(n))", ""},
        Product{"n - X", "add(n, scale(-1, moments(3, 9, 2, 9)))", ""},
        Product{"n * [1, 2]", "multiply(n, vector(1, 2))", "element by element"},
        Product{"X * unitvec(3)", "multiply(moments(3, 9, 2, 9), unitvec(3))",
                "a random amount of work on resource 3"},
        Product{"n * (X * unitvec(3))", "repeat(n, multiply(moments(3, 9, 2, 9), unitvec(3)))",
                "n such amounts"},
        Product{"[X, 1] / 2", "scale(0.5, vector(moments(3, 9, 2, 9), 1))", ""}));

TEST(Compile, ARandomCountTimesARandomTimeIsSaid) {
    EXPECT_THAT(messages("numeric x = moments(3, 1, 0, 3) * moments(1, 1, 2, 9)"),
                HasSubstr("the left one counts how often"));
}

TEST(Compile, HalfARepetitionIsSaid) {
    EXPECT_THAT(messages("numeric x = 0.5 * moments(1, 1, 2, 9)"), HasSubstr("scale(0.5, X) scales one"));
    EXPECT_EQ(messages("numeric x = 2 * moments(1, 1, 2, 9)"), "");
}

TEST(Compile, ReductionsAndVectors) {
    EXPECT_EQ(value("sum (i = 1, 3) { i * unitvec(i) }"), "sum(1, 3, multiply(i, unitvec(i)))");
    EXPECT_EQ(value("max (i = 1, n) { moments(i, 1, 0, 3) }", "numeric parameter n"),
              "maximum_over(1, n, moments(i, 1, 0, 3))");
    EXPECT_EQ(value("max([1, 2, 3])"), "largest(vector(1, 2, 3))");
    EXPECT_EQ(value("[1, 2, 3][1]"), "element(vector(1, 2, 3), 1)");
    EXPECT_EQ(value("max([1, 2], [2, 1])"), "max(vector(1, 2), vector(2, 1))");
}

TEST(Compile, HelperLaws) {
    EXPECT_EQ(value("exponential(10)"), "moments(10, 100, 2, 9)");
    EXPECT_EQ(value("uniform(0, 6)"), "moments(3, 3, 0, 1.8)");
    EXPECT_EQ(value("normal(5, 2)"), "moments(5, 4, 0, 3)");
    EXPECT_EQ(value("erlang(4, 2)"), "moments(2, 1, 1, 4.5)");
    EXPECT_EQ(value("deterministic(5)"), "5");
    EXPECT_EQ(value("moments(7, 0, 0, 3)"), "7");
    EXPECT_EQ(value("bernoulli(0.25)"), "branch(0.25, 1, 0)");
    EXPECT_EQ(value("exponential(mu)", "numeric parameter mu"), "moments(mu, multiply(mu, mu), 2, 9)");
}

// Vectors: (a, b) and the tuple of Gautama and van Gemund's eq 9 for runs U, D, computed independently of
// eq 10.
TEST(Compile, BranchGivesTheTupleOfAnAlternatingRenewalProcess) {
    struct Case {
        char const* text;
        double mean, variance, skewness, kurtosis;
        char const* because;
    };
    for (auto const& each : {
             Case{"branch(moments(3, 0.5, 0, 3), moments(7, 1, 0, 3))", 0.3, 0.0335, 0.601330767, 2.75116939,
                  "near-deterministic runs"},
             Case{"branch(moments(2, 1, 0, 3), moments(6, 9, 0, 3))", 0.25, 0.140625, 1.14285714, 2.57142857,
                  "a real beta law"},
             Case{"branch(moments(4, 30, 0, 9), moments(36, 3000, 0, 9))", 0.1, 1.3575, 1.28786793,
                  1.38012247, "clustered: formal"},
             Case{"branch(moments(10/9, 10/81, 0, 3), moments(10, 90, 2, 9))", 0.1, 0.09, 2.66666667,
                  8.11111111, "without memory: Bernoulli"},
         }) {
        auto const result = compile("numeric x = " + std::string(each.text), "m", {}, no_files);
        ASSERT_TRUE(result.succeeded());
        auto const& pool = result.model.expressions;
        auto const x = result.model.numeric_equations[0].value;
        ASSERT_EQ(pool.kind(x), ExpressionKind::moments) << each.because;
        EXPECT_NEAR(pool.value(pool.operands(x)[0]), each.mean, 1e-9) << each.because;
        EXPECT_NEAR(pool.value(pool.operands(x)[1]), each.variance, 1e-9) << each.because;
        EXPECT_NEAR(pool.value(pool.operands(x)[2]), each.skewness, 1e-8) << each.because;
        EXPECT_NEAR(pool.value(pool.operands(x)[3]), each.kurtosis, 1e-8) << each.because;
    }
}

// ---- conditions

struct Choice {
    char const* condition;
    char const* meaning;
    char const* because;
};

class Conditions : public testing::TestWithParam<Choice> {};

TEST_P(Conditions, AreNumericOrStochastic) {
    auto const& [condition, meaning, because] = GetParam();
    EXPECT_EQ(process("numeric parameter n numeric parameter q = 0.3 numeric c = moments(0.1, 0.05, 1, 3)"
                      " process main = if (" +
                      std::string(condition) + ") delay(1) else delay(2)"),
              meaning)
        << because;
}

INSTANTIATE_TEST_SUITE_P(
    Pamela, Conditions,
    testing::Values(Choice{"1", "delay 1", "true"}, Choice{"0", "delay 2", "false"},
                    Choice{"7", "delay 1", "true if not 0"},
                    Choice{"0.1", "maybe 0.1 delay 1 else delay 2", "between 0 and 1: a probability"},
                    Choice{"bernoulli(0.1)", "maybe 0.1 delay 1 else delay 2", "as is"},
                    Choice{"bernoulli(1)", "delay 1", "always"},
                    Choice{"bernoulli(n)", "maybe n delay 1 else delay 2", "a probability, whatever n is"},
                    Choice{"q", "maybe q delay 1 else delay 2",
                           "a parameter that has a probability as its value"},
                    Choice{"c", "maybe moments(0.1, 0.05, 1, 3) delay 1 else delay 2", "random"},
                    Choice{"n > 3", "if greater(n, 3) delay 1 else delay 2", "a comparison is a number"}));

TEST(Compile, AConditionWithoutElseDoesNothing) {
    EXPECT_EQ(process("process main = if (0.5) delay(1)"), "maybe 0.5 delay 1 else seq[]");
    EXPECT_EQ(value("if (n > 1) 5", "numeric parameter n"), "choose(greater(n, 1), 5, 0)");
    EXPECT_EQ(value("if (bernoulli(n)) moments(1, 1, 2, 9) else 2", "numeric parameter n"),
              "branch(n, moments(1, 1, 2, 9), 2)");
}

TEST(Compile, AConditionOfAParameterWithoutAValueIsSaid) {
    EXPECT_THAT(messages("numeric parameter q process main = if (q) delay(1)"),
                HasSubstr("write bernoulli(q) if it is a probability"));
}

TEST(Compile, ALoopMayBeAsLongAsARandomNumber) {
    EXPECT_EQ(process("process main = seq (i = 1, moments(100, 25, 0.5, 3.5)) delay(2)"),
              "seq(i=1..moments(100, 25, 0.5, 3.5)) delay 2");
    EXPECT_THAT(messages("process main = seq (i = 1, exponential(3)) delay(i)"),
                HasSubstr("'i' has no value"));
    EXPECT_THAT(messages("process main = seq (i = 0, exponential(3)) delay(1)"), HasSubstr("begins with 1"));
    EXPECT_THAT(messages("process main = par (i = 1, exponential(3)) delay(1)"),
                HasSubstr("number of parallel branches"));
}

TEST(Compile, ANegativeCountTakesNoTime) {
    EXPECT_EQ(process("numeric parameter P = 3\nprocess main = par (i = 1, P) delay(2)\n",
                      {{.name = "P", .value = -3, .stays_symbolic = false}}),
              process("process main = seq (i = 1, 0) delay(1)\n"));
}

// ---- what a reader may want to vary

TEST(NamedNumbers, AreParametersAndEquationsOfOneNumber) {
    EXPECT_THAT(named_numbers("numeric P = 10\n"
                              "numeric parameter N\n"
                              "numeric parameter share = 1 / 3\n"
                              "numeric below = -3\n"
                              "numeric t = exponential(10)  % a random time\n"
                              "numeric twice = 2 * P        % follows from P\n"
                              "numeric square(x) = 4        % has formal parameters\n"
                              "resource s = fcfs(0, 1)\n"
                              "process main = delay(t)\n"),
                ElementsAre("P", "N", "share", "below"));
}

TEST(NamedNumbers, OfATextThatCannotBeReadAreNone) {
    EXPECT_THAT(named_numbers("numeric P = 10\nprocess main = delay("), IsEmpty());
    EXPECT_THAT(named_numbers(""), IsEmpty());
}

// ---- the file of samples

TEST(Compile, EmpiricalGivesMomentsAndTheirStandardErrors) {
    auto const read = [](std::string_view) -> Result<std::string> {
        return std::string("1 2 3 4\n10 % five samples\n");
    };
    auto const result = compile("numeric t = empirical(\"times.txt\")", "m", {}, read);
    ASSERT_TRUE(result.succeeded());
    auto const& pool = result.model.expressions;
    auto const t = result.model.numeric_equations[0].value;
    EXPECT_DOUBLE_EQ(pool.value(pool.operands(t)[0]), 4);
    EXPECT_DOUBLE_EQ(pool.value(pool.operands(t)[1]), 12.5);
    ASSERT_EQ(result.diagnostics.size(), 1U);
    EXPECT_EQ(result.diagnostics[0].severity, Severity::note);
    EXPECT_THAT(result.diagnostics[0].message, HasSubstr("5 samples: mean 4.00 +- 1.58"));
}

}  // namespace
}  // namespace parcast::pamela
