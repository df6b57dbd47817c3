#include "simulate/messages/replay_messages.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>

#include "simulate/messages/goal_builder.h"

namespace parcast::simulate {
namespace {

using Builder = GoalBuilder;

Network loggops(double latency, double overhead, double gap, double gap_per_byte, double overhead_per_byte) {
    Network network;
    network.values = {.latency_ns = latency,
                      .overhead_ns = overhead,
                      .overhead_per_byte_ns = overhead_per_byte,
                      .gap_ns = gap,
                      .gap_per_byte_ns = gap_per_byte,
                      .rendezvous_bytes = 65535};
    return network;
}

MessageRun replayed(MessageProgram const& program, Network const& network,
                    MessageReplayOptions options = {}) {
    auto const checked = check(program);
    EXPECT_TRUE(checked.has_value()) << checked.error().message;
    auto run = replay_messages(program, network, options);
    EXPECT_TRUE(run.has_value()) << run.error().message;
    return *run;
}

std::vector<std::int64_t> finishes(MessageRun const& run) {
    std::vector<std::int64_t> all;
    for (auto const& rank : run.ranks)
        all.push_back(rank.finished.ns);
    return all;
}

using Times = std::vector<std::int64_t>;

// The samples of tests/messages/samples with the times that LogGOPSim prints, for its defaults and two other
// networks.

MessageProgram pingpong() {
    Builder build;
    build.rank();
    auto a = build.calc(1000);
    a = build.send(100, 1, 7, {{a}});
    a = build.receive(100, 1, 8, {{a}});
    build.calc(500, {{a}});
    build.rank();
    a = build.receive(100, 0, 7);
    a = build.calc(2000, {{a}});
    build.send(100, 0, 8, {{a}});
    return build.program();
}

MessageProgram fork() {
    Builder build;
    build.rank();
    auto const s1 = build.send(8, 1, 1);
    auto const s2 = build.send(8, 2, 2, {{}, {s1}});
    build.send(8, 3, 3, {{}, {s2}});
    auto const r1 = build.receive(8, 1, 11);
    auto const r2 = build.receive(8, 2, 12);
    auto const r3 = build.receive(8, 3, 13);
    build.calc(100, {{r1, r2, r3}});
    for (std::uint32_t rank = 1; rank < 4; ++rank) {
        build.rank();
        auto last = build.receive(8, 0, rank);
        last = build.calc(4000 - 1000 * rank, {{last}});
        build.send(8, 0, 10 + rank, {{last}});
    }
    return build.program();
}

MessageProgram one_late_receive(std::uint64_t bytes) {
    Builder build;
    build.rank();
    auto const sent = build.send(bytes, 1, 1);
    build.calc(10, {{sent}});
    build.rank();
    auto const late = build.calc(1000000);
    build.receive(bytes, 0, 1, {{late}});
    return build.program();
}

struct Sample {
    char const* name;
    MessageProgram program;
    std::array<Times, 3> finish;
};

TEST(ReplayMessages, SamplesEndWhenLogGopsimSaysSo) {
    std::array const networks = {loggops(2500, 1500, 1000, 6, 0), loggops(1000, 200, 300, 2, 1),
                                 loggops(5000, 0, 0, 0, 0)};
    for (auto const& sample : {
             Sample{"pingpong", pingpong(), {{{15688, 10594}, {6696, 4897}, {13500, 8000}}}},
             Sample{"fork",
                    fork(),
                    {{{17268, 10042, 10542, 11042}, {5928, 4621, 3935, 3249}, {13100, 8000, 7000, 6000}}}},
             Sample{"rendezvous",
                    one_late_receive(100000),
                    {{{1000010, 1601494}, {1000010, 1200198}, {1000010, 1000000}}}},
             Sample{
                 "unexpected", one_late_receive(1000), {{{1510, 1007494}, {1209, 1002198}, {10, 1000000}}}},
         })
        for (std::size_t each = 0; each < networks.size(); ++each)
            EXPECT_EQ(finishes(replayed(sample.program, networks[each])), sample.finish[each])
                << sample.name << ", network " << each;
}

// LogGOPSim's defects (a) to (c), as they should be.

TEST(ReplayMessages, MessageWithoutBytesCostsAsOneByte) {
    Builder build;
    build.rank().send(0, 1, 0);
    build.rank().receive(0, 0, 0);
    EXPECT_EQ(finishes(replayed(build.program(), loggops(2500, 1500, 1000, 6, 0))), (Times{1500, 5500}));
}

TEST(ReplayMessages, AnotherCpuWaitsUntilTheOperationHasEnded) {
    Builder build;
    build.rank();
    auto const first = build.calc(1000, {}, {.cpu = 0});
    build.calc(10, {{first}}, {.cpu = 1});
    auto const run = replayed(build.program(), loggops(2500, 1500, 1000, 6, 0));
    EXPECT_EQ(finishes(run), Times{1010});
    EXPECT_EQ(run.account(0, 1).waiting_for[static_cast<std::size_t>(MessageWait::cpu)].ns, 1000);
}

TEST(ReplayMessages, AnotherCpuWaitsForTheLastOfSeveral) {
    Builder build;
    build.rank();
    auto const longer = build.calc(1000, {}, {.cpu = 0});
    auto const shorter = build.calc(15, {}, {.cpu = 1});
    build.calc(10, {{longer, shorter}}, {.cpu = 1});
    EXPECT_EQ(finishes(replayed(build.program(), loggops(2500, 1500, 1000, 6, 0))), Times{1010});
}

TEST(ReplayMessages, ReceivesThatBecomeFreeTogetherArePostedInTheirOrder) {
    constexpr std::uint32_t receives = 20;
    Builder build;
    build.rank();
    for (std::uint32_t each = 0; each < receives; ++each)
        build.send(8 + each, 1, 5);
    build.rank();
    auto const begin = build.calc(1);
    std::vector<std::uint32_t> all;
    for (std::uint32_t each = 0; each < receives; ++each)
        all.push_back(build.receive(8 + each, 0, 5, {{begin}}));
    auto const run = replayed(build.program(), loggops(2500, 1500, 1000, 6, 0), {.with_log = true});
    ASSERT_FALSE(run.is_deadlocked);
    ASSERT_EQ(run.log->messages.size(), receives);
    for (std::uint32_t each = 0; each < receives; ++each)
        EXPECT_EQ(run.log->messages[each].receive, all[each]);
}

// tests/messages/samples/recv_order.goal, which LogGOPSim stops in.
TEST(ReplayMessages, ReceivesOfOneSenderAndTagDoNotSwapPlaces) {
    Builder build;
    build.rank();
    build.send(8, 1, 0);
    auto const answer = build.receive(8, 1, 99);
    for (std::uint32_t tag = 1; tag < 19; ++tag)
        build.send(8, 1, tag, {{answer}});
    build.rank();
    auto const first = build.receive(8, 0, 0);
    build.send(8, 0, 99, {{first}});
    for (std::uint32_t tag = 1; tag < 19; ++tag)
        build.receive(8, 0, tag);
    EXPECT_FALSE(replayed(build.program(), loggops(2500, 1500, 1000, 6, 0)).is_deadlocked);
}

// LogGP.

// The pattern of loggp.md: the single port of the Meiko CS-2 as the paper has it, in whole ns.
Network meiko() {
    Network network;
    network.kind = NetworkKind::loggp;
    network.values = {.latency_ns = 9000, .overhead_ns = 2000, .gap_ns = 14000, .gap_per_byte_ns = 30};
    return network;
}

struct Message {
    std::uint32_t from;
    std::uint32_t to;
    std::uint64_t bytes = 101;
};

// A step: all receives are posted, each rank sends in the order given.
MessageProgram step(std::uint32_t ranks, std::vector<Message> const& messages) {
    Builder build;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        build.rank();
        for (auto const& message : messages)
            if (message.to == rank)
                build.receive(message.bytes, message.from, 0);
        std::optional<std::uint32_t> last;
        for (auto const& message : messages)
            if (message.from == rank)
                last = last ? build.send(message.bytes, message.to, 0, {{*last}})
                            : build.send(message.bytes, message.to, 0);
    }
    return build.program();
}

TEST(ReplayMessages, SingleOnesOfLogGpAreThePapersStandardAlgorithm) {
    struct Case {
        char const* pattern;
        std::uint32_t ranks;
        std::vector<Message> messages;
        std::int64_t us;
    };
    for (auto const& test : {
             Case{"0-1", 2, {{0, 1}}, 16},
             Case{"0-1, 0-2", 3, {{0, 1}, {0, 2}}, 33},
             Case{"0-2, 1-2", 3, {{0, 2}, {1, 2}}, 33},
             Case{"0-1, 1-0", 2, {{0, 1}, {1, 0}}, 24},
             Case{"ring, 101 then 1 byte", 3, {{0, 1}, {0, 1, 1}, {1, 2}, {1, 2, 1}, {2, 0}, {2, 0, 1}}, 52},
             Case{"0-1 (1001), 0-2 (1), 1-2 (501)", 3, {{0, 1, 1001}, {0, 2, 1}, {1, 2, 501}}, 63},
             Case{"0,1,2,3-4", 5, {{0, 4}, {1, 4}, {2, 4}, {3, 4}}, 67},
         })
        EXPECT_EQ(replayed(step(test.ranks, test.messages), meiko()).completion.ns, test.us * 1000)
            << test.pattern;
}

TEST(ReplayMessages, PatternOfThePaperEndsAt67) {
    auto const run =
        replayed(step(10, {{1, 4}, {1, 3}, {2, 5}, {2, 4}, {3, 7}, {3, 6}, {4, 8}, {4, 7}, {5, 9}, {5, 8}}),
                 meiko(), {.with_log = true});
    EXPECT_EQ(run.completion.ns, 67000);
    EXPECT_EQ(run.ranks[7].finished.ns, 67000);
    // S8 0-5, R1 19-24, R2 36-41, S7 51-56.
    std::vector<std::pair<std::int64_t, std::int64_t>> of_4;
    for (auto const& interval : run.log->intervals)
        if (interval.rank == 4 && interval.state == MessageInterval::State::communicating)
            of_4.emplace_back(interval.begin.ns / 1000, interval.end.ns / 1000);
    EXPECT_EQ(of_4,
              (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 5}, {19, 24}, {36, 41}, {51, 56}}));
}

// What a run says beside its times.

TEST(ReplayMessages, WaitingHasACause) {
    auto const network = loggops(2500, 1500, 1000, 6, 0);
    auto const waiting = [&](MessageProgram const& program, std::uint32_t rank, MessageWait cause) {
        return replayed(program, network).account(rank).waiting_for[static_cast<std::size_t>(cause)].ns;
    };
    // Rank 1 waits until the message of 100 bytes is there, rank 0 until the answer is.
    EXPECT_EQ(waiting(pingpong(), 1, MessageWait::late_sender), 5000);
    EXPECT_EQ(waiting(pingpong(), 0, MessageWait::late_sender), 15688 - 1000 - 1500 - 500 - 2094);
    // The sender of the large message waits for its receive.
    EXPECT_EQ(waiting(one_late_receive(100000), 0, MessageWait::rendezvous), 1000000 - 1500);
    EXPECT_EQ(waiting(one_late_receive(100000), 1, MessageWait::late_sender), 0);
    // Two messages of 1000 bytes: the second one waits for the interface, 1000 + 999 * 6 after the first.
    Builder build;
    build.rank();
    auto const first = build.send(1000, 1, 0);
    build.send(1000, 1, 0, {{first}});
    build.rank();
    build.receive(1000, 0, 0);
    build.receive(1000, 0, 0);
    EXPECT_EQ(waiting(build.program(), 0, MessageWait::gap), 1000 + 999 * 6 - 1500);
}

MessageProgram with_collectives(MessageProgram program, std::vector<std::uint32_t> const& operations) {
    for (auto const each : operations)
        program.kind[each] = program.kind[each].of_collective();
    return program;
}

TEST(ReplayMessages, WaitingInACollectiveOperationIsACauseOfItsOwn) {
    auto const network = loggops(2500, 1500, 1000, 6, 0);
    auto const waiting = [&](MessageProgram const& program, std::uint32_t rank, MessageWait cause) {
        return replayed(program, network).account(rank).waiting_for[static_cast<std::size_t>(cause)].ns;
    };
    // Two ranks exchange a byte, and rank 0 comes 10 us late. What it sends then arrives o + L later.
    Builder barrier;
    barrier.rank();
    barrier.receive(1, 1, 0);
    barrier.send(1, 1, 0, {{barrier.calc(10000)}});
    barrier.rank();
    barrier.send(1, 0, 0);
    barrier.receive(1, 0, 0);
    auto const late = with_collectives(barrier.program(), {0, 2, 3, 4});
    EXPECT_EQ(waiting(late, 1, MessageWait::collective), 10000 + 4000 - 1500);
    EXPECT_EQ(waiting(late, 1, MessageWait::late_sender), 0);
    // A message of a collective operation that its receiver has not called yet: rank 1 still waits for
    // rank 0.
    Builder early;
    early.rank();
    early.send(1, 1, 0, {{early.calc(100000)}});
    early.rank();
    early.receive(1, 2, 9, {{early.receive(1, 0, 0)}});
    early.rank();
    early.send(1, 1, 9);
    auto const before = with_collectives(early.program(), {3, 4});
    EXPECT_EQ(waiting(before, 1, MessageWait::late_sender), 100000 + 4000 - 1500);
    EXPECT_EQ(waiting(before, 1, MessageWait::collective), 0);
    // A large message in a collective operation waits for its receive.
    auto const large = with_collectives(one_late_receive(100000), {0});
    EXPECT_EQ(waiting(large, 0, MessageWait::collective), 1000000 - 1500);
    EXPECT_EQ(waiting(large, 0, MessageWait::rendezvous), 0);
}

TEST(ReplayMessages, SynchronousSendOfOneByteWaitsForItsReceive) {
    Builder build;
    build.rank();
    build.calc(10, {{build.synchronous_send(1, 1, 0)}});
    build.rank();
    build.receive(1, 0, 0, {{build.calc(1000000)}});
    EXPECT_EQ(replayed(build.program(), loggops(2500, 1500, 1000, 6, 0)).ranks[0].finished.ns, 1000010);
}

TEST(ReplayMessages, FasterCpusComputeFaster) {
    auto const run = replayed(pingpong(), loggops(2500, 1500, 1000, 6, 0), {.cpu_speed = 2});
    EXPECT_EQ(run.ranks[0].finished.ns, 15688 - 3500 / 2);
    EXPECT_EQ(run.account(0).computing.ns, 750);
}

TEST(ReplayMessages, MessagesInsideANodeHaveTheirOwnCosts) {
    auto network = loggops(2500, 1500, 1000, 6, 0);
    network.node = NetworkValues{.latency_ns = 100, .overhead_ns = 50};
    EXPECT_EQ(replayed(pingpong(), network, {.node_of_rank = {3, 4}}).ranks[0].finished.ns, 15688);
    EXPECT_EQ(replayed(pingpong(), network, {.node_of_rank = {3, 3}}).ranks[0].finished.ns,
              3500 + 2 * (50 + 100 + 50));
}

TEST(ReplayMessages, DeadlockNamesWhoWaitsForWhom) {
    Builder build;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        build.rank();
        auto const got = build.receive(8, 1 - rank, 3);
        build.send(8, 1 - rank, 3, {{got}});
    }
    auto const run = replayed(build.program(), loggops(2500, 1500, 1000, 6, 0));
    EXPECT_TRUE(run.is_deadlocked);
    EXPECT_EQ(run.operations, 0);
    EXPECT_EQ(run.unmatched_receives, (std::vector<UnmatchedOperation>{{0, 0, 1, 3, 8}, {1, 2, 0, 3, 8}}));
}

TEST(ReplayMessages, RendezvousOfBothRanksIsADeadlock) {
    Builder build;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        build.rank();
        auto const sent = build.send(100000, 1 - rank, 3);
        build.receive(100000, 1 - rank, 3, {{sent}});
    }
    auto const run = replayed(build.program(), loggops(2500, 1500, 1000, 6, 0));
    EXPECT_TRUE(run.is_deadlocked);
    EXPECT_EQ(run.unmatched_sends,
              (std::vector<UnmatchedOperation>{{0, 0, 1, 3, 100000}, {1, 2, 0, 3, 100000}}));
}

TEST(ReplayMessages, MessageThatNobodyReceivesIsAFinding) {
    Builder build;
    build.rank().send(8, 1, 3);
    build.rank().calc(10);
    auto const run = replayed(build.program(), loggops(2500, 1500, 1000, 6, 0));
    EXPECT_FALSE(run.is_deadlocked);
    EXPECT_EQ(run.unmatched_sends, (std::vector<UnmatchedOperation>{{0, 0, 1, 3, 8, false}}));
}

TEST(ReplayMessages, OpenReceivesTakeWhatArrivesFirst) {
    Builder build;
    build.rank();
    auto const first = build.receive(8, any_peer, any_tag);
    build.receive(8, any_peer, any_tag, {{first}});
    build.rank().send(8, 0, 4, {{build.calc(1000)}});
    build.rank().send(8, 0, 5);
    auto const run = replayed(build.program(), loggops(2500, 1500, 1000, 6, 0), {.with_log = true});
    ASSERT_EQ(run.log->messages.size(), 2U);
    EXPECT_EQ(run.log->messages[0].from, 2U);
    EXPECT_EQ(run.log->messages[0].receive, 0U);
    EXPECT_EQ(run.log->messages[1].receive, 1U);
}

TEST(ReplayMessages, IncastIsWhatArrivesBesideAnotherSendersMessage) {
    auto const gathered = [](std::uint64_t later_by) {
        Builder build;
        build.rank();
        build.receive(1000, 1, 0);
        build.receive(1000, 2, 0);
        build.rank().send(1000, 0, 0);
        build.rank().send(1000, 0, 0, {{build.calc(later_by)}});
        return build.program();
    };
    auto const network = loggops(2500, 1500, 1000, 6, 0);  // 5994 ns for the bytes
    EXPECT_EQ(replayed(gathered(0), network).bytes_in_incast, 2000U);
    EXPECT_EQ(replayed(gathered(5993), network).bytes_in_incast, 2000U);
    EXPECT_EQ(replayed(gathered(5994), network).bytes_in_incast, 0U);
}

TEST(ReplayMessages, CriticalPathGoesThroughMessages) {
    auto const run = replayed(pingpong(), loggops(2500, 1500, 1000, 6, 0), {.with_log = true});
    using What = MessagePathSegment::What;
    EXPECT_EQ(run.log->critical_path, (std::vector<MessagePathSegment>{
                                          {{0}, {1000}, 0, 0, What::computing},
                                          {{1000}, {2500}, 0, 1, What::communicating},
                                          {{2500}, {5000}, 1, 1, What::in_flight},
                                          {{5000}, {7094}, 1, 1, What::communicating},
                                          {{7094}, {9094}, 1, 5, What::computing},
                                          {{9094}, {10594}, 1, 6, What::communicating},
                                          {{10594}, {13094}, 0, 6, What::in_flight},
                                          {{13094}, {15188}, 0, 6, What::communicating},
                                          {{15188}, {15688}, 0, 3, What::computing},
                                      }));
}

TEST(ReplayMessages, CriticalPathGoesFromASenderToTheReceiveItWaitedFor) {
    auto const run = replayed(one_late_receive(100000), loggops(0, 0, 0, 0, 0), {.with_log = true});
    using What = MessagePathSegment::What;
    EXPECT_EQ(run.log->critical_path, (std::vector<MessagePathSegment>{
                                          {{0}, {1000000}, 1, 2, What::computing},
                                          {{1000000}, {1000010}, 0, 1, What::computing},
                                      }));
}

TEST(ReplayMessages, WaitsForAsManyAsItIsSaidTo) {
    for (std::uint64_t const count : {1U, 254U, 255U, 256U, 1000U}) {
        Builder build;
        build.rank();
        std::vector<std::uint32_t> all;
        for (std::uint64_t each = 0; each < count; ++each)
            all.push_back(build.calc(3));
        build.calc(10, {all, all});
        auto const run = replayed(build.program(), Network{});
        EXPECT_FALSE(run.is_deadlocked);
        EXPECT_EQ(run.completion.ns, static_cast<std::int64_t>(3 * count + 10));
    }
}

TEST(ReplayMessages, AnotherNicSendsWhileTheFirstOneIsBusy) {
    auto const end_with = [](std::uint8_t nic) {
        Builder build;
        build.rank();
        build.send(1000, 1, 0);
        build.send(1000, 1, 1, {}, {.cpu = 0, .nic = nic});
        build.rank();
        build.receive(1000, 0, 0);
        build.receive(1000, 0, 1);
        return replayed(build.program(), loggops(2500, 1500, 1000, 6, 0)).ranks[0].finished.ns;
    };
    EXPECT_EQ(end_with(0), 1000 + 999 * 6 + 1500);
    EXPECT_EQ(end_with(1), 2 * 1500);
}

TEST(ReplayMessages, RefusesTimesThatCannotBeCounted) {
    Builder build;
    build.rank();
    build.calc(most_amount, {{build.calc(most_amount)}});
    auto const run = replay_messages(build.program(), Network{});
    ASSERT_FALSE(run.has_value());
    EXPECT_EQ(run.error().code, ErrorCode::out_of_range);
}

}  // namespace
}  // namespace parcast::simulate
