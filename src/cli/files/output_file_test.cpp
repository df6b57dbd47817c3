#include "cli/files/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace parcast::cli {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
public:
    OutputFileTest()
        : folder(testing::TempDir() + "output_file." + std::to_string(getpid())), path(folder + "/out") {
        fs::remove_all(folder);
        fs::create_directory(folder);
    }
    ~OutputFileTest() override { fs::remove_all(folder); }

    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (auto const& entry : fs::directory_iterator(folder))
            names.push_back(entry.path().filename().string());
        return names;
    }
    std::string content() const {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void write(std::string const& text, Existing existing) const {
        auto file = OutputFile::open(path, existing);
        ASSERT_TRUE(file.has_value());
        ASSERT_TRUE(file->write(text).has_value());
        ASSERT_TRUE(file->write("!").has_value());
        ASSERT_TRUE(file->finish().has_value());
    }

    std::string folder;
    std::string path;
};

TEST_F(OutputFileTest, IsThereWholeOrNotAtAll) {
    {
        auto file = OutputFile::open(path, Existing::keep);
        ASSERT_TRUE(file && file->write("half"));
        EXPECT_FALSE(fs::exists(path));
    }
    EXPECT_THAT(files(), testing::IsEmpty());
    write("whole", Existing::keep);
    EXPECT_EQ(content(), "whole!");
    EXPECT_THAT(files(), testing::ElementsAre("out"));
}

TEST_F(OutputFileTest, ReplacesAFileOnlyWhereItIsTold) {
    write("first", Existing::keep);
    auto const refused = OutputFile::open(path, Existing::keep);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().message, testing::HasSubstr("exists already"));
    write("second", Existing::replace);
    EXPECT_EQ(content(), "second!");
}

// `export -o` of a path that cannot be written said so after the replay.
TEST_F(OutputFileTest, IsTriedBeforeTheWorkWithoutATrace) {
    auto const input = folder + "/input";
    std::ofstream(input) << "input";
    EXPECT_TRUE(check_output(path, Existing::keep, input).has_value());
    EXPECT_THAT(files(), testing::ElementsAre("input"));
    for (auto const& wrong : {folder + "/missing/out", input, folder}) {
        auto const checked = check_output(wrong, Existing::keep, folder + "/other");
        ASSERT_FALSE(checked.has_value()) << wrong;
        EXPECT_EQ(checked.error().code, ErrorCode::not_written);
        EXPECT_THAT(checked.error().advice, testing::Not(testing::IsEmpty()));
    }
    auto const itself = check_output(input, Existing::replace,
                                     folder + "/../" + fs::path(folder).filename().string() + "/input");
    ASSERT_FALSE(itself.has_value());
    EXPECT_EQ(itself.error().code, ErrorCode::unasked);
}

TEST_F(OutputFileTest, RefusesFoldersDevicesAndMissingFolders) {
    for (auto const& wrong : {folder, std::string("/dev/null"), folder + "/missing/out"})
        EXPECT_FALSE(OutputFile::open(wrong, Existing::replace).has_value()) << wrong;
}

}  // namespace
}  // namespace parcast::cli
