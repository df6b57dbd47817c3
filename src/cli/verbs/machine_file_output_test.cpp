#include "cli/verbs/machine_file_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace parcast::cli {
namespace {

namespace fs = std::filesystem;

class MachineFileOutput : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "parcast-machine-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { fs::remove_all(folder_); }

    static std::string content(fs::path const& path) {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }

    std::size_t files() const {
        auto const entries = fs::recursive_directory_iterator(folder_);
        return static_cast<std::size_t>(std::count_if(
            begin(entries), end(entries), [](auto const& entry) { return entry.is_regular_file(); }));
    }

    fs::path folder_;
};

TEST_F(MachineFileOutput, ChecksBeforeTheMeasurementAndLeavesNothing) {
    EXPECT_TRUE(check_machine_file_output((folder_ / "new" / "host.toml").string()));
    EXPECT_TRUE(fs::is_directory(folder_ / "new"));
    EXPECT_EQ(files(), 0U);
    auto const refused = check_machine_file_output(folder_.string());
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, testing::HasSubstr("Is a directory"));
}

TEST_F(MachineFileOutput, MakesTheFoldersThatAreMissing) {
    fs::path const path = folder_ / "parcast" / "machines" / "host.toml";
    auto const former = replace_machine_file(path.string(), "new");
    ASSERT_TRUE(former.has_value());
    EXPECT_EQ(*former, std::nullopt);
    EXPECT_EQ(content(path), "new");
    EXPECT_EQ(files(), 1u);
}

TEST_F(MachineFileOutput, KeepsTheFormerFileButNotTheOneBefore) {
    fs::path const path = folder_ / "host.toml";
    for (auto const* text : {"first", "second", "third"})
        ASSERT_TRUE(replace_machine_file(path.string(), text).has_value()) << text;
    EXPECT_EQ(content(path), "third");
    EXPECT_EQ(content(path.string() + "~"), "second");
    EXPECT_EQ(files(), 2u);
}

TEST_F(MachineFileOutput, AFolderThatIsAFileIsAnError) {
    std::ofstream(folder_ / "file") << "x";
    auto const failed = replace_machine_file((folder_ / "file" / "host.toml").string(), "new");
    ASSERT_FALSE(failed.has_value());
    EXPECT_THAT(failed.error().message, testing::HasSubstr("host.toml"));
}

TEST_F(MachineFileOutput, AFolderOfThatNameIsSaidToBeOneAndNothingStaysBehind) {
    auto const failed = replace_machine_file(folder_.string(), "new");
    ASSERT_FALSE(failed.has_value());
    EXPECT_THAT(failed.error().message, testing::HasSubstr("directory"));
    EXPECT_EQ(files(), 0u);
}

TEST_F(MachineFileOutput, ANameThatIsTooLongIsAnErrorAndNoBug) {
    auto const failed = replace_machine_file((folder_ / std::string(300, 'x')).string(), "new");
    ASSERT_FALSE(failed.has_value());
    EXPECT_THAT(failed.error().message, testing::HasSubstr("too long"));
}

}  // namespace
}  // namespace parcast::cli
