#include "cli/files/files.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
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
    auto const missing = read_file("/no/such/file");
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, ErrorCode::not_found);
    EXPECT_THAT(missing.error().message, HasSubstr("/no/such/file"));

    auto const folder = read_file("/proc");
    ASSERT_FALSE(folder.has_value());
    EXPECT_EQ(folder.error().code, ErrorCode::unsupported);
    EXPECT_THAT(folder.error().message, HasSubstr("is a folder"));
}

}  // namespace
}  // namespace parcast::cli
