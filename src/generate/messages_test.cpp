// The elimination's steps, held to vectors that were computed elsewhere (times in us).

#include "generate/messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace parcast::generate {
namespace {

// 10, 8, 8 and 6 us, whatever the block.
BlockCosts given_costs() {
    BlockCosts costs;
    costs.edge = {1, 1000};
    costs.ns = {{{10000, 10000}, {8000, 8000}, {8000, 8000}, {6000, 6000}}};
    return costs;
}

StepProgram elimination(std::uint32_t blocks, std::uint32_t ranks, Layout layout) {
    auto program = gaussian_elimination(
        {.size = blocks * 10, .blocks = {10}, .ranks = ranks, .layout = layout, .costs = given_costs()});
    EXPECT_TRUE(program && check(*program));
    return std::move(*program);
}

std::int64_t computing_us(StepProgram const& program, std::size_t step) {
    return std::ranges::max(program.compute_of(step)) / 1000;
}

TEST(GaussianElimination, FourByFourBlocksStepByStep) {
    auto const two = elimination(4, 2, Layout::row_cyclic);
    std::vector<std::int64_t> computing;
    std::vector<std::size_t> messages;
    for (std::size_t step = 0; step < two.steps(); ++step) {
        computing.push_back(computing_us(two, step));
        messages.push_back(two.messages_of(step).size());
    }
    EXPECT_EQ(computing, (std::vector<std::int64_t>{10, 8, 16, 24, 20, 22, 16, 14, 6, 10}));
    EXPECT_EQ(messages, (std::vector<std::size_t>{1, 2, 3, 4, 4, 3, 2, 1, 0, 0}));
    auto const four = elimination(4, 4, Layout::diagonal);
    computing.clear();
    for (std::size_t step = 0; step < four.steps(); ++step)
        computing.push_back(computing_us(four, step));
    EXPECT_EQ(computing, (std::vector<std::int64_t>{10, 8, 8, 16, 14, 14, 16, 8, 6, 10}));
}

TEST(GaussianElimination, ComputationIsThatOfTheLayout) {
    auto const computation = [](std::uint32_t blocks, std::uint32_t ranks, Layout layout) {
        auto const program = elimination(blocks, ranks, layout);
        std::int64_t sum = 0;
        for (std::size_t step = 0; step < program.steps(); ++step)
            sum += computing_us(program, step);
        return sum;
    };
    EXPECT_EQ(computation(2, 2, Layout::row_cyclic), 34);
    EXPECT_EQ(computation(2, 2, Layout::diagonal), 34);
    EXPECT_EQ(computation(3, 2, Layout::row_cyclic), 80);
    EXPECT_EQ(computation(4, 2, Layout::row_cyclic), 146);
    EXPECT_EQ(computation(4, 2, Layout::diagonal), 152);
    EXPECT_EQ(computation(4, 4, Layout::diagonal), 110);
    EXPECT_EQ(computation(6, 4, Layout::row_cyclic), 252);
    EXPECT_EQ(computation(8, 8, Layout::row_cyclic), 404);
    EXPECT_EQ(computation(8, 8, Layout::diagonal), 318);
}

TEST(GaussianElimination, EveryBlockIsInOneStepOfEachElimination) {
    auto const program = elimination(5, 1, Layout::row_cyclic);
    auto const work = std::accumulate(program.compute_ns.begin(), program.compute_ns.end(), std::int64_t{0});
    EXPECT_EQ(work / 1000, 5 * 10 + 10 * (8 + 8) + (16 + 9 + 4 + 1) * 6);
    EXPECT_TRUE(program.messages.empty()) << "one rank sends itself nothing";
}

TEST(GaussianElimination, ABlockThatDoesNotDivideIsRefusedWithTheNearest) {
    auto const refused = gaussian_elimination({.size = 960, .blocks = {50}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "blocks of 50 do not divide a matrix of 960; the nearest that do are 48 and 60");
    EXPECT_FALSE(gaussian_elimination({.size = 960, .blocks = {500, 500}}));
    EXPECT_TRUE(gaussian_elimination({.size = 960, .blocks = {160, 160, 320, 80, 240}}));
}

TEST(GaussianElimination, TwoDimensionalBlocksGoToAGridOfRanks) {
    auto const program = elimination(6, 6, Layout::block_cyclic_2d);
    std::set<std::uint32_t> ranks;
    for (auto const& message : program.messages)
        ranks.insert(message.from);
    EXPECT_EQ(ranks.size(), 6U);
}

// Operations of 1 us, 3 us from memory; 0.5 ns to copy a byte, 10 ns to pass over a block.
BlockCosts costs_of_effects() {
    BlockCosts costs;
    costs.edge = {1, 1000};
    costs.ns.fill({1000, 1000});
    costs.cold_ns.fill({3000, 3000});
    costs.copy_ns_per_byte = 0.5;
    costs.visit_ns = 10;
    return costs;
}

std::int64_t work_of(BlockEffects const& effects, std::uint32_t ranks = 1) {
    auto const program = gaussian_elimination(
        {.size = 20, .blocks = {10}, .ranks = ranks, .costs = costs_of_effects(), .effects = effects});
    EXPECT_TRUE(program);
    return std::accumulate(program->compute_ns.begin(), program->compute_ns.end(), std::int64_t{0});
}

// 2 x 2 blocks of 800 bytes: 5 operations in 4 steps; the last one, Op1 of (1, 1), uses what was just used.
TEST(BlockEffects, WhatABlockCostsThatIsNotInTheCache) {
    EXPECT_EQ(work_of({}), 5000);
    EXPECT_EQ(work_of({.cache_bytes = 1'000'000}), 3000 + 2 * 2000 + 1667 + 1000)
        << "each block is read once: of Op1 all, of Op2 and Op3 one of two, of Op4 one of three";
    EXPECT_EQ(work_of({.cache_bytes = 799}), 5 * 3000) << "no block fits";
}

TEST(BlockEffects, WhatABlockCostsThatGoesToAnotherOfItsRank) {
    EXPECT_EQ(work_of({.has_copies = true}), 5000 + 4 * 400) << "(0, 0) down and right, then each to (1, 1)";
    auto const by_rows = work_of({.has_copies = true}, 2);
    EXPECT_EQ(by_rows, 5000 + 2 * 400) << "those to the right";
}

TEST(BlockEffects, WhatItCostsToPassOverBlocks) {
    EXPECT_EQ(work_of({.has_visits = true}), 5000 + 4 * 4 * 10);
}

TEST(BlockEffects, WhatTheCostsDoNotKnowIsRefused) {
    auto const refused = gaussian_elimination({.effects = {.has_copies = true}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "the usual costs do not say what it takes to copy a block");
}

TEST(Cannon, EveryRankMultipliesAsOftenAsTheTorusIsWide) {
    auto const program = cannon({.size = 90, .ranks = 9});
    ASSERT_TRUE(program && check(*program));
    EXPECT_EQ(program->steps(), 4U);
    EXPECT_EQ(program->messages_of(0).size(), 2U * (9 - 3));
    EXPECT_EQ(program->messages_of(1).size(), 18U);
    EXPECT_EQ(program->messages_of(3).size(), 0U) << "nothing is passed on at the end";
    EXPECT_EQ(program->compute_of(1)[4], 27000);
    EXPECT_FALSE(cannon({.size = 90, .ranks = 8}));
    EXPECT_FALSE(cannon({.size = 91, .ranks = 9}));
}

TEST(Halo, NeighboursExchangeTheirEdges) {
    auto const program = halo({.size = 10, .ranks = 6, .iterations = 2, .point_ns = 1});
    ASSERT_TRUE(program && check(*program));
    EXPECT_EQ(program->steps(), 2U);
    EXPECT_EQ(program->messages_of(0).size(), 2U * (3 + 2 * 2));
    auto const work =
        std::accumulate(program->compute_ns.begin(), program->compute_ns.end(), std::int64_t{0});
    EXPECT_EQ(work, 2 * 100) << "no point is lost where the grid is not even";
}

// Section 3.2.1 of Marinescu, Rice and Vavalis (1990): their figure 5 has P = 64, n = 12, q = 4, m = 3.
TEST(MatrixProductSteps, ReadTwoBlocksMultiplyAndAddInTrees) {
    auto const program = matrix_product({.size = 12, .ranks = 64});
    ASSERT_TRUE(program && check(*program));
    EXPECT_EQ(program->messages_of(0).size(), 2 * 64U);  // two blocks for each rank
    std::vector<int> received(64);
    for (auto const& message : program->messages_of(0)) {
        ++received[message.to];
        EXPECT_EQ(message.bytes, 9U * 8);
    }
    EXPECT_EQ(std::ranges::count(received, 2), 64);
    EXPECT_EQ(program->compute_of(1)[0], 2 * 27);  // m^3 multiplications and additions
    // Of the four products of a tree two pairs are added, then one.
    EXPECT_EQ(program->messages_of(1).size(), 16 * 2U);
    EXPECT_EQ(program->messages_of(2).size(), 16 * 1U);
    EXPECT_EQ(program->messages_of(3).size(), 0U);
    EXPECT_EQ(program->compute_of(3)[0], 9);
}

TEST(MatrixProductSteps, NeedACubeOfRanksThatDividesTheMatrix) {
    EXPECT_FALSE(matrix_product({.size = 12, .ranks = 16}));
    EXPECT_FALSE(matrix_product({.size = 10, .ranks = 64}));
    EXPECT_FALSE(matrix_product({.size = 12, .ranks = 0}));
    auto const alone = matrix_product({.size = 12, .ranks = 1});
    ASSERT_TRUE(alone && check(*alone));
    EXPECT_TRUE(alone->messages.empty());
    EXPECT_EQ(std::accumulate(alone->compute_ns.begin(), alone->compute_ns.end(), std::int64_t{0}), 2 * 1728);
}

// Section 3.2.2: an iteration does 1 + (m - 1) + 2 (m - 1)^2 operations and sends q (q - 1) messages twice.
TEST(BandedLuSteps, AreThreeAnIteration) {
    auto const program = banded_lu({.size = 5, .window = 12, .ranks = 9});
    ASSERT_TRUE(program && check(*program));
    EXPECT_EQ(program->steps(), 15U);
    auto const operations = [&](std::size_t step) {
        auto const compute = program->compute_of(step);
        return std::accumulate(compute.begin(), compute.end(), std::int64_t{0});
    };
    EXPECT_EQ(operations(0), 1);
    EXPECT_EQ(operations(1), 11);
    EXPECT_EQ(operations(2), 2 * 121);
    EXPECT_EQ(program->messages_of(0).size(), 6U);
    EXPECT_EQ(program->messages_of(1).size(), 6U);
    EXPECT_EQ(program->messages_of(2).size(), 9U);  // the window slides
    for (auto const& message : program->messages)
        EXPECT_EQ(message.bytes, 4U * 8);  // m / q elements
}

TEST(BandedLuSteps, NeedASquareOfRanksThatDividesTheWindow) {
    EXPECT_FALSE(banded_lu({.size = 5, .window = 12, .ranks = 8}));
    EXPECT_FALSE(banded_lu({.size = 5, .window = 13, .ranks = 9}));
    EXPECT_FALSE(banded_lu({.size = 4'000'000, .window = 12, .ranks = 9}));  // too many messages
    auto const alone = banded_lu({.size = 5, .window = 3, .ranks = 1});
    ASSERT_TRUE(alone && check(*alone));
    EXPECT_TRUE(alone->messages.empty());
}

}  // namespace
}  // namespace parcast::generate
