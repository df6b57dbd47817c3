#include "import/steps_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast {
namespace {

constexpr char const* two_steps = R"({
  "schema": "parcast.steps/1",
  "steps": [
    {"compute": [1.5, 0, 2], "messages": [[0, 1, 101], [0, 2, 8]]},
    {"compute": 4},
    {"messages": [[2, 0, 0]]}
  ],
  "unit": "us", "name": "example", "ranks": 3
})";

TEST(StepsJson, RanksComputeAndThenSend) {
    auto const program = steps_from_json(two_steps, "f");
    ASSERT_TRUE(program);
    EXPECT_EQ(program->name, "example");
    EXPECT_EQ(program->ranks, 3U);
    EXPECT_EQ(program->compute_ns, (std::vector<std::int64_t>{1500, 0, 2000, 4000, 4000, 4000, 0, 0, 0}));
    EXPECT_EQ(program->first_message, (std::vector<std::size_t>{0, 2, 2, 3}));
    EXPECT_EQ(program->messages, (std::vector<StepMessage>{{0, 1, 101}, {0, 2, 8}, {2, 0, 0}}));
    EXPECT_TRUE(check(*program));
}

TEST(StepsJson, IsToldByItsSchemaOrItsKeys) {
    EXPECT_TRUE(is_steps_json(two_steps));
    EXPECT_TRUE(is_steps_json(R"({"ranks": 9, "steps": []})"));
    EXPECT_FALSE(is_steps_json(R"({"schema": "parcast.threads/1", "ranks": 9, "steps": []})"));
    EXPECT_FALSE(is_steps_json("num_ranks 2"));
    EXPECT_FALSE(is_steps_json(""));
}

TEST(StepsJson, WhatIsWrittenReadsBack) {
    auto const program = steps_from_json(two_steps, "f");
    EXPECT_EQ(*steps_from_json(to_steps_json(*program), "g"), *program);
}

std::string error_of(std::string const& text) {
    auto const program = steps_from_json(text, "f");
    return program ? "none" : describe(program.error());
}

TEST(StepsJson, ErrorsHaveAPlace) {
    EXPECT_EQ(error_of(R"({"ranks": 2, "steps": [{"messages": [[0, 2, 8]]}]})"),
              "f:1:38: there is no rank 2: the last one is 1");
    EXPECT_EQ(error_of("{\"ranks\": 2,\n \"steps\": [{\"messages\": [[1, 1, 8]]}]}"),
              "f:2:26: rank 1 sends a message to itself; leave it out, or add its time to \"compute\"");
    EXPECT_EQ(error_of(R"({"ranks": 2, "steps": [{"messages": [[1, 0]]}]})"),
              "f:1:38: a message is [from, to, bytes], such as [0, 3, 101]");
    EXPECT_EQ(error_of(R"({"ranks": 2, "steps": [{"compute": [1]}]})"),
              "f:1:36: \"compute\" needs a time for each of 2 ranks, or one number for all");
    EXPECT_EQ(error_of(R"({"ranks": 0, "steps": []})"), "f:1:11: there are 1 to 16777216 ranks, not 0");
    EXPECT_EQ(error_of(R"({"ranks": 2, "steps": [{"compute": -1}]})"),
              "f:1:36: a time is from 0 to 292 years");
    EXPECT_EQ(error_of(R"({"ranks": 2, "unit": "h", "steps": []})"),
              "f:1:22: the unit is ns, us, ms or s, not \"h\"");
    EXPECT_THAT(error_of(R"({"ranks": 2, "stepz": []})"), testing::HasSubstr("did you mean \"steps\"?"));
    EXPECT_THAT(error_of(R"({"schema": "parcast.steps/2", "ranks": 2, "steps": []})"),
                testing::HasSubstr("reads \"parcast.steps/1\", not \"parcast.steps/2\""));
    EXPECT_THAT(error_of(R"({"ranks": 2})"), testing::HasSubstr("needs \"steps\""));
    EXPECT_NE(error_of(R"({"ranks": 2, "steps": [)"), "none");
}

}  // namespace
}  // namespace parcast
