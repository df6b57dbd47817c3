#include "forecast/thread_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/program_builder.h"

namespace parcast::forecast {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The first thread creates two; the second of these, one more. And one is there from the start.
ThreadProgram family() {
    ProgramBuilder builder(5, 1'000);
    builder.thread(0).create(1).create(2);
    builder.thread(2).create(3);
    auto program = builder.finish();
    program.parameters[4].at_start = true;
    for (std::size_t thread : {1, 3}) {
        program.catalogue.threads[thread].name = "worker " + std::to_string(thread);
        program.catalogue.threads[thread].function = "work";
    }
    return program;
}

std::vector<std::optional<std::uint32_t>> cpus_of(std::vector<PlannedThread> const& planned) {
    std::vector<std::optional<std::uint32_t>> cpus;
    for (auto const& thread : planned)
        cpus.push_back(thread.cpu);
    return cpus;
}

PlanEntry entry(ThreadKey key, std::string value, std::vector<std::uint32_t> cpus) {
    return {key, std::move(value), std::move(cpus), {}, {}, ""};
}

TEST(ThreadPlans, APathSaysWhoCreatedWhom) {
    EXPECT_THAT(creation_paths(family()), ElementsAre("0", "0.0", "0.1", "0.1.0", ""));
}

TEST(ThreadPlans, ThreadsOfAPatternTakeItsCpusByTurn) {
    ThreadPlan const plan{{entry(ThreadKey::name, "work*", {5, 6, 7}), entry(ThreadKey::path, "0", {1}),
                           entry(ThreadKey::number, "4", {2})}};
    auto const planned = planned_threads(plan, family());
    ASSERT_TRUE(planned.has_value()) << planned.error().message;
    EXPECT_THAT(cpus_of(*planned), ElementsAre(1U, 5U, std::nullopt, 6U, 2U));
}

TEST(ThreadPlans, AThreadMayHaveItsCpuAndItsPriorityFromDifferentEntries) {
    ThreadPlan plan{{entry(ThreadKey::function, "work", {3}), entry(ThreadKey::number, "1", {})}};
    plan.entries[1].real_time = 7;
    auto const planned = planned_threads(plan, family());
    ASSERT_TRUE(planned.has_value()) << planned.error().message;
    EXPECT_EQ((*planned)[1].cpu, 3U);
    EXPECT_EQ((*planned)[1].real_time, 7);
}

TEST(ThreadPlans, AThreadIsPlannedOnce) {
    ThreadPlan const plan{{entry(ThreadKey::function, "work", {3}), entry(ThreadKey::path, "0.1.*", {1})}};
    auto const planned = planned_threads(plan, family());
    ASSERT_FALSE(planned.has_value());
    EXPECT_EQ(planned.error().message, "thread 3 is planned twice");
}

TEST(ThreadPlans, AnEntryThatNamesNoThreadNamesTheNearest) {
    auto const message = [](PlanEntry const& each) {
        return planned_threads({{each}}, family()).error().message;
    };
    EXPECT_THAT(message(entry(ThreadKey::name, "worker 2", {0})), HasSubstr("the nearest is \"worker"));
    EXPECT_EQ(message(entry(ThreadKey::number, "5", {0})), "there is no thread 5; there are 0 to 4");
    EXPECT_THAT(message(entry(ThreadKey::path, "0.7", {0})), HasSubstr("no thread has the path \"0.7\""));
}

TEST(ThreadPlans, ABindingIsWrittenSoThatItPlansTheSameCpus) {
    std::vector<std::uint32_t> const cpus{0, 1, 1, 0, 2};
    auto const planned = planned_threads(plan_of_binding(family(), cpus, false), family());
    ASSERT_TRUE(planned.has_value()) << planned.error().message;
    EXPECT_THAT(cpus_of(*planned), ElementsAre(0U, 1U, 1U, 0U, 2U));
}

}  // namespace
}  // namespace parcast::forecast
