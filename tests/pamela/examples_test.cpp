// The models of examples/pamela: all compile, and are printed and read again; of the published ones, what
// they mean and what is doubtful about them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "pamela/compile.h"
#include "pamela/syntax/parser.h"
#include "support/syntax_printer.h"

namespace parcast::pamela {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::filesystem::path const folder = PARCAST_EXAMPLE_MODELS;

std::string content(std::filesystem::path const& file) {
    std::ifstream stream(file);
    EXPECT_TRUE(stream) << file;
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

Result<std::string> from_folder(std::string_view name) {
    return content(folder / name);
}

Compilation compiled(std::string const& name, std::vector<Setting> const& settings = {}) {
    auto const text = content(folder / name);
    auto result = compile(text, name, settings, from_folder);
    EXPECT_TRUE(result.succeeded()) << describe(result.diagnostics, text);
    return result;
}

TEST(ExampleModels, AllCompileAndArePrintedAndReadAgain) {
    std::size_t models = 0;
    for (auto const& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".pam")
            continue;
        ++models;
        auto const name = entry.path().filename().string();
        EXPECT_FALSE(compiled(name).model.process_equations.empty()) << name;
        auto const text = content(entry.path());
        DiagnosticList said(text, name);
        auto const syntax = parse(text, said);
        auto const printed = print(syntax);
        DiagnosticList said_of_printed(printed, name);
        EXPECT_TRUE(same(syntax, parse(printed, said_of_printed))) << printed;
    }
    EXPECT_GE(models, 5U);
}

// The listing of section 5.1, word by word.
TEST(ExampleModels, TheMachineRepairModelCompilesWithoutAWord) {
    EXPECT_THAT(compiled("mrm.pam").diagnostics, IsEmpty());
}

// A sweep of P and N, which the listing gives numbers.
TEST(ExampleModels, TheMachineRepairModelHasASweepOfItsClients) {
    auto const result = compiled("mrm.pam", {{"P", 100, true}, {"N", 10, false}});
    ASSERT_EQ(result.model.parameters.size(), 1U);
    EXPECT_EQ(result.model.parameters[0].name, "P");
    EXPECT_EQ(result.model.parameters[0].value, 100);
}

// The listing of figure 3, word by word. `p` stands outside its loops in the two sequential sections; c2 has
// a kurtosis that its skewness forbids; none of the three conditions has the variance of a truth value.
TEST(ExampleModels, TheSortingModelCompilesWithItsSlipsExplained) {
    auto const result = compiled("psrs.pam");
    std::vector<std::string> said;
    for (auto const& each : result.diagnostics) {
        EXPECT_EQ(each.severity, Severity::warning);
        said.push_back(std::to_string(*each.place.line) + ": " + each.message);
    }
    EXPECT_THAT(
        said,
        ElementsAre(
            HasSubstr("9: no distribution has the moments (0.01, 0.03, 9, 70): with a skewness of 9 the "
                      "kurtosis is at least 82"),
            HasSubstr("19: 'p' is no index here: it is taken for 0, the first value of the loop in line 14"),
            HasSubstr("21: 'p' is no index here: it is taken for 0, the first value of the loop in line 14"),
            HasSubstr("no condition has the moments (0.005, 2, 4, 20): with a mean of 0.005 its variance is "
                      "at most 0.004975"),
            HasSubstr("no condition has the moments (0.004, 5, 2, 6)")));
    EXPECT_THAT(result.diagnostics[3].hint, HasSubstr("in the call in line 15"));
}

TEST(ExampleModels, TheOthersCompileWithoutAWord) {
    for (auto const* name : {"lock.pam", "pipeline.pam", "bandwidth.pam"})
        EXPECT_THAT(compiled(name).diagnostics, IsEmpty()) << name;
}

}  // namespace
}  // namespace parcast::pamela
