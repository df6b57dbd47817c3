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

TEST_F(OutputFileTest, RefusesFoldersAndMissingFolders) {
    for (auto const& wrong : {folder, folder + "/missing/out"})
        EXPECT_FALSE(OutputFile::open(wrong, Existing::replace).has_value()) << wrong;
}

// `check --junit /dev/stdout` of the superuser put a file in the place of that link.
TEST_F(OutputFileTest, ADeviceOrALinkWasReplacedByAFile) {
    auto const target = folder + "/target";
    std::ofstream(target) << "before";
    fs::create_symlink(target, path);
    EXPECT_FALSE(OutputFile::open(path, Existing::keep).has_value());
    write("after", Existing::replace);
    EXPECT_TRUE(fs::is_symlink(path));
    EXPECT_EQ(content(), "after!");

    fs::remove(path);
    fs::create_symlink("/dev/null", path);
    EXPECT_TRUE(check_output(path, Existing::keep, "input"));
    write("nothing", Existing::keep);
    EXPECT_TRUE(fs::is_symlink(path));

    fs::remove(path);
    fs::create_symlink(folder + "/nowhere", path);
    EXPECT_FALSE(check_output(path, Existing::keep, "input"));
    EXPECT_THAT(files(), testing::UnorderedElementsAre("out", "target"));
}

TEST_F(OutputFileTest, ADescriptorIsSharedWithWhatElseIsWrittenToIt) {
    auto const target = folder + "/target";
    auto const stream =
        std::unique_ptr<std::FILE, int (*)(std::FILE*)>(std::fopen(target.c_str(), "w"), std::fclose);
    std::fputs("before ", stream.get());
    std::fflush(stream.get());
    path = "/dev/fd/" + std::to_string(fileno(stream.get()));
    EXPECT_TRUE(check_output(path, Existing::keep, "input"));
    write("between", Existing::keep);
    std::fputs(" after", stream.get());
    std::fflush(stream.get());
    path = target;
    EXPECT_EQ(content(), "before between! after");
    EXPECT_FALSE(OutputFile::open("/dev/fd/987", Existing::keep).has_value());
}

// It advised -o -, which is no option of what was asked.
TEST_F(OutputFileTest, AFullDeviceIsNotWritten) {
    auto const written = write_text("text", "/dev/full", Existing::keep);
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().code, ErrorCode::not_written);
    EXPECT_THAT(written.error().message, testing::HasSubstr("No space left"));
    EXPECT_EQ(written.error().advice, "Name another file.");
}

}  // namespace
}  // namespace parcast::cli
