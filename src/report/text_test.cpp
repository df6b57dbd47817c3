#include "report/text.h"

#include <gtest/gtest.h>

namespace parcast::report {
namespace {

TEST(Text, WidthCountsColumnsNotBytes) {
    EXPECT_EQ(display_width(""), 0u);
    EXPECT_EQ(display_width("pigz"), 4u);
    EXPECT_EQ(display_width("3.21 µs"), 7u) << "two bytes, one column";
    EXPECT_EQ(display_width("e\u0301"), 1u) << "a combining accent takes no column";
    EXPECT_EQ(display_width("日本"), 4u) << "wide characters take two";
    EXPECT_EQ(display_width("a\xff"
                            "b"),
              3u)
        << "an invalid byte is shown as one sign";
    EXPECT_EQ(display_width("\xe2\x82"), 2u) << "cut off inside a character";
}

TEST(Text, NamesFromARecordingCannotSteerTheTerminal) {
    EXPECT_EQ(printable("worker\x1b[2J"), "worker?[2J");
    EXPECT_EQ(printable("two\nlines"), "two?lines");
    EXPECT_EQ(printable("µ\xff"), "µ?");
    EXPECT_EQ(printable("\xc0\xaf"), "??") << "overlong coding of '/'";
    EXPECT_EQ(printable("\xe2\x80\xae"
                        "abc"),
              "?abc")
        << "right-to-left override";
    EXPECT_EQ(printable("\xc2\x9b"
                        "2J"),
              "?2J")
        << "the one-character form of escape [";
}

TEST(Text, ShortenedTextFitsAndSaysThatItWasCut) {
    EXPECT_EQ(shorten("queue", 5), "queue");
    EXPECT_EQ(shorten("queue_push", 6), "queue…");
    EXPECT_EQ(shorten("日本語", 4), "日…") << "never half a wide character";
    EXPECT_EQ(display_width(shorten("日本語", 4)), 3u);
}

TEST(Text, AShortenedPlaceKeepsItsLine) {
    EXPECT_EQ(shorten_middle("push, queue.h:41", 16), "push, queue.h:41");
    EXPECT_EQ(shorten_middle("push, a_long_file_name.h:41", 18), "push, a_lon…e.h:41");
    EXPECT_EQ(display_width(shorten_middle("日本語日本語日本語", 9)), 7u) << "never half a wide character";
}

TEST(Text, WrappedLinesBreakAtSpaces) {
    EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
    EXPECT_EQ(wrapped("one two three", 9, 2), "one two\n  three");
    EXPECT_EQ(wrapped("unbreakable", 4), "unbreakable") << "a word is never torn";
    EXPECT_EQ(wrapped("", 10), "");
}

// "0.1" ended a line, and "%" began the next one.
TEST(Text, ANumberKeepsItsUnitAtTheEndOfALine) {
    EXPECT_EQ(wrapped("it takes 0.1 % of it", 13), "it takes\n0.1 % of it");
    EXPECT_EQ(wrapped("in 12.5 ms. Then 4 CPUs", 7), "in\n12.5 ms.\nThen\n4 CPUs");
    EXPECT_EQ(wrapped("on 2 threads", 4), "on 2\nthreads") << "no unit";
}

// A word of 100 kB was echoed whole.
TEST(ShortWords, WhatSomebodyTypedIsCutInTheMiddle) {
    std::string const long_word(100'000, 'x');
    auto const cut = with_short_words("--cpus: " + long_word + " is no number");
    EXPECT_LT(cut.size(), 100U);
    EXPECT_TRUE(cut.starts_with("--cpus: xxx") && cut.ends_with("xxx is no number")) << cut;
    auto const quoted =
        with_short_words("there is no verb \"" + std::string(50'000, 'y') + ' ' + long_word + "\" here");
    EXPECT_LT(quoted.size(), 100U) << quoted;
    EXPECT_TRUE(quoted.ends_with(" here")) << quoted;
    std::string words;
    for (int i = 0; i < 50'000; ++i)
        words += "a ";
    EXPECT_LT(with_short_words(words).size(), 5000U);
    std::string const usual = "it's \"runs/a b.parcast\":\n5:3: the host's own file";
    EXPECT_EQ(with_short_words(usual), usual);
}

}  // namespace
}  // namespace parcast::report
