#include "machine/thread_plan_toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast {
namespace {

TEST(ThreadPlanToml, NamesThreadsByNumberNameFunctionOrPath) {
    auto const plan = thread_plan_from_toml(R"(version = 1
[[thread]]
number = 0
cpu = 70
[[thread]]
name = "worker*"
cpu = [1, 2]
nice = 5
[[thread]]
function = "drain"
real_time = 10
[[thread]]
path = "0.3"
cpu = 0
[[thread]]
number = 5
lwp = "own"
[[thread]]
number = 6
lwp = "interactive"
)",
                                            "plan.toml");
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    ThreadPlan const expected{{{ThreadKey::number, "0", {70}, {}, {}, ""},
                               {ThreadKey::name, "worker*", {1, 2}, 5, {}, ""},
                               {ThreadKey::function, "drain", {}, {}, 10, ""},
                               {ThreadKey::path, "0.3", {0}, {}, {}, ""},
                               {ThreadKey::number, "5", {}, {}, {}, "", LwpClass::time_sharing},
                               {ThreadKey::number, "6", {}, {}, {}, "", LwpClass::interactive}}};
    EXPECT_EQ(*plan, expected);
    EXPECT_EQ(*thread_plan_from_toml(to_toml(*plan), "again"), *plan);
}

struct Wrong {
    char const* text;
    char const* message;
    std::uint32_t line;
};

TEST(ThreadPlanToml, SaysWhereItIsWrong) {
    for (auto const& [text, message, line] : {
             Wrong{"[[thread]]\nnumber = 1\ncpu = 0\n", "version", 1},
             Wrong{"version = 1\n[[thread]]\ncpu = 0\n",
                   "names threads by one of number, name, function, path", 2},
             Wrong{"version = 1\n[[thread]]\nname = \"a\"\nnumber = 1\ncpu = 0\n", "by one of", 2},
             Wrong{"version = 1\n[[thread]]\nnumber = 1\n", "one of cpu, nice, real_time and lwp", 2},
             Wrong{"version = 1\n[[thread]]\nnumber = 1\nnice = 5\nreal_time = 5\n", "not both", 2},
             Wrong{"version = 1\n[[thread]]\nnumber = 1\ncpu = 65536\n", "cpu", 4},
             Wrong{"version = 1\n[[thread]]\nnumber = 1\ncpu = [0, 1.5]\n", "whole numbers", 4},
             Wrong{"version = 1\n[[thread]]\nnumber = 1\nreal_time = 0\n", "real_time", 4},
             Wrong{"version = 1\n[[thread]]\nnumber = 1\ncpus = 3\n", "cpu", 4},
             Wrong{"version = 1\n[[thread]]\nnumber = 1\nlwp = \"none\"\n", "own", 4},
         }) {
        auto const plan = thread_plan_from_toml(text, "plan.toml");
        ASSERT_FALSE(plan.has_value()) << text;
        EXPECT_THAT(plan.error().message, testing::HasSubstr(message)) << text;
        ASSERT_TRUE(plan.error().place.has_value()) << text;
        EXPECT_EQ(plan.error().place->line, line) << text;
    }
}

}  // namespace
}  // namespace parcast
