#include "cli/files/process_model_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "cli/exit_status.h"

namespace parcast::cli {
namespace {

class ProcessModelFile : public testing::Test {
protected:
    std::string file(std::string const& name, std::string const& content) {
        auto const path = testing::TempDir() + "/" + name;
        std::ofstream(path) << content;
        return path;
    }
};

TEST_F(ProcessModelFile, IsToldByItsNameOrItsFirstWord) {
    EXPECT_TRUE(is_process_model_file("none.pam"));
    EXPECT_TRUE(is_process_model_file(file("model.txt", "% a comment\n  % and one more\n\n numeric N = 3")));
    EXPECT_FALSE(is_process_model_file(file("graph.txt", "digraph { a -> b }")));
    EXPECT_FALSE(is_process_model_file(file("empty.txt", "% only a comment")));
    EXPECT_FALSE(is_process_model_file("/no/such/file"));
}

TEST_F(ProcessModelFile, ASettingIsANameAndANumber) {
    auto const setting = setting_in("N=1e6");
    ASSERT_TRUE(setting);
    EXPECT_EQ(setting->name, "N");
    EXPECT_EQ(setting->value, 1e6);
    EXPECT_EQ(setting_in("x=-2.5")->value, -2.5);
    for (auto const* wrong : {"N", "=3", "N=", "N=x", "N=--1", "N=1 2"})
        EXPECT_FALSE(setting_in(wrong)) << wrong;
}

TEST_F(ProcessModelFile, SamplesLieBesideTheModel) {
    file("times.txt", "1 2 3 4 5");
    auto const path = file("samples.pam", "process main = delay(empirical(\"times.txt\"))");
    EXPECT_TRUE(read_process_model(path, {}));
}

TEST_F(ProcessModelFile, AWrongTextIsTheInputsFaultAndAWrongSettingTheCommandLines) {
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
