#include "program/message_jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/message_program_builder.h"

namespace parcast {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Rank 0 computes, sends to rank 1, and both reduce; the receive takes any sender.
MessageProgram pair_of_ranks(std::uint16_t name = 0, std::uint8_t cpu = 0) {
    MessageProgramBuilder builder;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        CallingOrder order(builder);
        order.run({.amount = 10, .cpu = cpu, .name = name});
        if (rank == 0)
            order.run({.operation = MessageOperation::send, .amount = 8, .peer = 1, .tag = 5});
        else
            order.run({.operation = MessageOperation::receive, .amount = 8, .peer = any_peer, .tag = 5});
        CollectiveCall call;
        call.kind = CollectiveKind::reduce;
        call.root = 1;
        order.run({.operation = MessageOperation::collective, .amount = builder.call(call)});
        builder.end_rank();
    }
    auto program = std::move(builder).finish();
    program.names = {"", "solve"};
    return program;
}

TEST(MessageJobs, OneProgramStaysAsItIs) {
    EXPECT_EQ(*side_by_side({pair_of_ranks()}), pair_of_ranks());
}

TEST(MessageJobs, HaveRanksPeersRootsAndCommunicatorsOfTheirOwn) {
    auto const all = side_by_side({pair_of_ranks(), pair_of_ranks(1, 1)});
    ASSERT_TRUE(all);
    ASSERT_TRUE(check(*all)) << check(*all).error().message;
    EXPECT_THAT(all->first_operation, ElementsAre(0, 3, 6, 9, 12));
    EXPECT_EQ(all->peer[1], 1u);
    EXPECT_EQ(all->peer[7], 3u) << "rank 1 of the second program";
    EXPECT_EQ(all->peer[10], any_peer);
    EXPECT_THAT(all->communicators, ElementsAre(IsEmpty(), ElementsAre(0, 1), ElementsAre(2, 3)));
    auto const& second = all->collectives[all->amount[8]];
    EXPECT_EQ(second.communicator, 2u);
    EXPECT_EQ(second.root, 3u);
    EXPECT_EQ(all->cpu_of(0), 0u);
    EXPECT_EQ(all->cpu_of(6), 1u);
    EXPECT_EQ(all->names[all->name_of[6]], "solve");
    EXPECT_EQ(all->name_of[0], 0u) << "the first one has no name";
}

}  // namespace
}  // namespace parcast
