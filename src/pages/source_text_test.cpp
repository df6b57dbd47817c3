#include "pages/source_text.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace parcast::pages {

namespace {

namespace fs = std::filesystem;

Result<std::string> read_text(std::string const& path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator(file), {});
}

class SourceText : public testing::Test {
protected:
    SourceText() : folder_(fs::temp_directory_path() / ("parcast-sources-" + std::to_string(getpid()))) {
        fs::create_directories(folder_);
    }
    ~SourceText() override { fs::remove_all(folder_); }

    std::string write(std::string const& name, int lines) {
        std::ofstream file(folder_ / name);
        for (int i = 1; i <= lines; ++i)
            file << "line " << i << '\n';
        return (folder_ / name).string();
    }

    std::optional<report::SourceExcerpt> around(std::string const& file, std::uint32_t line) {
        Site site;
        site.frames.push_back({"work", file, line});
        return SourceTexts(folder_.string(), read_text).around(site);
    }

    fs::path folder_;
};

}  // namespace

TEST_F(SourceText, IsTheLinesAroundThePlace) {
    auto const found = around(write("queue.c", 100), 50);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->first_line, 20U);
    EXPECT_EQ(found->lines.size(), 61U);
    EXPECT_EQ(found->lines.at(50 - found->first_line), "line 50");
}

TEST_F(SourceText, EndsWithItsFile) {
    auto const file = write("short.c", 3);
    auto const found = around(file, 3);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->first_line, 1U);
    EXPECT_EQ(found->lines, (std::vector<std::string>{"line 1", "line 2", "line 3"}));
    EXPECT_FALSE(around(file, 4)) << "the file is another one by now";
    EXPECT_FALSE(around(file, 0)) << "no line is known";
}

TEST_F(SourceText, OfARelativeNameIsLookedForWhereTheProgramRan) {
    write("relative.cpp", 5);
    EXPECT_TRUE(around("relative.cpp", 2));
}

TEST_F(SourceText, IsReadFromSourcesOnly) {
    EXPECT_FALSE(around(write("secret.key", 9), 1));
    EXPECT_FALSE(around("/etc/passwd", 1));
    EXPECT_FALSE(around("/usr/include/c++/../../../etc/passwd", 1));
    EXPECT_FALSE(around("/dev/zero", 1));
    fs::create_symlink(write("id_rsa", 9), folder_ / "link.c");
    EXPECT_FALSE(around((folder_ / "link.c").string(), 1)) << "a link in disguise";
    fs::create_directory(folder_ / "folder.c");
    EXPECT_FALSE(around((folder_ / "folder.c").string(), 1));
}

TEST_F(SourceText, OfAReportIsListedBySite) {
    Catalogue catalogue;
    catalogue.sites.resize(3);
    catalogue.sites[1].frames.push_back({"work", write("one.c", 5), 2});
    catalogue.sites[2].frames.push_back({"work", "/nowhere/two.c", 2});
    auto const found = sources_of(catalogue, "/", read_text);
    ASSERT_EQ(found.excerpts.size(), 1U);
    EXPECT_EQ(found.excerpts[0].site, 1U);
    EXPECT_TRUE(found.is_complete);
}

}  // namespace parcast::pages
