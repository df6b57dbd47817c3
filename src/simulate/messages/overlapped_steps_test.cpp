// Steps that overlap: what a replay of them must give.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "program/step_program.h"
#include "simulate/communication_steps.h"
#include "simulate/messages/replay_messages.h"

namespace parcast::simulate {
namespace {

StepProgram random_steps(unsigned seed) {
    std::mt19937 random(seed);
    StepProgram program;
    program.ranks = 2 + static_cast<std::uint32_t>(random() % 6);
    auto const any_rank = [&] { return static_cast<std::uint32_t>(random() % program.ranks); };
    for (auto steps = 1 + random() % 8; steps > 0; --steps) {
        for (std::uint32_t rank = 0; rank < program.ranks; ++rank)
            program.compute_ns.push_back(static_cast<std::int64_t>(random() % 1000));
        for (auto count = random() % 12; count > 0; --count)
            if (auto const from = any_rank(), to = any_rank(); from != to)
                program.messages.push_back({from, to, 1 + random() % 100});
        program.first_message.push_back(program.messages.size());
    }
    return program;
}

// When the last rank ends where messages cost nothing: the longest chain of computations.
std::int64_t longest_chain(StepProgram const& program) {
    std::vector<std::int64_t> ended(program.ranks, 0);
    auto ready = ended;
    for (std::size_t step = 0; step < program.steps(); ++step) {
        for (std::uint32_t rank = 0; rank < program.ranks; ++rank)
            ended[rank] = std::max(ended[rank], ready[rank]) + program.compute_of(step)[rank];
        for (auto const& message : program.messages_of(step))
            ready[message.to] = std::max(ready[message.to], ended[message.from]);
    }
    return *std::ranges::max_element(ended);
}

TEST(OverlappedSteps, TakeTheLongestChainWhereMessagesCostNothing) {
    Network network;
    network.kind = NetworkKind::loggp;
    for (unsigned seed = 0; seed < 300; ++seed) {
        auto const program = random_steps(seed);
        auto const run = replay_messages(overlapped(program), network);
        ASSERT_TRUE(run && !run->is_deadlocked);
        // The receive of a last message ends after its rank, and takes no time.
        EXPECT_EQ(run->completion.ns, longest_chain(program)) << seed;
    }
}

// A computation that could begin went before the second of two sends, whose receiver then waited for all of
// it: overlapped, an elimination took five times as long as with a barrier behind each step.
TEST(OverlappedSteps, AComputationHeldUpTheMessagesOfTheStepBefore) {
    StepProgram program;
    program.ranks = 2;
    program.compute_ns = {1000, 0, 1000, 1000};
    program.messages = {{0, 1, 1}, {0, 1, 1}};
    program.first_message = {0, 2, 2};
    Network network;
    network.kind = NetworkKind::loggp;
    network.values = {.latency_ns = 3, .overhead_ns = 2, .gap_ns = 5, .gap_per_byte_ns = 0};
    auto const run = replay_messages(overlapped(program), network);
    ASSERT_TRUE(run);
    auto const messages = run_steps(program, LogGp(network.values)).time.ns - 2000;
    EXPECT_EQ(run->completion.ns, 2000 + messages);
}

}  // namespace
}  // namespace parcast::simulate
