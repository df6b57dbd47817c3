#include "view/message_program.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "program/message_program_builder.h"

namespace parcast::view {
namespace {

MessageProgram two_ranks() {
    MessageProgramBuilder builder;
    auto const work = builder.add({MessageOperation::calc, 1000, 0, 0, 0, 0});
    auto const sent = builder.add({MessageOperation::send, 512, 1, 7, 0, 0});
    builder.wait(sent, work);
    builder.end_rank();
    builder.add({MessageOperation::receive, 512, 0, 7, 0, 0});
    builder.end_rank();
    return std::move(builder).finish();
}

MessageSetting loggp() {
    MessageSetting setting;
    setting.network.kind = NetworkKind::loggp;
    setting.network.values = {9000, 2000, 0, 14000, 30, std::numeric_limits<std::uint64_t>::max()};
    setting.network.node = NetworkValues{.latency_ns = 0.25};
    setting.nodes = 2;
    return setting;
}

TEST(MessageProgramBytes, GiveBackTheProgramAndWhereItsRanksAre) {
    auto const program = two_ranks();
    auto const read = read_message_program(message_program_bytes(program, {0, 0}, 1.5));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->program.kind, program.kind);
    EXPECT_EQ(read->program.amount, program.amount);
    EXPECT_EQ(read->program.precedences, program.precedences);
    EXPECT_EQ(read->program.first_operation, program.first_operation);
    EXPECT_EQ(read->node_of_rank, (std::vector<std::uint32_t>{0, 0}));
    EXPECT_EQ(read->cpu_speed, 1.5);
}

TEST(MessageProgramBytes, CutShortAreRefused) {
    auto const bytes = message_program_bytes(two_ranks(), {}, 1);
    for (std::size_t size = 0; size < bytes.size(); size += 8)
        EXPECT_FALSE(read_message_program(std::span(bytes).first(size)));
}

TEST(MessageProgramBytes, ThatNameARankThereIsNotAreRefused) {
    auto program = two_ranks();
    program.peer[1] = 2;
    EXPECT_FALSE(read_message_program(message_program_bytes(program, {}, 1)));
}

TEST(MessageSettingNumbers, GiveBackTheSetting) {
    auto const setting = setting_of(numbers_of(loggp()));
    ASSERT_TRUE(setting);
    EXPECT_EQ(*setting, loggp());
}

TEST(MessageSettingNumbers, ThatAreNoneAreRefused) {
    auto numbers = numbers_of(loggp());
    EXPECT_FALSE(setting_of(std::span(numbers).first(3)));
    for (double const wrong : {-1.0, std::numeric_limits<double>::quiet_NaN(), 1e300}) {
        auto other = numbers;
        other[1] = wrong;
        EXPECT_FALSE(setting_of(other)) << wrong;
    }
}

TEST(MessageReplays, AnswerWithAnExecution) {
    auto const program = two_ranks();
    auto const bytes = replay_messages(program, {}, 1, loggp(), Detail::timeline);
    ASSERT_TRUE(bytes);
    auto const reader = SectionReader::open(*bytes, execution_magic);
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->column<double>("message.bytes")->front(), 512);
    EXPECT_EQ(reader->column<double>("message.sent")->front(), 1000);
    auto const times = reader->column<double>("totals");
    // 1 us of work, L + o, and the receive of 512 bytes: o + 511 G.
    EXPECT_EQ((*times)[1], 1000 + 9000 + 2000 + 2000 + 511 * 30);
}

}  // namespace
}  // namespace parcast::view
