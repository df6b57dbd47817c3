#include "import/taskgraph_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace parcast {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char const* fork_and_join = R"json({
 "schema": "parcast.taskgraph/2",
 "name": "fork and join",
 "unit": "us",
 "parameters": {"n": 4, "k": "n / 2"},
 "groups": [
  {"name": "fork", "time": 2},
  {"name": "loop", "count": "n", "time": "3 + 0.1*((7*i) % 30)", "after": ["fork"]},
  {"name": "join", "time": [1, 2.5], "after": [1], "process": [0, 1], "queue": 1, "estimate": "k",
   "subset": 2, "uses": {"bus.rate": "1 / n"}}
 ],
 "assumptions": ["Made for a test."]
})json";

Result<TaskGraph> read(std::string const& text, TaskGraphJsonOptions const& options = {}) {
    return task_graph_from_json(text, "graph.json", options);
}

// With a text of it replaced.
std::string with(std::string const& old_text, std::string const& new_text) {
    std::string text = fork_and_join;
    return text.replace(text.find(old_text), old_text.size(), new_text);
}

std::string message(Result<TaskGraph> const& graph) {
    return graph ? "" : describe(graph.error());
}

TEST(TaskGraphJson, AGroupIsGivenOnceWithTheTimesOfItsTasks) {
    auto const graph = read(fork_and_join);
    ASSERT_TRUE(graph) << message(graph);
    EXPECT_EQ(graph->name, "fork and join");
    EXPECT_THAT(graph->group_names, ElementsAre("fork", "loop", "join"));
    EXPECT_THAT(graph->cpu_ns, ElementsAre(2000, 3000, 3700, 4400, 5100, 1000, 2500));
    EXPECT_THAT(graph->first_task, ElementsAre(0, 1, 5, 7));
    EXPECT_THAT(graph->successors, ElementsAre(TaskGroupId(1), TaskGroupId(2)));
    EXPECT_THAT(graph->estimate_ns, ElementsAre(2000, 3000, 3700, 4400, 5100, 2000, 2000));
    EXPECT_THAT(graph->process,
                ElementsAre(any_process, any_process, any_process, any_process, any_process, 0, 1));
    EXPECT_THAT(graph->queue, ElementsAre(0, 0, 1));
    EXPECT_THAT(graph->subset, ElementsAre(0, 0, 2));
    EXPECT_THAT(graph->resources, ElementsAre(ResourceUse{"bus.rate", {0, 0, 0.25}}));
    EXPECT_THAT(graph->assumptions, ElementsAre("Made for a test."));
}

// It had one field for both: each schedule read its own meaning into it.
TEST(TaskGraphJson, AQueueOfTheFirstVersionIsASubsetToo) {
    auto const graph =
        read(R"({"schema": "parcast.taskgraph/1", "groups": [{"time": 1, "queue": 2}, {"time": 1}]})");
    ASSERT_TRUE(graph) << message(graph);
    EXPECT_THAT(graph->queue, ElementsAre(2, 0));
    EXPECT_THAT(graph->subset, ElementsAre(2, 0));
    auto const now =
        read(R"({"schema": "parcast.taskgraph/2", "groups": [{"time": 1, "queue": 2}, {"time": 1}]})");
    ASSERT_TRUE(now) << message(now);
    EXPECT_TRUE(now->subset.empty());
}

TEST(TaskGraphJson, AGivenParameterWinsOverTheDefaultAndOverWhatFollowsFromIt) {
    TaskGraphJsonOptions options;
    options.given.set("n", 6);
    auto const graph = read(fork_and_join, options);
    ASSERT_TRUE(graph) << message(graph);
    EXPECT_EQ(graph->size_of(TaskGroupId(1)), 6U);
    EXPECT_EQ(graph->estimate_ns.back(), 3000) << "k = n / 2";
}

TEST(TaskGraphJson, AParameterWithoutADefaultIsAskedFor) {
    auto const text = with("\"n\": 4, \"k\": \"n / 2\"", "\"m\": 4, \"k\": 2");
    EXPECT_EQ(
        message(read(text)),
        "graph.json:8:29: the formula 'n' needs 'n', which has no value: did you mean 'k'? Else bind it with "
        "--set n=VALUE");
    TaskGraphJsonOptions options;
    options.given.set("n", 3);
    EXPECT_TRUE(read(text, options));
}

TEST(TaskGraphJson, AGivenParameterThatNothingUsesIsAMistake) {
    TaskGraphJsonOptions options;
    options.given.set("nn", 6);
    EXPECT_EQ(
        message(read(fork_and_join, options)),
        "graph.json:1:1: the task graph has no parameter 'nn', which --set gives a value: did you mean 'n'?");
}

// --set i=3 was accepted and meant nothing: i is the index of a task in its group.
TEST(TaskGraphJson, TheIndexOfATaskIsNoParameter) {
    auto const text = R"({"schema": "parcast.taskgraph/2", "groups": [{"count": 2, "time": "1+i"}]})";
    EXPECT_TRUE(read(text));
    TaskGraphJsonOptions options;
    options.given.set("i", 3);
    EXPECT_EQ(message(read(text, options)),
              "graph.json:1:1: the task graph has no parameter 'i', which --set gives a value");
}

TEST(TaskGraphJson, ParametersAndUnitMayStandBehindTheGroups) {
    auto const graph = read(R"({"groups": [{"count": "n", "time": 2}], "parameters": {"n": 3},
                               "schema": "parcast.taskgraph/2", "unit": "ms"})");
    ASSERT_TRUE(graph) << message(graph);
    EXPECT_THAT(graph->cpu_ns, ElementsAre(2e6, 2e6, 2e6));
}

TEST(TaskGraphJson, AGroupMayWaitForOneThatComesLater) {
    auto const graph = read(R"({"schema": "parcast.taskgraph/2", "groups": [
        {"time": 1, "after": ["last", 1]}, {"time": 2}, {"time": 3, "name": "last"}]})");
    ASSERT_TRUE(graph) << message(graph);
    EXPECT_THAT(graph->first_successor, ElementsAre(0, 0, 1, 2));
    EXPECT_THAT(graph->successors, ElementsAre(TaskGroupId(0), TaskGroupId(0)));
}

TEST(TaskGraphJson, WhatIsWrittenReadsBackAsTheSame) {
    auto graph = read(fork_and_join);
    ASSERT_TRUE(graph);
    graph->name = "quotes \" and \\ and\nlines";
    graph->cpu_ns[3] = 1234.56789012345678;
    auto const again = read(to_json(*graph));
    ASSERT_TRUE(again) << message(again) << to_json(*graph);
    EXPECT_EQ(*again, *graph);
}

TEST(TaskGraphJson, ANameWithAnyBytesIsWrittenAsJson) {
    auto graph = read(fork_and_join);
    ASSERT_TRUE(graph);
    graph->group_names[0] = "\xff\xfe";
    auto const again = read(to_json(*graph));
    ASSERT_TRUE(again) << message(again);
    EXPECT_EQ(again->group_names[0], "??");
}

TEST(TaskGraphJson, TwoGroupsOfOneNameAreWrittenWithTwo) {
    auto graph = read(fork_and_join);
    ASSERT_TRUE(graph);
    graph->group_names = {"loop", "loop", "loop #1"};
    auto const again = read(to_json(*graph));
    ASSERT_TRUE(again) << message(again);
    EXPECT_THAT(again->group_names, ElementsAre("loop", "loop #1", "loop #1 #2"));
}

TEST(TaskGraphJson, AMillionTasksWithOneTypoNamesThePlace) {
    std::string text = "{\"schema\": \"parcast.taskgraph/2\",\n\"groups\": [\n{\"time\": 1}";
    for (int task = 1; task < 1'000'000; ++task) {
        text += ",\n{\"time\": 3, \"";
        text += task == 765'432 ? "afer" : "after";
        text += "\": [" + std::to_string(task - 1) + "]}";
    }
    text += "]}";
    EXPECT_EQ(message(read(text)), "graph.json:765435:21: a group has no \"afer\": did you mean \"after\"?");
    text.replace(text.find("afer"), 4, "after");
    auto const graph = read(text);
    ASSERT_TRUE(graph) << message(graph);
    EXPECT_EQ(graph->tasks(), 1'000'000U);
}

TEST(TaskGraphJson, ATaskCountThatDoesNotFitIsRefused) {
    TaskGraphJsonOptions options;
    options.most_tasks = 5;
    EXPECT_EQ(message(read(fork_and_join, options)), "graph.json:9:3: there are more than 5 tasks");
    options.given.set("n", 1e12);
    EXPECT_EQ(message(read(fork_and_join, options)),
              "graph.json:8:29: the number of tasks must be a whole number up to 4");
}

struct Mistake {
    char const* old_text;
    char const* new_text;
    char const* message;
};

class TaskGraphJsonMistake : public testing::TestWithParam<Mistake> {};

TEST_P(TaskGraphJsonMistake, IsNamedWithItsPlace) {
    EXPECT_EQ(message(read(with(GetParam().old_text, GetParam().new_text))), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    EachField, TaskGraphJsonMistake,
    testing::Values(
        Mistake{"taskgraph/2", "taskgraph/3",
                "graph.json:2:12: the schema is \"parcast.taskgraph/3\"; this parcast reads "
                "\"parcast.taskgraph/2\" and \"parcast.taskgraph/1\""},
        Mistake{"\"schema\": \"parcast.taskgraph/2\",", "", "graph.json:1:1: a task graph needs \"schema\""},
        Mistake{"\"us\"", "\"days\"", "graph.json:4:10: the unit \"days\" is none of ns, us, ms or s"},
        Mistake{"groups", "group",
                "graph.json:6:11: a task graph has no \"group\": did you mean \"groups\"?"},
        Mistake{"\"name\": \"join\"", "\"name\": \"loop\"", "graph.json:9:3: there are two groups \"loop\""},
        Mistake{"\"name\": \"join\", \"time\": [1, 2.5],", "", "graph.json:9:3: a group needs a \"time\""},
        Mistake{"\"time\": 2}", "\"time\": -2}", "graph.json:7:28: expected a number that is not negative"},
        Mistake{"\"time\": 2}", "\"time\": true}",
                "graph.json:7:28: expected a number, or a formula in \"\""},
        Mistake{"\"time\": 2}", "\"time\": 2, \"time\": 3}", "graph.json:7:39: \"time\" is given twice"},
        Mistake{"\"time\": 2}", "\"time\": 2e16}", "graph.json:7:28: a time is over 10^18 ns, 31 years"},
        Mistake{"[1, 2.5]", "[1, -2.5]", "graph.json:9:32: expected a number that is not negative"},
        Mistake{"[1, 2.5]", "[1, \"n\"]", "graph.json:9:32: expected a number"},
        Mistake{"[1, 2.5]", "[]", "graph.json:9:3: a group needs a task"},
        Mistake{"\"process\": [0, 1]", "\"process\": [0, 1, 2]",
                "graph.json:9:63: the list has 3 values for 2 tasks"},
        Mistake{"\"process\": [0, 1]", "\"process\": 0.5",
                "graph.json:9:63: a process is a whole number up to a million"},
        Mistake{"\"queue\": 1", "\"queue\": 70000",
                "graph.json:9:80: a queue must be a whole number up to 65535"},
        Mistake{"\"subset\": 2", "\"subset\": 0.5",
                "graph.json:10:14: a subset must be a whole number up to 65535"},
        Mistake{"[\"fork\"]", "[\"frok\"]",
                "graph.json:8:76: there is no group \"frok\": did you mean \"fork\"?"},
        Mistake{"[\"fork\"]", "[\"fort\"]",
                "graph.json:8:76: there is no group \"fort\": did you mean \"fork\"?"},
        Mistake{"\"after\": [1]", "\"after\": [3]",
                "graph.json:9:48: there is no group 3: they count from 0 to 2"},
        Mistake{"\"after\": [1]", "\"after\": [-1]", "graph.json:9:48: expected a whole number from 0"},
        Mistake{"\"after\": [1]", "\"after\": 1", "graph.json:9:47: expected a list: [ ... ]"},
        Mistake{"% 30", "% ",
                "graph.json:8:42: the formula '3 + 0.1*((7*i) % )' has no operand at column 18"},
        Mistake{"3 + 0.1*((7*i) % 30)", "1 - i",
                "graph.json:8:42: the formula '1 - i' gives a negative number with i = 2"},
        Mistake{"3 + 0.1*((7*i) % 30)", "1 / i",
                "graph.json:8:42: the formula '1 / i' gives infinity with i = 0"},
        Mistake{"\"n\": 4", "\"n\": 4.5",
                "graph.json:8:29: the number of tasks must be a whole number up to 99999999"},
        Mistake{"2},\n  {\"name\": \"loop\"", "2}\n  {\"name\": \"loop\"",
                "graph.json:8:3: this is not JSON: a comma, colon or bracket is missing, or one too many"},
        Mistake{"\"fork and join\"", "\"fork and join",
                "graph.json:3:25: a text is not closed: a \" is missing"},
        Mistake{"fork and", "fork \xff and", "graph.json:3:1: the file has bytes that are not UTF-8"},
        Mistake{"{\n \"schema\"", "[\n \"schema\"", "graph.json:1:1: expected an object: { ... }"}));

TEST(TaskGraphJson, ATextThatEndsTooEarlyIsNamed) {
    std::string const text = fork_and_join;
    for (std::size_t length = 0; length < text.size() - 1; ++length) {
        auto const graph = read(text.substr(0, length));
        ASSERT_FALSE(graph) << length;
        EXPECT_TRUE(graph.error().place && graph.error().place->line) << length << message(graph);
    }
}

TEST(TaskGraphJson, ACycleIsNamedWithAPlace) {
    EXPECT_EQ(message(read(with("\"time\": 2}", "\"time\": 2, \"after\": [\"join\"]}"))),
              "graph.json:7:3: task graph: task fork waits for itself: fork -> loop -> join -> fork");
}

// Adve 1993, section 4.4.2: block sizes, task counts and miss rates by the number of processors.
constexpr char const* blocks = R"json({
 "schema": "parcast.taskgraph/2",
 "parameters": {"n": 100},
 "groups": [
  {"name": "blocks", "count": "min(P, n)", "time": "ceil(n / P)", "uses": {"memory.rate": "0.001 * log2(P)"}},
  {"name": "join", "time": 1, "after": ["blocks"]}
 ]
})json";

TEST(TaskGraphJson, PIsTheNumberOfCpus) {
    for (std::uint32_t const cpus : {1U, 4U, 8U}) {
        auto const graph = read(blocks, {.cpus = cpus});
        ASSERT_TRUE(graph) << message(graph);
        EXPECT_EQ(graph->cpus, cpus);
        EXPECT_EQ(graph->size_of(TaskGroupId(0)), cpus);
        EXPECT_EQ(graph->cpu_ns.front(), std::ceil(100.0 / cpus));
        EXPECT_DOUBLE_EQ(graph->resources[0].value[0], 0.001 * std::log2(cpus));
    }
    EXPECT_FALSE(read(fork_and_join)->cpus) << "no formula of it uses P";
}

TEST(TaskGraphJson, APThatIsAParameterIsThat) {
    auto const own = read(R"({"schema": "parcast.taskgraph/2", "parameters": {"P": 3},
                              "groups": [{"count": "P", "time": 1}]})",
                          {.cpus = 8});
    ASSERT_TRUE(own) << message(own);
    EXPECT_EQ(own->tasks(), 3U);
    EXPECT_FALSE(own->cpus);
    TaskGraphJsonOptions options{.cpus = 8};
    options.given.set("P", 5);
    auto const given = read(blocks, options);
    ASSERT_TRUE(given) << message(given);
    EXPECT_EQ(given->size_of(TaskGroupId(0)), 5U);
    EXPECT_FALSE(given->cpus);
}

TEST(TaskGraphJson, AParameterCalledPAfterItsUseIsRefusedWithItsPlace) {
    auto const graph = read(
        "{\"schema\": \"parcast.taskgraph/2\",\n \"parameters\": {\"k\": \"2 * P\",\n \"P\": 3},\n"
        " \"groups\": [{\"time\": \"k\"}]}");
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().place->line, 3U);
    EXPECT_THAT(message(graph), HasSubstr("name the parameter first"));
}

TEST(TaskGraphJson, SpeedsByRunningTasksAreUsesOfAResource) {
    auto const graph = read(R"({"schema": "parcast.taskgraph/2",
                                "groups": [{"time": 1, "speeds": [1, 0.9, 0.75]}, {"time": 1}]})");
    ASSERT_TRUE(graph) << message(graph);
    EXPECT_THAT(graph->resources,
                ElementsAre(ResourceUse{"speed.1", {1, 0}}, ResourceUse{"speed.2", {0.9, 0}},
                            ResourceUse{"speed.3", {0.75, 0}}));
}

TEST(TaskGraphJson, ASpeedIsAboveZeroAndAtMostOne) {
    for (char const* speeds : {"[1, 0]", "[1.5]", "[-1]", "[]", "2", "[\"x\"]"}) {
        auto const graph =
            read(std::string(R"({"schema": "parcast.taskgraph/2", "groups": [{"time": 1, "speeds": )") +
                 speeds + "}]}");
        ASSERT_FALSE(graph) << speeds;
        EXPECT_TRUE(graph.error().place && graph.error().place->line) << message(graph);
    }
}

}  // namespace
}  // namespace parcast
