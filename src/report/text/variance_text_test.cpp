#include "report/variance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::report {
namespace {

using testing::HasSubstr;
using testing::Not;

VarianceMethod method(double mean, double cv) {
    return {"exact_gamma", "exact, gamma", 32.5, {mean, cv}, mean * (1 - 2 * cv), mean * (1 + 2 * cv)};
}

VarianceAnswer of_numbers() {
    VarianceAnswer report;
    report.given = VarianceInput{7700, {236.9, 2}, {12, 1.68}};
    report.methods = {method(8100, 0.0219)};
    return report;
}

TEST(VarianceText, NumbersHaveTheUnitOfTheUser) {
    std::string const text = variance_text(of_numbers(), {});
    EXPECT_THAT(text, HasSubstr("in pieces of 237 (CV 2.00) before delays of 12.0"));
    EXPECT_THAT(text, HasSubstr("delayed 4.82 % of the time"));
    EXPECT_THAT(text, HasSubstr("exact, gamma    32.5"));
    EXPECT_THAT(text, HasSubstr("spread the time by 2.19 % around its mean"));
    EXPECT_THAT(text, Not(HasSubstr(" ns")));
}

TEST(VarianceText, ARowSaysWhatAThreadDidAndWhatTheModelMakesOfIt) {
    VarianceAnswer report;
    report.files = {"server.1.parcast"};
    VarianceThread thread;
    thread.id = 3;
    thread.name = "reader";
    thread.intervals = 1200;
    thread.delays = 4800;
    thread.cpu_cv = 0.25;
    thread.input = {2e6, {5e5, 0.8}, {1e6, 1.5}};
    thread.methods = {method(6e6, 0.4)};
    thread.standard_error = 1.2e5;
    thread.measured = {6.1e6, 0.42};
    report.threads = {thread};
    std::string const text = variance_text(report, {});
    EXPECT_THAT(text, HasSubstr("server.1.parcast\n"));
    EXPECT_THAT(text, HasSubstr("reader"));
    EXPECT_THAT(text, HasSubstr("6.00 ms"));
    EXPECT_THAT(text, HasSubstr("6.10 ms"));
    EXPECT_THAT(text, HasSubstr("6.00 ms   2 %"));
    EXPECT_THAT(text, Not(HasSubstr("recordings"))) << "there is only one";
}

TEST(VarianceText, SeveralRecordingsAreComparedAsAWhole) {
    VarianceAnswer report;
    report.files = {"a", "b", "c"};
    report.runs = VarianceOfRuns{3, {5e9, 0.01}, {1e9, 0.2}, {6e9, 0.05}, 0.03};
    EXPECT_THAT(
        variance_text(report, {}),
        HasSubstr("Of 3 recordings, all threads with delays together: CPU time 5.00 s (CV 0.0100), "));
}

}  // namespace
}  // namespace parcast::report
