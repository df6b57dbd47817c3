// A plan decides where threads run and how urgent they are, whatever their program says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>

#include "simulate/simulate.h"
#include "support/conserves_time.h"
#include "support/program_builder.h"

namespace parcast::simulate {
namespace {

constexpr std::int64_t us = 1'000;

using Plan = std::vector<PlannedThread>;

class Plans : public testing::TestWithParam<std::string> {
protected:
    Machine machine(std::uint32_t cpus) const {
        auto machine = machine_under(*scheduler_named(GetParam()), cpus);
        machine.costs = {};
        return machine;
    }
    parcast::Run run_as_planned(ThreadProgram const& program, std::uint32_t cpus, Plan const& plan) const {
        auto result = run(program, machine(cpus), {.with_timeline = true, .plan = plan});
        EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
        EXPECT_TRUE(conserves_time(result->accounts));
        return *result;
    }
};

INSTANTIATE_TEST_SUITE_P(Schedulers, Plans, testing::Values("linux", "round-robin", "linux-2.2", "fibers"),
                         [](auto const& each) {
                             auto name = each.param;
                             std::erase_if(name, [](char letter) { return std::ispunct(letter) != 0; });
                             return name;
                         });

ThreadProgram equal_threads(std::uint32_t threads) {
    ProgramBuilder builder(threads, us);
    for (std::uint32_t thread = 0; thread < threads; ++thread)
        builder.thread(thread).work(1'000);
    auto program = builder.finish();
    for (auto& parameters : program.parameters)
        parameters.at_start = true;
    return program;
}

TEST_P(Plans, ThreadsThatShareACpuTakeTheirSum) {
    auto const program = equal_threads(3);
    EXPECT_EQ(run_as_planned(program, 3, {}).accounts.completion.ns, 1'000 * us);
    EXPECT_EQ(run_as_planned(program, 3, {{.cpu = 2}, {.cpu = 2}, {.cpu = 0}}).accounts.completion.ns,
              2'000 * us);
    EXPECT_EQ(run_as_planned(program, 3, {{.cpu = 1}, {.cpu = 1}, {.cpu = 1}}).accounts.completion.ns,
              3'000 * us);
}

TEST_P(Plans, AThreadRunsOnACpuBeyondThe64OfAMask) {
    auto const run = run_as_planned(equal_threads(2), 130, {{.cpu = 129}, {.cpu = 70}});
    EXPECT_EQ(run.accounts.completion.ns, 1'000 * us);
    EXPECT_THAT(run.timeline->intervals->cpu, testing::UnorderedElementsAre(CpuId(129), CpuId(70)));
}

TEST_P(Plans, AThreadThatBindsItselfStaysWhereThePlanHasIt) {
    ProgramBuilder builder(1, us);
    builder.thread(0).work(10).add(OperationKind::set_affinity, 0xffffffff, 0b100).work(10);
    auto const run = run_as_planned(builder.finish(), 3, {{.cpu = 1}});
    EXPECT_EQ(run.accounts.migrations, 0);
    EXPECT_EQ(run.timeline->intervals->cpu.back(), CpuId(1));
}

TEST_P(Plans, AThreadWithARealTimeLevelGoesFirst) {
    auto const run = run_as_planned(equal_threads(2), 1, {PlannedThread(), {.cpu = 0, .real_time = 5}});
    EXPECT_EQ(run.accounts.threads[1].ended.ns, 1'000 * us);
    EXPECT_EQ(run.accounts.threads[0].ended.ns, 2'000 * us);
}

TEST_P(Plans, ACpuThatIsNotThereIsRefused) {
    auto const program = equal_threads(2);
    Plan const plan{{.cpu = 0}, {.cpu = 2}};
    auto const result = run(program, machine(2), {.plan = plan});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().message, "the plan has thread 1 on CPU 2; there are CPUs 0 to 1");
}

}  // namespace
}  // namespace parcast::simulate
