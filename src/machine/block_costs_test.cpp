#include "machine/block_costs.h"

#include <gtest/gtest.h>

#include "machine/block_costs_toml.h"

namespace parcast {
namespace {

TEST(BlockCosts, ArePowersBetweenTheSizesThatAreKnown) {
    BlockCosts costs;
    costs.edge = {10, 20, 40};
    costs.ns = {{{1000, 8000, 32000}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}};
    EXPECT_DOUBLE_EQ(costs.of(0, 20), 8000);
    EXPECT_NEAR(costs.of(0, 15), 3375, 1e-9);
    EXPECT_NEAR(costs.of(0, 5), 125, 1e-9);
    EXPECT_NEAR(costs.of(0, 80), 128000, 1e-9);
}

TEST(BlockCosts, AreACubeWhereOneSizeIsKnown) {
    EXPECT_DOUBLE_EQ(usual_block_costs().of(3, 20), 8000);
}

constexpr auto text = R"(version = 1
program = "gaussian-elimination"
edge = [10, 20]
copy_ns_per_byte = 0.25
[warm_ns]
op1 = [100, 900]
op2 = [101, 901]
op3 = [102, 902]
op4 = [103, 903]
)";

TEST(BlockCosts, AreReadAndWritten) {
    auto const costs = block_costs_from_toml(text, "costs.toml");
    ASSERT_TRUE(costs) << describe(costs.error());
    EXPECT_EQ(costs->ns[1], (std::vector<double>{101, 901}));
    EXPECT_FALSE(costs->has_cold());
    EXPECT_EQ(costs->copy_ns_per_byte, 0.25);
    EXPECT_FALSE(costs->visit_ns);
    EXPECT_EQ(costs->source, "costs.toml");
    auto const again = block_costs_from_toml(to_toml(*costs), "other.toml");
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(*again, *costs);
}

struct Wrong {
    std::string from;
    std::string to;
    std::string message;
};

TEST(BlockCosts, WhatIsWrongHasAPlace) {
    for (auto const& [from, to, message] : {
             Wrong{"[10, 20]", "[20, 10]", "costs.toml:3:8: the edges do not rise"},
             Wrong{"[100, 900]", "[100]",
                   "costs.toml:6:7: 'op1' has 1 time, and 'edge' has 2: a time for each edge"},
             Wrong{"op4", "op5", "costs.toml:9:1: the key 'op5' is unknown; did you mean 'op1'?"},
             Wrong{"gaussian", "gauss",
                   "costs.toml:2:11: 'program' is 'gauss-elimination', which is "
                   "unknown; did you mean 'gaussian-elimination'?"},
             Wrong{"0.25", "-1", "costs.toml:4:20: 'copy_ns_per_byte' is -1; it must be 0 to 1000000"},
         }) {
        std::string changed = text;
        changed.replace(changed.find(from), from.size(), to);
        auto const costs = block_costs_from_toml(changed, "costs.toml");
        ASSERT_FALSE(costs) << from;
        EXPECT_EQ(describe(costs.error()), message);
    }
}

}  // namespace
}  // namespace parcast
