#include "cli/options/memory_option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/options/target_machine.h"
#include "forecast/forecast.h"
#include "program/task_graph_builder.h"

namespace parcast::cli {
namespace {

TaskGraph one_task() {
    TaskGraphBuilder builder;
    builder.add_task(1000);
    auto graph = std::move(builder).finish();
    graph.resources = {
        {"memory.rate", {0.01}}, {"bus.rate", {0.001}}, {"lock.rate", {0.01}}, {"lock.hold_ns", {10}}};
    return graph;
}

TEST(MemoryOption, IsAPresetOrAFile) {
    auto const preset = read_shared_resources("ddr4-2-channels");
    ASSERT_TRUE(preset);
    EXPECT_EQ(preset->memory->bandwidth_bytes_per_ns, 51.2);
    auto const missing = read_shared_resources("/nonexistent/memory.toml");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::not_found);
    EXPECT_THAT(missing.error().message,
                testing::HasSubstr("no preset of that name: there are ddr4-2-channels, ddr5-8-channels"));
}

// `predict RECORDING --memory ddr4-2-channels` had no way to say how often the program accesses the memory.
TEST(MemoryOption, APresetServesARecordingWithItsAccesses) {
    auto const preset = read_shared_resources("ddr4-2-channels:4.5");
    ASSERT_TRUE(preset);
    EXPECT_DOUBLE_EQ(*preset->accesses_per_us, 4.5);
    for (auto const* wrong :
         {"ddr4-2-channels:", "ddr4-2-channels:x", "ddr4-2-channels:-1", "ddr4-2-channels:1e7"})
        EXPECT_FALSE(read_shared_resources(wrong)) << wrong;
    EXPECT_EQ(read_shared_resources("ddr3:4").error().code, ErrorCode::not_found)
        << "a file may have a colon";
}

TEST(MemoryOption, OfATaskGraphIsALawOfContention) {
    for (auto const* name : {"sequent", "lock", "ddr4-2-channels"}) {
        PredictArguments arguments;
        arguments.memory = name;
        auto const target = target_machine(arguments, Form::task_graph);
        ASSERT_TRUE(target) << name;
        Question question;
        question.cpus = {8};
        auto const forecast =
            forecast::forecast({"graph.json", ImportedGraph{one_task()}}, target->machine, question);
        ASSERT_TRUE(forecast) << name;
        model::RunningClass const running[] = {{0, 8}};
        double delay[1] = {};
        ASSERT_TRUE(forecast->contention->solve(running, delay)) << name;
        EXPECT_GT(delay[0], 0) << name;
    }
}

}  // namespace
}  // namespace parcast::cli
