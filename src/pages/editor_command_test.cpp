#include "pages/editor_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::pages {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> words_of(std::string_view text) {
    auto const command = parse_editor_command(text);
    return command ? words_for(*command, "/a b/x.c", 7) : std::vector<std::string>{command.error().message};
}

}  // namespace

TEST(EditorCommand, WordsAreThoseOfAShellAndThePlaceStaysInItsWord) {
    EXPECT_THAT(words_of("code -g {file}:{line}"), ElementsAre("code", "-g", "/a b/x.c:7"));
    EXPECT_THAT(words_of("  emacsclient\t-n +{line}  {file} "),
                ElementsAre("emacsclient", "-n", "+7", "/a b/x.c"));
    EXPECT_THAT(words_of("'my editor' \"{file}\""), ElementsAre("my editor", "/a b/x.c"));
    EXPECT_THAT(words_of("x \\\"{file} 'a\\b' \"a\\b\\$\" ''"),
                ElementsAre("x", "\"/a b/x.c", "a\\b", "a\\b$", ""));
}

TEST(EditorCommand, WhatAShellWouldDoHasNoMeaning) {
    EXPECT_THAT(words_of("x {file} ; rm $HOME | `id` > y"),
                ElementsAre("x", "/a b/x.c", ";", "rm", "$HOME", "|", "`id`", ">", "y"));
}

TEST(EditorCommand, NamesOfFilesAreNotSearchedForPlaceholders) {
    auto const command = parse_editor_command("x {file} {line}");
    ASSERT_TRUE(command.has_value());
    EXPECT_THAT(words_for(*command, "/{line}/{file}.c", 3), ElementsAre("x", "/{line}/{file}.c", "3"));
}

TEST(EditorCommand, WrongTemplatesAreRefusedWithWhatIsExpected) {
    for (auto const* const text : {"", "   ", "code", "code -g {line}", "code {file", "code {file} {column}",
                                   "{file}", "code '{file}", "code {file} \\", "'' {file}"}) {
        auto const command = parse_editor_command(text);
        ASSERT_FALSE(command.has_value()) << text;
        EXPECT_THAT(command.error().message, HasSubstr("'code -g {file}:{line}'"));
    }
}

}  // namespace parcast::pages
