#include "record/mapped_file.h"

#include <cstdio>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace parcast::record {
namespace {

TEST(MappedFile, HasTheContentAndKeepsChangesToItself) {
    std::string const path = testing::TempDir() + "mapped_file_test";
    std::ofstream(path) << "content";
    {
        auto const mapped = MappedFile::open(path);
        ASSERT_TRUE(mapped.has_value());
        ASSERT_EQ(mapped->bytes().size(), 7u);
        EXPECT_EQ(mapped->bytes()[0], std::byte{'c'});
        mapped->bytes()[0] = std::byte{'x'};
    }
    std::ifstream file(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "content");
    std::ofstream(path, std::ios::trunc).flush();
    EXPECT_TRUE(MappedFile::open(path)->bytes().empty());
    std::remove(path.c_str());
    EXPECT_EQ(MappedFile::open(path).error().code, ErrorCode::not_found);
    EXPECT_EQ(MappedFile::open("/proc").error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace parcast::record
