#include "answer/thread_count.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

TEST(ThreadCount, IsFoundByTheNumberOfThreads) {
    struct Row {
        CommandWords command;
        std::size_t threads;
        char const* text;
        CommandWords with_16;
        char const* because;
    };
    for (auto const& row : {
             Row{{"pigz", "-p", "8", "-k", "big.tar"},
                 10,
                 "-p 8",
                 {"pigz", "-p", "16", "-k", "big.tar"},
                 "pigz writes with a thread of its own"},
             Row{{"make", "-j4"}, 5, "-j4", {"make", "-j16"}, "a short option and its value are one word"},
             Row{{"env", "OMP_NUM_THREADS=4", "solver"},
                 4,
                 "OMP_NUM_THREADS=4",
                 {"env", "OMP_NUM_THREADS=16", "solver"},
                 "the initial thread is one of a team"},
             Row{{"lu", "3", "256"}, 4, "3", {"lu", "16", "256"}, "another number is far from theirs"},
             Row{{"x", "--level", "3", "--threads=4"},
                 5,
                 "--threads=4",
                 {"x", "--level", "3", "--threads=16"},
                 "the nearest one"},
         }) {
        auto const word = thread_count_word(row.command, row.threads);
        ASSERT_TRUE(word.has_value()) << row.because;
        EXPECT_EQ(thread_count_text(row.command, *word), row.text) << row.because;
        EXPECT_EQ(with_thread_count(row.command, *word, "16"), row.with_16) << row.because;
    }
}

TEST(ThreadCount, IsNoNumberOfAnotherSizeOrInAName) {
    for (auto const& command :
         {CommandWords{"pigz", "big.tar"}, CommandWords{"8"}, CommandWords{"x", "file8"},
          CommandWords{"x", "-b", "128"}, CommandWords{"x", "1"}, CommandWords{"x", "99999999999999999999"}})
        EXPECT_FALSE(thread_count_word(command, 9).has_value()) << command.back();
}

}  // namespace
}  // namespace parcast
