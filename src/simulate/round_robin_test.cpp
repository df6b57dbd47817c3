// The rules of the round-robin scheduler (docs/schedulers.md), and the vectors of the papers under it.

#include <gtest/gtest.h>

#include <vector>

#include "simulate/simulate.h"
#include "support/conserves_time.h"
#include "support/program_builder.h"

namespace parcast::simulate {
namespace {

constexpr std::int64_t ms = 1'000'000;

Machine round_robin(std::uint32_t cpus, std::int64_t slice_ms, std::int64_t queue_per_cpu = 0) {
    Machine machine = machine_under(*scheduler_named("round-robin"), cpus);
    machine.scheduler = RoundRobinScheduler{{slice_ms * ms}, queue_per_cpu};
    return machine;
}

Run run_by_turn(ThreadProgram const& program, Machine const& machine) {
    auto result = run(program, machine, {.with_timeline = true});
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    EXPECT_TRUE(conserves_time(result->accounts));
    return *result;
}

// Threads that are all there from the start.
ThreadProgram all_at_start(ProgramBuilder const& builder) {
    auto program = builder.finish();
    for (auto& parameters : program.parameters)
        parameters.at_start = true;
    return program;
}

ThreadProgram workers(std::vector<std::int64_t> const& work_ms) {
    ProgramBuilder program(static_cast<std::uint32_t>(work_ms.size()), ms);
    for (std::uint32_t number = 0; number < work_ms.size(); ++number)
        program.thread(number).work(work_ms[number]);
    return all_at_start(program);
}

std::vector<std::int64_t> ends_ms(Run const& run) {
    std::vector<std::int64_t> ends;
    for (auto const& thread : run.accounts.threads)
        ends.push_back(thread.ended.ns / ms);
    return ends;
}

using Ends = std::vector<std::int64_t>;

TEST(RoundRobin, ThreadsOfOneProcessorTakeTurns) {
    // 0: 0-10 and 25-35, 1: 10-20 and 35-45, 2: 20-25.
    EXPECT_EQ(ends_ms(run_by_turn(workers({20, 20, 5}), round_robin(1, 10))), (Ends{35, 45, 25}));
}

TEST(RoundRobin, ASliceEndsOnlyWhereOthersWait) {
    auto const run = run_by_turn(workers({100, 100}), round_robin(2, 10));
    EXPECT_EQ(run.accounts.completion.ns, 100 * ms);
    EXPECT_EQ(run.accounts.context_switches, 2);
}

TEST(RoundRobin, SlicesFollowEachOtherWhileNobodyWaits) {
    // 1 comes at 25, in the third slice of 0, which ends at 30.
    ProgramBuilder program(2, ms);
    program.thread(0).work(50);
    program.thread(1).sleep(25).work(20);
    EXPECT_EQ(ends_ms(run_by_turn(all_at_start(program), round_robin(1, 10))), (Ends{60, 70}));
}

TEST(RoundRobin, WithoutSlicesAThreadRunsUntilItWaits) {
    EXPECT_EQ(ends_ms(run_by_turn(workers({20, 20, 5}), round_robin(1, 0))), (Ends{20, 40, 45}));
}

TEST(RoundRobin, OneQueueServesAllProcessors) {
    EXPECT_EQ(ends_ms(run_by_turn(workers({10, 20, 5, 5}), round_robin(2, 0))), (Ends{10, 20, 15, 20}));
}

TEST(RoundRobin, WithAQueuePerProcessorThreadsStayThere) {
    // 0 and 2 on the first, 1 and 3 on the second.
    EXPECT_EQ(ends_ms(run_by_turn(workers({10, 20, 5, 5}), round_robin(2, 0, 1))), (Ends{10, 20, 15, 25}));
}

TEST(RoundRobin, ABoundThreadWaitsForItsProcessor) {
    auto program = workers({10, 10, 10});
    program.parameters[1].affinity = program.parameters[2].affinity = 1;
    EXPECT_EQ(ends_ms(run_by_turn(program, round_robin(2, 0))), (Ends{10, 20, 30}));
}

TEST(RoundRobin, AHigherLevelRunsFirstAndPreemptsAtOnce) {
    ProgramBuilder builder(3, ms);
    builder.thread(0).work(10);
    builder.thread(1).sleep(3).work(4);
    builder.thread(2).sleep(5).work(1);
    auto program = all_at_start(builder);
    program.parameters[1].priority = {SchedulingClass::real_time, 1};
    program.parameters[2].priority = {SchedulingClass::real_time, 2};
    // 0: 0-3 and 8-15, 1: 3-5 and 6-8, 2: 5-6.
    EXPECT_EQ(ends_ms(run_by_turn(program, round_robin(1, 10))), (Ends{15, 8, 6}));
}

TEST(RoundRobin, APreemptedThreadIsTheNextOfItsLevelWithTheRestOfItsSlice) {
    ProgramBuilder builder(3, ms);
    builder.thread(0).work(12);
    builder.thread(1).work(5);
    builder.thread(2).sleep(3).work(1);
    auto program = all_at_start(builder);
    program.parameters[2].priority = {SchedulingClass::real_time, 1};
    // 0: 0-3, 2: 3-4, 0: 4-11, 1: 11-16, 0: 16-18.
    EXPECT_EQ(ends_ms(run_by_turn(program, round_robin(1, 10))), (Ends{18, 16, 4}));
}

TEST(RoundRobin, ALowerLevelRunsWhereTheHigherOnesWait) {
    auto program = workers({10, 10, 10});
    program.parameters[2].priority = {SchedulingClass::real_time, 7};
    program.parameters[1].priority = {SchedulingClass::real_time, 3};
    EXPECT_EQ(ends_ms(run_by_turn(program, round_robin(2, 10))), (Ends{20, 10, 10}));
}

TEST(RoundRobin, YieldLetsOthersOfTheLevelRun) {
    ProgramBuilder program(2, ms);
    program.thread(0).work(2).yield().work(2);
    program.thread(1).work(5);
    EXPECT_EQ(ends_ms(run_by_turn(all_at_start(program), round_robin(1, 0))), (Ends{9, 7}));
}

TEST(RoundRobin, AThreadCanLowerItsLevelAndMove) {
    ProgramBuilder builder(2, ms);
    builder.thread(0).work(2).add(OperationKind::set_priority, 0xffffffff, 0).work(2);
    builder.thread(1).work(5).add(OperationKind::set_affinity, 0xffffffff, 2).work(5);
    auto program = all_at_start(builder);
    program.parameters[0] = {1, {SchedulingClass::real_time, 9}, true};
    program.parameters[1] = {1, {SchedulingClass::real_time, 5}, true};
    // 0: 0-2, then 1 is above it: 2-7 on the first processor, and 7-12 on the second; 0: 7-9.
    EXPECT_EQ(ends_ms(run_by_turn(program, round_robin(2, 10))), (Ends{9, 12}));
}

TEST(RoundRobin, KnowsNoRates) {
    auto machine = round_robin(2, 10);
    machine.rates.compute = {1, 0.5};
    EXPECT_FALSE(run(workers({1}), machine, {}).has_value());
}

}  // namespace
}  // namespace parcast::simulate
