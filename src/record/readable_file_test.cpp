#include "record/readable_file.h"

#include <cstdio>
#include <fstream>

#include <gtest/gtest.h>

namespace parcast::record {
namespace {

TEST(ReadableFile, HasThePiecesThatAreAskedFor) {
    std::string const path = testing::TempDir() + "readable_file_test";
    std::ofstream(path) << "some bytes";
    auto const file = ReadableFile::open(path);
    ASSERT_TRUE(file) << describe(file.error());
    auto bytes = file->bytes();
    EXPECT_EQ(bytes.size(), 10u);
    auto const piece = bytes.at(5, 5);
    ASSERT_TRUE(piece) << describe(piece.error());
    EXPECT_EQ(std::string(reinterpret_cast<char const*>(piece->data()), piece->size()), "bytes");
    std::ofstream(path) << "less";
    EXPECT_EQ(bytes.at(5, 5).error().code, ErrorCode::truncated) << "it became shorter";
    std::remove(path.c_str());
    EXPECT_EQ(ReadableFile::open(path).error().code, ErrorCode::not_found);
    EXPECT_EQ(ReadableFile::open("/proc").error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace parcast::record
