#include "program/message_change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/message_program_builder.h"

namespace parcast {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two ranks: both compute; rank 0 sends with tag 5, then with tag 6; both reduce.
MessageProgram two_ranks(std::uint32_t tag_of_receive = 5) {
    MessageProgramBuilder builder;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        auto const kind = rank == 0 ? MessageOperation::send : MessageOperation::receive;
        CallingOrder order(builder);
        order.run({.amount = 100, .name = 1});
        order.run({.operation = kind, .amount = 80, .peer = 1 - rank, .tag = rank == 0 ? 5 : tag_of_receive});
        order.run({.operation = kind, .amount = 60, .peer = 1 - rank, .tag = 6});
        CollectiveCall call;
        call.kind = CollectiveKind::allreduce;
        call.sent_bytes = 40;
        call.reduce_ns = 20;
        order.run({.operation = MessageOperation::collective, .amount = builder.call(call)});
        builder.end_rank();
    }
    auto program = std::move(builder).finish();
    program.names = {"", "solve"};
    return program;
}

Result<MessageProgram> after(char const* change, MessageProgram const& program = two_ranks()) {
    auto const scenario = parse_scenario(change);
    EXPECT_TRUE(scenario) << change;
    return changed(program, *scenario);
}

std::vector<std::uint64_t> amounts(Result<MessageProgram> const& program) {
    auto amounts = program->amount;
    for (auto const each : {std::size_t{7}, std::size_t{3}})
        if (program->kind[each].operation() == MessageOperation::collective)
            amounts.erase(amounts.begin() + static_cast<std::ptrdiff_t>(each));
    return amounts;
}

TEST(MessageChange, MakesRanksAndComputationsFaster) {
    EXPECT_THAT(amounts(after("rank:1*0.5")), ElementsAre(100, 80, 60, 50, 80, 60));
    EXPECT_THAT(amounts(after("rank:0-1*2")), ElementsAre(200, 80, 60, 200, 80, 60));
    EXPECT_THAT(amounts(after("rank:*0")), ElementsAre(0, 80, 60, 0, 80, 60));
    EXPECT_THAT(amounts(after("function:solve*0.1")), ElementsAre(10, 80, 60, 10, 80, 60));
}

TEST(MessageChange, MakesMessagesSmallerOnBothSides) {
    EXPECT_THAT(amounts(after("tag:5*0.5")), ElementsAre(100, 40, 60, 100, 40, 60));
    EXPECT_THAT(amounts(after("tag:*0.5")), ElementsAre(100, 40, 30, 100, 40, 30));
    EXPECT_THAT(amounts(after("tag:5*0.5,rank:0*0.5")), ElementsAre(50, 40, 60, 100, 40, 60));
}

TEST(MessageChange, LeavesMessagesOutAndKeepsTheOrderOfTheRest) {
    auto const without = after("tag:5=free");
    ASSERT_TRUE(without);
    EXPECT_TRUE(check(*without));
    for (auto const each : {1U, 5U}) {
        EXPECT_EQ(without->kind[each].operation(), MessageOperation::calc);
        EXPECT_EQ(without->kind[each].follows(), Follows::one_before);
        EXPECT_EQ(without->amount[each], 0u);
    }
    EXPECT_EQ(without->kind[2].operation(), MessageOperation::send) << "the one with tag 6";
}

TEST(MessageChange, IsOfCollectiveOperationsAsTheyAreCalled) {
    auto const smaller = after("collective:allreduce*0.5");
    EXPECT_EQ(smaller->collectives[0].sent_bytes, 20u);
    EXPECT_EQ(smaller->collectives[0].reduce_ns, 10);
    auto const free = after("collective:*0");
    EXPECT_EQ(free->collectives[0].sent_bytes, 0u);
    auto const gone = after("collective:allreduce=free");
    EXPECT_EQ(gone->kind[3].operation(), MessageOperation::calc);
    EXPECT_TRUE(check(*gone));
}

TEST(MessageChange, OfTheNetworkLeavesTheProgram) {
    EXPECT_EQ(*after("L=half,G*0.1,S=never,node.o=200ns"), two_ranks());
}

struct BadChange {
    char const* change;
    char const* message;
    char const* advice;
};

TEST(MessageChange, ThatFitsNothingSaysWhatThereIs) {
    BadChange const cases[] = {
        {"rank:2*0.5", "no rank \"2\"", "0 to 1"},
        {"rank:1-0*0.5", "no rank \"1-0\"", "0 to 1"},
        {"rank:x*0.5", "no rank \"x\"", "rank:0-3*0.5"},
        {"tag:7*0.5", "no message with tag \"7\"", "5 (57 %), 6 (43 %)"},
        {"function:solver*0.5", "no computation \"solver\"", "Did you mean: solve (100 %)"},
        {"collective:barrier=free", "no collective operation \"barrier\"", "allreduce"},
        {"lock:m*0.5", "is for programs of threads", "rank:3*0.5"},
        {"wake-ups=free", "is for programs of threads", "rank:3*0.5"},
    };
    for (auto const& each : cases) {
        auto const program = after(each.change);
        ASSERT_FALSE(program) << each.change;
        EXPECT_THAT(program.error().message, HasSubstr(each.message));
        EXPECT_THAT(program.error().advice, HasSubstr(each.advice));
    }
    auto empty = two_ranks();
    empty.amount[1] = empty.amount[2] = 0;
    EXPECT_THAT(after("tag:5*0.5", empty).error().message,
                HasSubstr("tag 5 have no bytes: a factor changes nothing"));
    EXPECT_EQ(after("tag:*0.5", empty).error().advice, "What it would bring without them: tag:=free");
    EXPECT_TRUE(after("tag:5=free", empty));
    auto const wild = after("tag:5=free", two_ranks(any_tag));
    ASSERT_FALSE(wild);
    EXPECT_THAT(wild.error().message, HasSubstr("a receive of any tag may take these"));
}

TEST(MessageChange, OfStepsIsOfRanks) {
    StepProgram program;
    program.ranks = 2;
    program.compute_ns = {10, 20, 30, 40};
    program.first_message = {0, 0, 0};
    EXPECT_THAT(changed(program, *parse_scenario("rank:1*0.5,L=half"))->compute_ns,
                ElementsAre(10, 10, 30, 20));
    EXPECT_FALSE(changed(program, *parse_scenario("tag:1*0.5")));
}

TEST(MessageChange, OfTheNetworkIsReadAsItIsTyped) {
    auto const scenario = parse_scenario("L=half,node.G=0.1ns,S=8192,o*0.5,S=never,g=0");
    ASSERT_TRUE(scenario) << scenario.error().message;
    auto const& changes = scenario->changes;
    ASSERT_EQ(changes.size(), 6u);
    EXPECT_EQ(changes[0].factor, 0.5);
    EXPECT_EQ(changes[1].name, "node.G");
    EXPECT_EQ(changes[1].value, 0.1);
    EXPECT_TRUE(changes[1].has_unit);
    EXPECT_FALSE(changes[2].has_unit);
    EXPECT_EQ(changes[3].effect, WorkChange::Effect::scaled);
    EXPECT_EQ(changes[4].effect, WorkChange::Effect::freed);
    EXPECT_EQ(parse_scenario("function:f<A,B*>*0.5")->changes.size(), 1u) << "a comma of a template";
    for (auto const* const bad : {"L=", "L=fast", "L=5 us", "LL=half", "L*x", "rank:3=free"})
        EXPECT_FALSE(parse_scenario(bad)) << bad;
}

}  // namespace
}  // namespace parcast
