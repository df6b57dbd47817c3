// Readers and writers of traces of calls: SimGrid's time-independent ones and those of Dimemas.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "import/messages/message_format.h"
#include "program/collectives/collectives.h"
#include "program/message_program_builder.h"

namespace parcast {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Result<MessageProgram> read_ti(std::string const& text, double flops_per_ns = 1) {
    NamedText const named{"t.ti", text};
    return messages_from_simgrid_ti({&named, 1}, flops_per_ns);
}

std::string ti_message(std::string const& text) {
    auto const program = read_ti(text);
    return program ? "" : describe(program.error());
}

// Rank 0 of a trace whose rank 1 does nothing.
std::string rank_0(std::string const& lines) {
    return "0 init\n1 init\n" + lines;
}

TEST(SimgridTi, LinesOfRanksMayBeMixedAndTimesAreFlops) {
    auto const program = read_ti(
        "# a comment\n0 init\n1 init 1\n\n0 compute 1e3\n1\trecv 0 7 3\n"
        "0 send 1 7 24 6\n1 sleep 1e-6\n0 finalize\n1 finalize\n",
        2);
    ASSERT_TRUE(program) << describe(program.error());
    EXPECT_THAT(program->first_operation, ElementsAre(0, 2, 4));
    EXPECT_THAT(program->amount, ElementsAre(500, 24, 24, 1000)) << "3 doubles are 24 bytes";
    EXPECT_THAT(program->precedences, IsEmpty());
    EXPECT_EQ(program->kind[1], MessageKind(MessageOperation::send, Follows::one_before));
    EXPECT_THAT(program->assumptions, ElementsAre("a rank that sleeps keeps its CPU",
                                                  "computations run at 2.00 flops per ns (--flops-per-ns)"));
}

// wait, waitall: what follows waits for the end of the requests; until then for their start.
TEST(SimgridTi, RequestsArePrecedences) {
    auto const program =
        read_ti(rank_0("0 irecv 1 2 8\n0 irecv 1 2 9\n0 isend 1 5 7\n0 compute 10\n"
                       "0 wait 1 0 2\n0 compute 20\n0 waitall\n0 compute 30\n0 test 0 1 5\n"));
    ASSERT_TRUE(program) << describe(program.error());
    EXPECT_THAT(program->precedences,
                ElementsAre(Precedence{1, 0, true}, Precedence{2, 1, true}, Precedence{3, 2, true},
                            Precedence{4, 0, false}, Precedence{4, 3, false}, Precedence{5, 1, false},
                            Precedence{5, 2, false}, Precedence{5, 4, false}));
    EXPECT_THAT(program->assumptions, testing::Contains("a test never waits, whatever it found"));
}

TEST(SimgridTi, CollectivesStayCalls) {
    auto const program =
        read_ti(rank_0("0 bcast 4 1 0\n0 allreduce 10 1e4 1\n0 alltoallv 9 1 2 9 3 4 6 6\n"
                       "0 reducescatter 5 6 0 6\n0 gatherv 3 3 4 1\n0 allgatherv 3 3 4\n"));
    ASSERT_TRUE(program) << describe(program.error());
    EXPECT_THAT(
        program->collectives,
        ElementsAre(
            CollectiveCall{.kind = CollectiveKind::broadcast, .root = 1, .sent_bytes = 32},
            CollectiveCall{.kind = CollectiveKind::allreduce, .sent_bytes = 40},
            CollectiveCall{.kind = CollectiveKind::alltoall, .bytes_by_rank = {1, 2}},
            CollectiveCall{.kind = CollectiveKind::reduce_scatter, .sent_bytes = 11, .bytes_by_rank = {5, 6}},
            CollectiveCall{
                .kind = CollectiveKind::gather, .root = 1, .sent_bytes = 3, .bytes_by_rank = {3, 4}},
            CollectiveCall{.kind = CollectiveKind::allgather, .sent_bytes = 3, .bytes_by_rank = {3, 4}}));
    EXPECT_EQ(program->amount[2], 10000U) << "computing comes after the allreduce, as in SimGrid's replay";
}

TEST(SimgridTi, AFileForEachRankIsTheSameAsOneForAll) {
    std::vector<NamedText> const files = {{"a", "0 init\n0 send 1 7 100\n"},
                                          {"b", "1 init\n1 recv 0 7 100\n"}};
    EXPECT_EQ(messages_from_simgrid_ti(files), *read_ti("1 init\n0 send 1 7 100\n1 recv 0 7 100\n"));
    std::vector<NamedText> const swapped = {files[1], files[0]};
    EXPECT_EQ(describe(messages_from_simgrid_ti(swapped).error()),
              "b:1:1: this is the trace of rank 0, and the action is of rank 1");
}

// The line was said to be of the list of files.
TEST(SimgridTi, ACollectiveIsNamedWithTheFileOfItsRank) {
    std::vector<NamedText> const files = {{"a.ti", "0 init\n0 barrier\n"}, {"b.ti", "1 init\n"}};
    auto const program = messages_from_simgrid_ti(files);
    ASSERT_TRUE(program) << describe(program.error());
    auto const messages = lowered(*program);
    ASSERT_FALSE(messages);
    EXPECT_EQ(messages.error().message,
              "rank 1 leaves out the barrier that is rank 0, operation 0 (a.ti, line 2)");
    EXPECT_NE(messages.error().advice, "");
}

struct TraceMistake {
    char const* text;
    char const* message;
};

class TiMistake : public testing::TestWithParam<TraceMistake> {};

TEST_P(TiMistake, IsNamedWithItsPlace) {
    EXPECT_EQ(ti_message(rank_0(GetParam().text)), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Each, TiMistake,
    testing::Values(
        TraceMistake{"init\n", "t.ti:3:1: expected a rank and its action"},
        TraceMistake{"0\n", "t.ti:3:1: expected a rank and its action"},
        TraceMistake{"3 init\n", "t.ti:1:1: rank 2 has no line, and ranks count from 0"},
        TraceMistake{"4000000 init\n", "t.ti:3:1: there cannot be a rank 4000000, and ranks count from 0"},
        TraceMistake{"0 spawn 4\n", "t.ti:3:1: 'spawn' is no action that parcast reads"},
        TraceMistake{"0 send 1 7\n", "t.ti:3:1: send needs 3 values, and has 2"},
        TraceMistake{"0 send 1 7 8 6 9\n", "t.ti:3:1: send has 5 values, and at most 4 are known"},
        TraceMistake{"0 send 2 7 8\n", "t.ti:3:8: there is no rank 2; the last one is rank 1"},
        TraceMistake{"0 send -1 7 8\n", "t.ti:3:8: expected a rank"},
        TraceMistake{"0 send 1 x 8\n", "t.ti:3:10: expected a tag"},
        TraceMistake{"0 send 1 7 8b\n", "t.ti:3:12: expected a count"},
        TraceMistake{"0 send 1 7 -8\n", "t.ti:3:12: a count is negative"},
        TraceMistake{"0 send 1 7 1e19\n", "t.ti:3:12: a count is too large"},
        TraceMistake{"0 send 1 7 4611686018427387905\n", "t.ti:3:12: a count is too large"},
        TraceMistake{"0 send 1 7 1152921504606846976 0\n", "t.ti:3:12: a count is too large"},
        TraceMistake{"0 send 1 7 8 30\n", "t.ti:3:14: type 30 is none that parcast knows the size of"},
        TraceMistake{"0 compute nan\n", "t.ti:3:11: expected a number of flops"},
        TraceMistake{"0 compute 1e19\n", "t.ti:3:11: a number of flops is too large"},
        TraceMistake{"0 wait 1 0 7\n",
                     "t.ti:3:1: rank 0 waits for a message that no isend or irecv before it has started"},
        TraceMistake{"0 bcast\n", "t.ti:3:1: bcast needs 1 value, and has 0"},
        TraceMistake{"0 bcast 8 2\n", "t.ti:3:11: there is no rank 2; the last one is rank 1"},
        TraceMistake{"0 alltoallv 1 1 1 1 1\n", "t.ti:3:1: alltoallv needs 6 values, and has 5"}));

TEST(SimgridTi, AnEmptyTraceIsRefused) {
    EXPECT_EQ(ti_message("# nothing\n"), "t.ti:1:1: the trace has no action");
}

constexpr char const* small_dim = R"(#DIMEMAS:"a:b.dim":0:3(1,1,1),2
d:1:1:3:0:1:2
d:1:2:2:1:2
1:0:0:0.000001000
2:0:0:1:100:7:1:0
20:0:0:40000001:1
10:0:0:1:1:0:0:64:64
3:1:0:0:100:7:1:1
1:1:0:0.000000000
1:1:0:0.000002
3:1:0:0:100:7:1:2
10:1:0:1:1:1:0:64:64
10:1:0:11:2:0:0:8:8
2:2:0:0:9:1:1:3
10:2:0:1:1:0:0:64:64
10:2:0:11:2:0:0:8:8
3:0:0:2:9:1:1:0
)";

std::string dim_message(std::string const& old_text, std::string const& new_text) {
    std::string text = small_dim;
    auto const program =
        messages_from_dimemas(text.replace(text.find(old_text), old_text.size(), new_text), "t.dim");
    return program ? "" : describe(program.error());
}

TEST(Dimemas, RecordsAreOperations) {
    auto const program = messages_from_dimemas(small_dim, "t.dim");
    ASSERT_TRUE(program) << describe(program.error());
    EXPECT_EQ(program->name, "a:b.dim");
    EXPECT_THAT(program->first_operation, ElementsAre(0, 4, 8, 11));
    EXPECT_THAT(program->amount, ElementsAre(1000, 100, 0, 9, 100, 2000, 0, 1, 9, 0, 1));
    EXPECT_THAT(program->communicators, ElementsAre(IsEmpty(), ElementsAre(1, 2)));
    EXPECT_THAT(
        program->collectives,
        ElementsAre(CollectiveCall{.kind = CollectiveKind::broadcast, .root = 1, .sent_bytes = 64},
                    CollectiveCall{.kind = CollectiveKind::allreduce, .communicator = 1, .sent_bytes = 8}));
    EXPECT_THAT(program->precedences, ElementsAre(Precedence{5, 4, true}, Precedence{6, 4, false},
                                                  Precedence{6, 5, false}, Precedence{9, 8, true}));
    EXPECT_TRUE(program->kind[8].is_synchronous());
}

// "rank 1, operation 1" sent their reader to count operations in the trace.
TEST(SimgridTi, CollectivesThatDoNotFitHaveALine) {
    auto const program =
        read_ti("0 init\n1 init\n# both\n0 compute 1000\n1 compute 1000\n0 allreduce 9 5\n1 bcast 9 0\n");
    ASSERT_TRUE(program) << describe(program.error());
    auto const found = lowered(*program);
    ASSERT_FALSE(found);
    EXPECT_THAT(found.error().message, HasSubstr("rank 1, operation 1 (line 7) calls broadcast, and rank 0, "
                                                 "operation 1 (line 6) calls allreduce"));
}

TEST(Dimemas, CollectivesThatDoNotFitHaveALine) {
    auto const program = messages_from_dimemas(
        "#DIMEMAS:\"t\":0:2(1,1),1\nd:1:1:2:0:1\n10:0:0:0:1:0:0:0:0\n1:1:0:1e-6\n10:1:0:11:1:0:0:8:8\n", "t");
    ASSERT_TRUE(program) << describe(program.error());
    auto const found = lowered(*program);
    ASSERT_FALSE(found);
    EXPECT_THAT(found.error().message, HasSubstr("rank 1, operation 1 (line 5) calls "));
}

TEST(Dimemas, ThreadsAreCpus) {
    auto const program =
        messages_from_dimemas("#DIMEMAS:\"t\":0:1(2),0\n1:0:0:1e-6\n1:0:1:2e-6\n1:0:0:3e-6\n", "t");
    ASSERT_TRUE(program) << describe(program.error());
    EXPECT_THAT(program->cpu, ElementsAre(0, 1, 0));
    EXPECT_THAT(program->precedences, ElementsAre(Precedence{2, 0, false}));
    EXPECT_THAT(program->assumptions,
                ElementsAre("the threads of a task are CPUs of its rank, and do not wait for each other"));
}

TEST(Dimemas, MessagesOfTwoCommunicatorsHaveDifferentTags) {
    auto const program = messages_from_dimemas(
        "#DIMEMAS:\"t\":0:1(1),0\n2:0:0:0:8:7:1:0\n2:0:0:0:8:7:2:0\n3:0:0:0:8:7:2:0\n", "t");
    ASSERT_TRUE(program) << describe(program.error());
    EXPECT_NE(program->tag[0], program->tag[1]);
    EXPECT_EQ(program->tag[1], program->tag[2]);
}

struct Change {
    char const* old_text;
    char const* new_text;
    char const* message;
};

class DimemasMistake : public testing::TestWithParam<Change> {};

TEST_P(DimemasMistake, IsNamedWithItsPlace) {
    EXPECT_EQ(dim_message(GetParam().old_text, GetParam().new_text), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Each, DimemasMistake,
    testing::Values(
        Change{"#DIMEMAS:", "#DIM:", "t.dim:1:1: expected #DIMEMAS:\"name\""},
        Change{"\"a:b.dim\"", "a", "t.dim:1:10: expected the name of the trace in \"\""},
        Change{"3(1,1,1)", "0()", "t.dim:1:23: a trace has one task or more"},
        Change{"3(1,1,1)", "4(1,1,1)", "t.dim:1:29: expected the numbers of threads of 4 tasks"},
        Change{"3(1,1,1)", "3(1,1,257)", "t.dim:1:28: the number of threads of a task is over 256"},
        Change{"d:1:2:2:1:2", "d:1:2:3:1:2", "t.dim:3:7: the communicator has 3 tasks, and 2 are listed"},
        Change{"d:1:2:2:1:2", "d:1:2:2:1:3", "t.dim:3:11: there is no task 3; the last one is task 2"},
        Change{"d:1:2:2:1:2", "d:1:2:2:1:1", "t.dim:3:7: the communicator has a task twice"},
        Change{"d:1:2:2:1:2", "d:1:1:2:1:2", "t.dim:3:5: communicator 1 is defined twice"},
        Change{"d:1:2:2:1:2", "x:1:2", "t.dim:3:1: expected a record, a definition or offsets"},
        Change{"1:0:0:0.000001000", "1:3:0:0.1", "t.dim:4:3: there is no task 3; the last one is task 2"},
        Change{"1:0:0:0.000001000", "1:0:1:0.1", "t.dim:4:5: task 0 has no thread 1"},
        Change{"1:0:0:0.000001000", "1:0:0", "t.dim:4:1: the line ends before a time in seconds"},
        Change{"1:0:0:0.000001000", "1:0:0:-1", "t.dim:4:7: a time is negative or over 31 years"},
        Change{"1:0:0:0.000001000", "4:0:0:1", "t.dim:4:1: record 4 is none that parcast reads"},
        Change{"2:0:0:1:100:7:1:0", "2:0:0:1:100:7:1",
               "t.dim:5:1: expected eight or nine fields, and there are 7"},
        Change{"2:0:0:1:100:7:1:0", "2:0:0:1:5000000000000000000:7:1:0",
               "t.dim:5:9: a number of bytes is over 4611686018427387904"},
        Change{"2:0:0:1:100:7:1:0", "2:0:0:1:100:-7:1:0", "t.dim:5:13: expected a tag"},
        Change{"2:0:0:1:100:7:1:0", "2:0:0:1:100:7:1:4", "t.dim:5:17: how it is done is over 3"},
        Change{"3:1:0:0:100:7:1:2", "3:1:0:0:100:8:1:2",
               "t.dim:11:1: task 1 waits for a receive that it has not started before"},
        Change{"10:2:0:11:2", "10:2:0:11:3", "t.dim:16:11: there is no communicator 3"},
        Change{"10:2:0:11:2", "10:2:0:16:2", "t.dim:16:8: a collective operation is over 15"},
        Change{"10:1:0:1:1:1:0", "10:1:0:1:1:0:0",
               "t.dim:7:1: no task is the root of this collective operation; the field after the "
               "communicator is "
               "1 for one task"},
        Change{"10:1:0:1:1:1:0", "10:1:0:6:1:zz:0", "t.dim:12:12: expected a root"}));

// Programs whose ranks call operations in an order, as both formats have them.
MessageProgram calling_program() {
    MessageProgramBuilder builder;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        CallingOrder order(builder);
        MessageStep const received{
            .operation = MessageOperation::receive, .amount = 64, .peer = 1 - rank, .tag = 3};
        MessageStep const sent{.operation = MessageOperation::send, .amount = 64, .peer = 1 - rank, .tag = 3};
        auto const first = order.start(received);
        auto const second = order.start(received);
        order.run({.operation = MessageOperation::calc, .amount = 5});
        order.run(sent);
        order.wait(first);
        order.run(sent);
        order.run({.operation = MessageOperation::collective,
                   .amount = builder.call({.kind = CollectiveKind::allreduce, .sent_bytes = 16})});
        order.wait(second);
        order.run({.operation = MessageOperation::collective,
                   .amount = builder.call({.kind = CollectiveKind::broadcast, .root = 1, .sent_bytes = 16})});
        builder.end_rank();
    }
    return std::move(builder).finish();
}

TEST(Traces, WhatIsWrittenIsReadAsTheSame) {
    auto const program = calling_program();
    ASSERT_TRUE(check(program));
    for (auto const format : {MessageFormat::simgrid_ti, MessageFormat::dimemas}) {
        auto const written = write_messages(program, format);
        ASSERT_TRUE(written) << describe(written.error());
        EXPECT_THAT(written->left_out, IsEmpty());
        EXPECT_EQ(message_format(written->bytes), format);
        auto again = import_messages(written->bytes, "again");
        ASSERT_TRUE(again) << describe(again.error());
        again->program.assumptions.clear();
        EXPECT_THAT(again->program.collective_lines, testing::Not(IsEmpty())) << written->bytes;
        again->program.collective_lines.clear();
        EXPECT_EQ(again->program, program) << written->bytes;
    }
}

TEST(Traces, TheTableOfOffsetsOfDimemasIsRight) {
    auto const text = to_dimemas(calling_program())->bytes;
    auto const table = std::stoul(text.substr(text.find(":1,") + 3, 15));
    EXPECT_EQ(text.substr(table, 4), "s:0:");
    EXPECT_EQ(text.substr(std::stoul(text.substr(text.find("s:1:") + 4)), 4), "1:1:")
        << "rank 1 begins with a burst";
}

TEST(Traces, WhatTheyCannotHoldIsSaid) {
    MessageProgramBuilder builder;
    builder.add({.operation = MessageOperation::calc, .amount = 1, .cpu = 1});
    builder.add({.operation = MessageOperation::send, .amount = 1, .is_synchronous = true});
    builder.add({.operation = MessageOperation::receive, .amount = 1, .peer = any_peer});
    builder.end_rank();
    auto const program = std::move(builder).finish();
    EXPECT_THAT(
        to_simgrid_ti(program)->left_out,
        ElementsAre("2 operations start after the one before in the list, which the program leaves free",
                    "each rank has one CPU and one interface",
                    "a send waits for its receive only if its message is large"));
    EXPECT_THAT(to_dimemas(program)->left_out, testing::Contains(HasSubstr("from any rank")));

    MessageProgramBuilder forward;
    auto const first = forward.add({.amount = 1});
    forward.wait(first, forward.add({.amount = 2}));
    forward.end_rank();
    EXPECT_EQ(
        to_simgrid_ti(std::move(forward).finish()).error().message,
        "an operation of rank 0 waits for one that is listed behind it, which a list of calls cannot hold");
}

TEST(MessageFormats, AreToldByTheirContent) {
    EXPECT_EQ(message_format("// x\n/* y */ num_ranks 2\n"), MessageFormat::goal);
    EXPECT_EQ(message_format(std::string("\x7f\x10\0\0\0\0\0\0", 8)), MessageFormat::goal_binary);
    EXPECT_EQ(message_format("# x\n0 init\n"), MessageFormat::simgrid_ti);
    EXPECT_EQ(message_format("#DIMEMAS:\"x\":0:1(1),0\n"), MessageFormat::dimemas);
    for (char const* other : {"", "4\n0 0 0\n", "digraph {}", "{\"schema\": 1}", "# only\n", "0 ", "/*"})
        EXPECT_EQ(message_format(other), std::nullopt) << other;
    EXPECT_EQ(import_messages("{}", "f").error().code, ErrorCode::unsupported);
    EXPECT_EQ(import_messages("num_ranks 1\nrank 0 {\n}\n", "f", {.flops_per_ns = 2}).error().code,
              ErrorCode::unsupported);
    EXPECT_EQ(message_format_to_write("a/b.dim"), MessageFormat::dimemas);
    EXPECT_EQ(message_format_to_write("b.json"), std::nullopt);
}

TEST(MessageFormats, GoalGetsCollectivesAsMessages) {
    auto const program = calling_program();
    auto const choice = parse_collective_choice("allreduce=ring,broadcast=chain").value();
    for (auto const format : {MessageFormat::goal, MessageFormat::goal_binary}) {
        auto const written = write_messages(program, format, choice);
        ASSERT_TRUE(written) << describe(written.error());
        EXPECT_THAT(
            written->left_out,
            ElementsAre("collective operations are messages: broadcast by chain (1), allreduce by ring (1)"));
        auto messages = lowered(program, choice)->program;
        for (auto& kind : messages.kind)  // GOAL does not say what a message is of
            kind = kind.of_collective(false);
        EXPECT_EQ(import_messages(written->bytes, "again")->program, messages);
    }
}

TEST(MessageFormats, AListOfTracesHasAFileNameALine) {
    EXPECT_THAT(simgrid_trace_files("a.ti\r\n\nb/c.ti").value(), ElementsAre("a.ti", "b/c.ti"));
    EXPECT_EQ(simgrid_trace_files("0 init\n"), std::nullopt);
    for (char const* other : {"\n", "no-trace", "garbage\n", "a.ti\n{}", "x.y(z)", "\x01.ti"})
        EXPECT_EQ(simgrid_trace_files(other), std::nullopt) << other;
}

}  // namespace
}  // namespace parcast
