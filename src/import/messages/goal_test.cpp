#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "import/messages/goal_binary_layout.h"
#include "import/messages/message_readers.h"
#include "import/messages/message_writers.h"

namespace parcast {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

// Each kind of statement, a comment of both kinds, a mark, a precedence on a start and one on a later line.
constexpr char const* small = R"(num_ranks 2

// rank 0 sends, and computes
rank 0 {
s: send 100b to 1 tag 7 nic 1
c: calc 50 cpu 3
c requires s
recv 8 b from -1 tag -1
}
/* rank 1 { is no rank
   in here */
rank 1 {
r: recv 100b from 0 tag 7 cpu 2 nic 4
calc 10
last: send 8b to 0
last irequires r
r irequires last_but_longer_than_eight
last_but_longer_than_eight: calc 5
}
)";

std::string small_text() {
    // A label is defined before it is used.
    std::string text = small;
    std::string const early = "r irequires last_but_longer_than_eight\n";
    text.erase(text.find(early), early.size());
    return text.insert(text.rfind('}'), early);
}

std::string message(std::string const& text) {
    auto const program = messages_from_goal(text, "p.goal");
    return program ? "" : describe(program.error());
}

TEST(Goal, OperationsAreColumnsAndMarksReplacePrecedencesOnTheOneBefore) {
    auto const program = messages_from_goal(small_text(), "p.goal");
    ASSERT_TRUE(program) << describe(program.error());
    EXPECT_THAT(program->first_operation, ElementsAre(0, 3, 7));
    EXPECT_THAT(program->amount, ElementsAre(100, 50, 8, 100, 10, 8, 5));
    EXPECT_THAT(program->peer, ElementsAre(1, 0, any_peer, 0, 0, 0, 0));
    EXPECT_THAT(program->tag, ElementsAre(7, 0, any_tag, 7, 0, 0, 0));
    EXPECT_THAT(program->cpu, ElementsAre(0, 3, 0, 2, 0, 0, 0));
    EXPECT_THAT(program->nic, ElementsAre(1, 0, 0, 4, 0, 0, 0));
    EXPECT_EQ(program->kind[1], MessageKind(MessageOperation::calc, Follows::one_before));
    EXPECT_EQ(program->kind[2], MessageKind(MessageOperation::receive, Follows::nothing));
    EXPECT_EQ(program->kind[3], MessageKind(MessageOperation::receive, Follows::precedences));
    EXPECT_THAT(program->precedences, ElementsAre(Precedence{3, 6, true}, Precedence{5, 3, true}));
}

TEST(Goal, WhatIsWrittenIsReadAsTheSame) {
    auto const program = messages_from_goal(small_text(), "p.goal");
    auto const text = to_goal(*program);
    auto const bytes = to_goal_binary(*program);
    ASSERT_TRUE(text && bytes);
    EXPECT_EQ(messages_from_goal(text->bytes, "p.goal"), *program) << text->bytes;
    EXPECT_EQ(messages_from_goal_binary(bytes->bytes, "p.bin"), *program);
    EXPECT_EQ(to_goal_binary(*messages_from_goal(text->bytes, "p.goal"))->bytes, bytes->bytes);
}

TEST(Goal, LineEndsMayBeThoseOfWindows) {
    std::string text = small_text();
    for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2))
        text.replace(at, 1, "\r\n");
    EXPECT_EQ(messages_from_goal(text, "p.goal"), *messages_from_goal(small_text(), "p.goal"));
}

TEST(Goal, LabelsAreKnownInTheirRankAndLongOnesAreTold) {
    std::string text = "num_ranks 2\n";
    for (char const* rank : {"0", "1"}) {
        text += "rank " + std::string(rank) + " {\n";
        for (int i = 0; i < 1000; ++i)
            text += "a_rather_long_label_" + std::to_string(i) + ": calc 1\n";
        for (int i = 999; i > 0; --i)
            text += "a_rather_long_label_" + std::to_string(i) + " requires a_rather_long_label_" +
                    std::to_string(i - 1) + "\n";
        text += "}\n";
    }
    auto const program = messages_from_goal(text, "p.goal");
    ASSERT_TRUE(program) << describe(program.error());
    EXPECT_TRUE(program->precedences.empty());
    EXPECT_EQ(std::ranges::count(program->kind, MessageKind(MessageOperation::calc, Follows::one_before)),
              1998);
}

TEST(Goal, WhatItCannotHoldIsSaid) {
    auto program = *messages_from_goal(small_text(), "p.goal");
    program.kind[0] = MessageKind(MessageOperation::send, Follows::nothing, true);
    EXPECT_THAT(to_goal(program)->left_out, ElementsAre(StartsWith("GOAL has no synchronous sends")));
    program.kind[1] = MessageKind(MessageOperation::collective, Follows::one_before);
    EXPECT_EQ(to_goal(program).error().code, ErrorCode::unsupported);
    EXPECT_EQ(to_goal_binary(program).error().code, ErrorCode::unsupported);
}

struct Mistake {
    char const* old_text;
    char const* new_text;
    char const* message;
};

class GoalMistake : public testing::TestWithParam<Mistake> {};

TEST_P(GoalMistake, IsNamedWithItsPlace) {
    auto text = small_text();
    text.replace(text.find(GetParam().old_text), std::string(GetParam().old_text).size(),
                 GetParam().new_text);
    EXPECT_EQ(message(text), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    EachPart, GoalMistake,
    testing::Values(
        Mistake{"num_ranks 2", "", "p.goal:4:1: the number of ranks comes first: num_ranks N"},
        Mistake{"num_ranks 2", "num_ranks 0", "p.goal:1:1: a program has one rank or more"},
        Mistake{"num_ranks 2", "num_ranks 99999999999", "p.goal:1:11: the number of ranks is over 16777216"},
        Mistake{"num_ranks 2", "num_ranks 2 num_ranks 2", "p.goal:1:13: the number of ranks is given twice"},
        Mistake{"num_ranks 2", "num_ranks 3",
                "p.goal:20:1: num_ranks says 3 ranks, and the text ends after 2"},
        Mistake{"rank 1 {\nr", "rank 0 {\nr",
                "p.goal:12:1: expected rank 1: ranks come in their order, from 0"},
        Mistake{"rank 1 {\nr", "rank 2 {\nr", "p.goal:12:1: there is no rank 2; the last one is rank 1"},
        Mistake{"}\n/*", "/*", "p.goal:11:1: rank 0 has no } before the next rank"},
        Mistake{"rank 0 {", "rank 0\n{", "p.goal:4:7: expected { after the number of a rank"},
        Mistake{"rank 0 {", "", "p.goal:5:1: expected rank R {"},
        Mistake{"s: send", "s: sent", "p.goal:5:4: expected calc, send or recv after a label"},
        Mistake{"s: send", "s send", "p.goal:5:3: expected ':', requires or irequires after a label"},
        Mistake{"100b to 1", "100 to 1", "p.goal:5:13: expected b after the number of bytes"},
        Mistake{"100b to 1", "-1b to 1", "p.goal:5:9: expected a number of bytes"},
        Mistake{"100b to 1", "5000000000000000000b to 1",
                "p.goal:5:9: a number of bytes is over 4611686018427387904"},
        Mistake{"100b to 1", "99999999999999999999b to 1",
                "p.goal:5:9: a number of bytes is over 4611686018427387904"},
        Mistake{"100b to 1", "100b from 1", "p.goal:5:14: expected: to RANK"},
        Mistake{"100b to 1", "100b to 2", "p.goal:5:17: there is no rank 2; the last one is rank 1"},
        Mistake{"100b to 1", "100b to -1", "p.goal:5:17: expected a rank"},
        Mistake{"tag 7", "tag 4294967296", "p.goal:5:23: a tag is over 4294967295"},
        Mistake{"tag 7 nic 1", "nic 1 tag 7", "p.goal:5:25: the statement goes on where its line should end"},
        Mistake{"cpu 3", "cpu 256", "p.goal:6:16: the number of a CPU is over 255"},
        Mistake{"cpu 3", "cpu 3 // why", "p.goal:6:18: the statement goes on where its line should end"},
        Mistake{"c requires s", "c requires x", "p.goal:7:12: rank 0 has no label 'x' before this line"},
        Mistake{"c requires s", "x requires s", "p.goal:7:1: rank 0 has no label 'x' before this line"},
        Mistake{"c requires s", "c requires c", "p.goal:7:1: 'c' waits for itself"},
        Mistake{"c requires s", "c requires 1", "p.goal:7:12: expected a label"},
        Mistake{"c: calc", "s: calc", "p.goal:6:1: rank 0 has the label 's' twice"},
        Mistake{"last irequires r", "last irequires r\nr requires last",
                "p.goal: rank 1, operation 0 waits for itself, through those that it waits for"},
        Mistake{"in here */", "in here", "p.goal:10:1: the text ends inside a comment"},
        Mistake{"// rank 0", "/ rank 0", "p.goal:3:1: expected a comment: // or /*"}));

TEST(Goal, ATruncatedTextSaysWhereItEnds) {
    EXPECT_EQ(message(""), "p.goal:1:1: expected the number of ranks: num_ranks N");
    EXPECT_EQ(message("num_ranks 1\nrank 0 {\n"), "p.goal:3:1: the text ends inside rank 0, before its }");
    EXPECT_EQ(message("num_ranks 1\nrank 0 {\ncalc 1"), "p.goal:3:7: the text ends inside a statement");
    EXPECT_EQ(message("num_ranks 1\n}"), "p.goal:2:1: this } ends no rank");
}

// Every byte of a small file: a change is refused or gives a sound program, and no prefix is accepted.
TEST(GoalBinary, DamageIsFound) {
    auto const bytes = to_goal_binary(*messages_from_goal(small_text(), "p.goal"))->bytes;
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(messages_from_goal_binary(std::string_view(bytes).substr(0, size), "p.bin")) << size;
    for (std::size_t place = 0; place < bytes.size(); ++place)
        for (char const bits : {'\x01', '\x7f', '\x80'}) {
            auto damaged = bytes;
            damaged[place] = static_cast<char>(damaged[place] ^ bits);
            auto const program = messages_from_goal_binary(damaged, "p.bin");
            EXPECT_TRUE(!program || check(*program)) << place;
        }
}

struct Damage {
    std::size_t place;
    std::uint64_t value;
    std::size_t bytes;
    char const* message;
};

class GoalBinaryDamage : public testing::TestWithParam<Damage> {};

// One rank with a send to itself at byte 42 and a receive that follows it at byte 81.
TEST_P(GoalBinaryDamage, IsNamedWithItsPlace) {
    auto bytes = to_goal_binary(*messages_from_goal("num_ranks 1\nrank 0 {\ns: send 5b to 0\n"
                                                    "r: recv 5b from 0\nr requires s\n}\n",
                                                    "p.goal"))
                     ->bytes;
    ASSERT_EQ(bytes.size(), 124U);
    std::memcpy(bytes.data() + GetParam().place, &GetParam().value, GetParam().bytes);
    auto const program = messages_from_goal_binary(bytes, "p.bin");
    ASSERT_FALSE(program);
    EXPECT_EQ(describe(program.error()), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    EachField, GoalBinaryDamage,
    testing::Values(
        Damage{0, 4224, 8, "p.bin, byte 0: this is no binary GOAL file"},
        Damage{0, 2342, 8,
               "p.bin, byte 0: a run of LogGOPSim with --save-mem has used up this file; convert the text "
               "again"},
        Damage{8, 0, 4, "p.bin, byte 8: the number of ranks is 0, and 1 to 16777216 are possible"},
        Damage{8, 9, 4, "p.bin, byte 124: the file ends before the places of its 9 ranks"},
        Damage{14, 23, 8, "p.bin, byte 14: rank 0 does not begin where the one before it ends"},
        Damage{22, 117, 8, "p.bin, byte 124: the file ends inside rank 0"},
        Damage{22, 112, 8, "p.bin, byte 120: 4 bytes follow the last rank"},
        Damage{30, 3, 4, "p.bin, byte 30: rank 0 has no room for its 3 operations and 1 roots"},
        Damage{30, ~0U, 4, "p.bin, byte 30: rank 0 has no room for its 4294967295 operations and 1 roots"},
        Damage{38, 1, 4,
               "p.bin, byte 38: rank 0, operation 0 waits for nothing, and is not in the list of those"},
        Damage{
            46, 4, 1,
            "p.bin, byte 46: an operation is of type 4, and only 1 (send), 2 (recv) and 3 (calc) are known"},
        Damage{47, 1, 4, "p.bin, byte 47: there is no rank 1; the last one is rank 0"},
        Damage{51, ~0ULL, 8, "p.bin, byte 51: 18446744073709551615 bytes is over 4611686018427387904"},
        Damage{63, 1, 1, "p.bin, byte 63: there is no CPU 1; the highest one is 0"},
        Damage{64, 1, 1, "p.bin, byte 64: there is no interface 1; the highest one is 0"},
        Damage{65, 2, 4, "p.bin, byte 65: rank 0, operation 0: its successors lie outside of their list"},
        Damage{65, 0, 4, "p.bin, byte 81: rank 0, operation 1 waits for more operations than name it"},
        Damage{81, 2, 4, "p.bin, byte 42: rank 0 waits for 2 operations, and its list has 1"},
        Damage{120, 2, 4,
               "p.bin, byte 120: rank 0, operation 0 is followed by operation 2, which does not exist"},
        Damage{120, 0, 4,
               "p.bin, byte 120: rank 0, operation 0 is followed by operation 0, which waits for fewer"}));

}  // namespace
}  // namespace parcast
