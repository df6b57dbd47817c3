#include "cli/files/inputs.h"

#include <gtest/gtest.h>

#include <fstream>

#include "cli/exit_status.h"

namespace parcast::cli {
namespace {

class Inputs : public testing::Test {
protected:
    std::string file(std::string const& name, std::string const& content) {
        auto const path = testing::TempDir() + "/" + name;
        std::ofstream(path) << content;
        return path;
    }
};

TEST_F(Inputs, AModelIsToldByItsNameOrItsFirstWord) {
    EXPECT_EQ(form_of("none.pam"), Form::model);
    EXPECT_EQ(form_of(file("model.txt", "% a comment\n  % and one more\n\n numeric N = 3")), Form::model);
    EXPECT_EQ(form_of(file("graph.txt", "digraph { a -> b }")), Form::task_graph);
    EXPECT_EQ(form_of(file("empty.txt", "% only a comment")), Form::recording);
    EXPECT_EQ(form_of("/no/such/file"), Form::recording);
}

TEST_F(Inputs, ASettingIsANameAndANumber) {
    std::string const both[] = {"N=1e6", "x=-2.5"};
    auto const settings = settings_in(both);
    ASSERT_TRUE(settings);
    EXPECT_EQ(settings->front().name, "N");
    EXPECT_EQ(settings->front().value, 1e6);
    EXPECT_EQ(settings->back().value, -2.5);
    for (std::string const wrong : {"N", "=3", "N=", "N=x", "N=--1", "N=1 2"})
        EXPECT_FALSE(settings_in({&wrong, 1})) << wrong;
}

TEST_F(Inputs, SamplesLieBesideTheModel) {
    file("times.txt", "1 2 3 4 5");
    auto const path = file("samples.pam", "process main = delay(empirical(\"times.txt\"))");
    EXPECT_TRUE(read_process_model(path, {}));
}

TEST_F(Inputs, AWrongTextIsTheInputsFaultAndAWrongSettingTheCommandLines) {
    auto const wrong = read_process_model(file("wrong.pam", "process main = dely(1)"), {});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(exit_status_of(wrong.error().code), exit_input);
    pamela::Setting const unknown[] = {{"M", 3}};
    auto const set = read_process_model(file("right.pam", "numeric N = 1 process main = delay(N)"), unknown);
    ASSERT_FALSE(set);
    EXPECT_EQ(exit_status_of(set.error().code), exit_usage);
}

}  // namespace
}  // namespace parcast::cli
