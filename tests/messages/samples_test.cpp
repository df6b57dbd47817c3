// Message programs of other tools, where they lie beside the repository: what is read is what stands there,
// and what is written has the bytes that the tool itself writes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "import/messages/message_format.h"
#include "messages/samples.h"

namespace parcast {
namespace {

class GoalSample : public testing::TestWithParam<char const*> {};

TEST_P(GoalSample, HasTheBytesOfItsOwnConverter) {
    std::string const name = GetParam();
    auto const program = messages_from_goal(sample(name + ".goal"), name + ".goal");
    ASSERT_TRUE(program) << describe(program.error());
    auto const bytes = sample(name + ".bin");
    EXPECT_EQ(to_goal_binary(*program)->bytes, bytes);
    EXPECT_EQ(messages_from_goal_binary(bytes, name + ".bin"), *program);
    EXPECT_EQ(messages_from_goal(to_goal(*program)->bytes, name), *program);
}

INSTANTIATE_TEST_SUITE_P(All, GoalSample,
                         testing::Values("fork", "pingpong", "recv_order", "rendezvous", "twocpu",
                                         "unexpected", "zero"));

// The same program, as two of the formats have it: flops are ns.
TEST(TraceSample, OfSimgridAndDimemasAreThePingPongOfGoal) {
    auto const goal = messages_from_goal(sample("pingpong.goal"), "pingpong.goal");
    ASSERT_TRUE(goal) << describe(goal.error());
    for (char const* name : {"sg_shared.ti", "pingpong.dim"}) {
        auto program = import_messages(sample(name), name);
        ASSERT_TRUE(program) << describe(program.error());
        program->program.name = "";
        program->program.assumptions.clear();
        EXPECT_EQ(program->program, *goal) << name;
    }
    auto const first = sample("sg_rank0.ti");
    auto const second = sample("sg_rank1.ti");
    std::vector<NamedText> const texts = {{"sg_rank0.ti", first}, {"sg_rank1.ti", second}};
    auto split = import_messages(texts);
    ASSERT_TRUE(split) << describe(split.error());
    split->program.assumptions.clear();
    EXPECT_EQ(split->program, *goal);
    EXPECT_EQ(simgrid_trace_files(sample("sg_split.list")),
              (std::vector<std::string>{"sg_rank0.ti", "sg_rank1.ti"}));
}

TEST(TraceSample, OfDimemasIsWrittenAsItIs) {
    auto const bytes = sample("pingpong.dim");
    EXPECT_EQ(to_dimemas(*messages_from_dimemas(bytes, "pingpong.dim"))->bytes, bytes);
}

}  // namespace
}  // namespace parcast
