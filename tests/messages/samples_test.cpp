// Message programs of other tools, where they lie beside the repository: what is read is what stands there,
// and what is written has the bytes that the tool itself writes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "import/messages/message_readers.h"
#include "import/messages/message_writers.h"

namespace parcast {
namespace {

std::string sample(std::string const& name) {
    std::ifstream file(std::string(PARCAST_SAMPLES) + "/" + name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool are_samples_there() {
    return std::filesystem::exists(PARCAST_SAMPLES);
}

class GoalSample : public testing::TestWithParam<char const*> {};

TEST_P(GoalSample, HasTheBytesOfItsOwnConverter) {
    if (!are_samples_there())
        GTEST_SKIP() << "no samples at " << PARCAST_SAMPLES;
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

}  // namespace
}  // namespace parcast
