// The generator and both step algorithms together, held to vectors of the elimination that were computed
// elsewhere: operations of 10, 8, 8 and 6 us, messages of 101 bytes, L = 9 us, o = 2 us, g = 14 us,
// G = 30 ns.

#include <gtest/gtest.h>

#include <ostream>
#include <vector>

#include "generate/messages.h"
#include "simulate/communication_steps.h"

namespace parcast {
namespace {

using generate::Layout;
using Us = std::vector<std::int64_t>;

StepProgram elimination(std::uint32_t blocks, std::uint32_t ranks, Layout layout) {
    BlockCosts costs;
    costs.edge = {1, 1000};
    costs.ns = {{{10000, 10000}, {8000, 8000}, {8000, 8000}, {6000, 6000}}};
    auto program = generate::gaussian_elimination({.size = blocks,
                                                   .blocks = {1},
                                                   .ranks = ranks,
                                                   .layout = layout,
                                                   .costs = costs,
                                                   .element_bytes = 101});
    EXPECT_TRUE(program && check(*program));
    return std::move(*program);
}

simulate::StepsRun run(StepProgram const& program, simulate::StepMethod method,
                       simulate::StepClocks clocks = simulate::StepClocks::barrier) {
    NetworkValues values;
    values.latency_ns = 9000;
    values.overhead_ns = 2000;
    values.gap_ns = 14000;
    values.gap_per_byte_ns = 30;
    return simulate::run_steps(program, LogGp(values), {.method = method, .clocks = clocks});
}

struct Case {
    std::uint32_t blocks;
    std::uint32_t ranks;
    Layout layout;
    std::int64_t computation_us;
    std::int64_t standard_us;  // of communication
    std::int64_t overestimate_us;
    std::int64_t carried_us;  // in all, of the rank that can send next, not of the one that is first done
    std::int64_t carried_overestimate_us;

    friend std::ostream& operator<<(std::ostream& out, Case const& each) {
        return out << each.blocks << " blocks, " << each.ranks << " ranks";
    }
};

class Eliminations : public testing::TestWithParam<Case> {};

TEST_P(Eliminations, TakeWhatWasComputedElsewhere) {
    using enum simulate::StepMethod;
    auto const& expected = GetParam();
    auto const program = elimination(expected.blocks, expected.ranks, expected.layout);
    EXPECT_EQ(run(program, standard).computation.ns, expected.computation_us * 1000);
    EXPECT_EQ(run(program, standard).communication().ns, expected.standard_us * 1000);
    EXPECT_EQ(run(program, overestimate).communication().ns, expected.overestimate_us * 1000);
    EXPECT_EQ(run(program, standard, simulate::StepClocks::carry).time.ns, expected.carried_us * 1000);
    EXPECT_EQ(run(program, overestimate, simulate::StepClocks::carry).time.ns,
              expected.carried_overestimate_us * 1000);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Eliminations,
                         testing::Values(Case{2, 2, Layout::row_cyclic, 34, 32, 32, 55, 55},
                                         Case{2, 2, Layout::diagonal, 34, 32, 32, 55, 55},
                                         Case{3, 2, Layout::row_cyclic, 80, 113, 149, 196, 196},
                                         Case{4, 2, Layout::row_cyclic, 146, 305, 377, 425, 475},
                                         Case{4, 2, Layout::diagonal, 152, 296, 386, 441, 495},
                                         Case{4, 4, Layout::diagonal, 110, 408, 575, 444, 534},
                                         Case{6, 4, Layout::row_cyclic, 252, 791, 1392, 951, 1385},
                                         Case{8, 8, Layout::row_cyclic, 404, 1549, 3349, 1829, 2022},
                                         Case{8, 8, Layout::diagonal, 318, 1866, 4200, 1946, 3611}));

// Each step by itself.
Us communication_of_steps(StepProgram const& program, simulate::StepMethod method) {
    Us times;
    for (std::size_t step = 0; step < program.steps(); ++step) {
        StepProgram one;
        one.ranks = program.ranks;
        one.compute_ns.assign(program.ranks, 0);
        auto const messages = program.messages_of(step);
        one.messages.assign(messages.begin(), messages.end());
        one.first_message = {0, messages.size()};
        times.push_back(run(one, method).communication().ns / 1000);
    }
    return times;
}

TEST(Eliminations, StepByStep) {
    using enum simulate::StepMethod;
    auto const two = elimination(4, 2, Layout::row_cyclic);
    EXPECT_EQ(communication_of_steps(two, standard), (Us{16, 24, 50, 58, 58, 50, 33, 16, 0, 0}));
    EXPECT_EQ(communication_of_steps(two, overestimate), (Us{16, 42, 59, 76, 76, 59, 33, 16, 0, 0}));
    auto const rows = elimination(4, 4, Layout::row_cyclic);
    EXPECT_EQ(communication_of_steps(rows, standard), (Us{16, 24, 24, 50, 67, 50, 33, 16, 0, 0}));
    EXPECT_EQ(communication_of_steps(rows, overestimate), (Us{16, 42, 68, 85, 76, 59, 33, 16, 0, 0}));
    auto const diagonal = elimination(4, 4, Layout::diagonal);
    EXPECT_EQ(communication_of_steps(diagonal, standard), (Us{33, 50, 24, 50, 67, 84, 67, 33, 0, 0}));
    EXPECT_EQ(communication_of_steps(diagonal, overestimate), (Us{33, 59, 68, 85, 119, 102, 76, 33, 0, 0}));
}

// With as many ranks as blocks the fifth step is the pattern of the paper's figure 3.
TEST(Eliminations, AStepIsThePatternOfThePaper) {
    using enum simulate::StepMethod;
    for (std::uint32_t const blocks : {5U, 6U, 8U}) {
        auto const program = elimination(blocks, blocks * blocks, Layout::diagonal);
        EXPECT_EQ(communication_of_steps(program, standard)[4], 67) << blocks;
        EXPECT_EQ(communication_of_steps(program, overestimate)[4], 76) << blocks;
    }
}

}  // namespace
}  // namespace parcast
