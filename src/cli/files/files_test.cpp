#include "cli/files/files.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parcast::cli {
namespace {

using testing::HasSubstr;

TEST(Files, AFileIsReadToItsEnd) {
    std::string const path = testing::TempDir() + "parcast-files-test-" + std::to_string(getpid());
    std::string const content(3'000'000, 'x');  // longer than what is read at once
    std::ofstream(path, std::ios::binary) << content;
    auto const text = read_text(path);
    std::remove(path.c_str());
    ASSERT_TRUE(text.has_value());
    EXPECT_EQ(*text, content);
}

TEST(Files, AFileWithoutASizeIsReadToItsEnd) {
    auto const text = read_text("/proc/self/cmdline");  // its size is given as 0
    ASSERT_TRUE(text.has_value());
    EXPECT_THAT(*text, HasSubstr("cli_test"));
}

TEST(Files, WhatCannotBeReadIsNamedWithTheReason) {
    auto const missing = InputFile::open("/no/such/file");
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, ErrorCode::not_found);
    EXPECT_THAT(missing.error().message, HasSubstr("/no/such/file"));

    auto const folder = InputFile::open("/proc");
    ASSERT_FALSE(folder.has_value());
    EXPECT_EQ(folder.error().code, ErrorCode::unsupported);
    EXPECT_THAT(folder.error().message, HasSubstr("is a folder"));
}

// `parcast info /dev/zero` grew until memory ended, and a named pipe blocked for ever.
TEST(Files, DevicesAndNamedPipesAreRejectedBeforeTheyAreRead) {
    std::string const pipe = testing::TempDir() + "parcast-pipe-" + std::to_string(getpid());
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (auto const& [path, kind] : {std::pair{std::string("/dev/zero"), "/dev/zero is a device, not a file"},
                                     std::pair{pipe, "is a pipe, not a file; write it to a file first"}}) {
        auto const file = InputFile::open(path);
        auto const text = read_text(path);
        ASSERT_FALSE(file.has_value() || text.has_value()) << path;
        EXPECT_THAT(file.error().message, HasSubstr(kind));
        EXPECT_EQ(text.error().message, file.error().message);
    }
    std::remove(pipe.c_str());
}

TEST(Files, ATextMayComeThroughAPipeThatTheShellMade) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    std::string const path = "/dev/fd/" + std::to_string(ends[0]);
    std::thread writer([&] {
        EXPECT_EQ(write(ends[1], "slow", 4), 4);
        close(ends[1]);
    });
    auto const text = read_text(path);
    writer.join();
    EXPECT_EQ(text.value_or("not read"), "slow");
    EXPECT_FALSE(InputFile::open(path).has_value()) << "other inputs are read twice";
    close(ends[0]);
}

TEST(Files, TheHeadIsReadWithoutTheRest) {
    std::string const path = testing::TempDir() + "parcast-head-" + std::to_string(getpid());
    std::ofstream(path) << "0123456789";
    auto const file = InputFile::open(path);
    std::remove(path.c_str());
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(file->head(4).size(), 4U);
    EXPECT_EQ(file->head(100).size(), 10U);
    EXPECT_EQ(file->text().value_or(""), "0123456789");
}

}  // namespace
}  // namespace parcast::cli
