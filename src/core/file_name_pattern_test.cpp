#include "core/file_name_pattern.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

TEST(FileNamePattern, LettersBehindAPercentSignAreReplaced) {
    FileNameParts const parts{4711, "build7", "pigz"};
    EXPECT_EQ(expanded_file_name("%e-%h.%p.parcast", parts), "pigz-build7.4711.parcast");
    EXPECT_EQ(expanded_file_name("100%%.html", parts), "100%.html");
    EXPECT_EQ(expanded_file_name("plain.html", parts), "plain.html");
    EXPECT_EQ(expanded_file_name("%%p", parts), "%p") << "what comes out is not read again";
}

TEST(FileNamePattern, AnotherLetterIsAnErrorThatListsTheKnownOnes) {
    for (char const* const pattern : {"%d.html", "%", "a%"}) {
        auto const name = expanded_file_name(pattern, {});
        ASSERT_FALSE(name) << pattern;
        EXPECT_NE(name.error().message.find("%p (process)"), std::string::npos);
    }
}

TEST(FileNamePattern, OnlyAPercentSignOfItsOwnNamesTheProcess) {
    EXPECT_TRUE(names_process("a%p"));
    EXPECT_TRUE(names_process("%%%p"));
    EXPECT_FALSE(names_process("%%p"));
    EXPECT_FALSE(names_process("%e.%h"));
    EXPECT_FALSE(names_process("a%"));
    EXPECT_FALSE(names_process("a.parcast")) << "record -o with a name without a sign never ended";
    EXPECT_FALSE(names_process(""));
}

}  // namespace
}  // namespace parcast
