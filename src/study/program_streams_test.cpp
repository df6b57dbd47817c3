#include "study/program_streams.h"

#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

namespace parcast::study {
namespace {

void say(ProgramStreams const& streams, std::string_view text) {
    ASSERT_EQ(write(streams.messages(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

TEST(ProgramStreams, TheLastLinesAreKept) {
    ProgramStreams const streams;
    EXPECT_EQ(streams.last_words(), "");
    say(streams, "one\ntwo\n");
    EXPECT_EQ(streams.last_words(), "one · two");
    say(streams, "three\nfour\nfive without an end");
    EXPECT_EQ(streams.last_words(), "two · three · four · five without an end");
}

TEST(ProgramStreams, ARunDoesNotInheritTheMessagesOfTheOneBefore) {
    ProgramStreams const streams;
    say(streams, "old\n");
    streams.clear();
    say(streams, "new\n");
    EXPECT_EQ(streams.last_words(), "new");
}

}  // namespace
}  // namespace parcast::study
