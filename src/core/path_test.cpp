#include "core/path.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

TEST(FileName, IsWhatFollowsTheLastSlash) {
    EXPECT_EQ(file_name("/usr/lib/libgomp.so.1"), "libgomp.so.1");
    EXPECT_EQ(file_name("src/yarn.c"), "yarn.c");
    EXPECT_EQ(file_name("/yarn.c"), "yarn.c");
    EXPECT_EQ(file_name("yarn.c"), "yarn.c") << "no folder: the whole path";
    EXPECT_EQ(file_name("/usr/lib/"), "") << "a folder has no file name";
    EXPECT_EQ(file_name(""), "");
}

}  // namespace
}  // namespace parcast
