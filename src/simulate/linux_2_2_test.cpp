// The rules of the scheduler of Linux 2.2 (docs/schedulers.md). Times are in ticks of 10 ms; a full slice is
// 21 ticks, since a counter of 20 has to go below 0.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "simulate/simulate.h"
#include "support/conserves_time.h"
#include "support/pieces.h"
#include "support/program_builder.h"

namespace parcast::simulate {
namespace {

constexpr std::int64_t tick = 10'000'000;

Machine old_linux(std::uint32_t cpus, Linux22Scheduler const& scheduler = {}) {
    Machine machine = machine_under(*scheduler_named("linux-2.2"), cpus);
    machine.scheduler = scheduler;
    return machine;
}

Run run_on(ThreadProgram const& program, Machine const& machine) {
    auto result = run(program, machine, {.with_timeline = true});
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    EXPECT_TRUE(conserves_time(result->accounts));
    return *result;
}

Pieces ticks(ThreadProgram const& program, Machine const& machine) {
    return pieces(run_on(program, machine), tick);
}

ThreadProgram all_at_start(ProgramBuilder const& builder) {
    auto program = builder.finish();
    for (auto& parameters : program.parameters)
        parameters.at_start = true;
    return program;
}

ThreadProgram workers(std::vector<std::int64_t> const& work) {
    ProgramBuilder program(static_cast<std::uint32_t>(work.size()), tick);
    for (std::uint32_t number = 0; number < work.size(); ++number)
        program.thread(number).work(work[number]);
    return all_at_start(program);
}

TEST(Linux22, AfterARefillTheRunningThreadWinsTheTieSoThatSlicesDouble) {
    // Nobody has a counter at 42, 84 and 126.
    EXPECT_THAT(ticks(workers({84, 84}), old_linux(1)),
                testing::ElementsAre(Piece{0, 0, 21}, Piece{1, 21, 63}, Piece{0, 63, 105}, Piece{1, 105, 147},
                                     Piece{0, 147, 168}));
}

TEST(Linux22, AThreadThatSleepsPreemptsOneThatComputes) {
    ProgramBuilder program(2, tick);
    program.thread(0).work(100);
    for (int round = 0; round < 4; ++round)
        program.thread(1).work(1).sleep(10);
    auto const found = ticks(all_at_start(program), old_linux(1));
    EXPECT_EQ(first(6, found),
              (Pieces{{0, 0, 21}, {1, 21, 22}, {0, 22, 32}, {1, 32, 33}, {0, 33, 43}, {1, 43, 44}}));
}

TEST(Linux22, SleepersAreRefilledToo) {
    // 0 sleeps through the refills at 21 and 42: 20, 30, then 35 ticks. 1 has 17 left as 0 wakes.
    ProgramBuilder program(2, tick);
    program.thread(0).sleep(45).work(40);
    program.thread(1).work(60);
    EXPECT_EQ(ticks(all_at_start(program), old_linux(1)),
              (Pieces{{1, 0, 45}, {0, 45, 81}, {1, 81, 96}, {0, 96, 100}}));
}

TEST(Linux22, StayingOnAProcessorIsWorthThePenalty) {
    // At 6, after the turn of the real-time thread, 0 has 15 ticks left and was here; 1 has 20 and was not
    ProgramBuilder builder(3, tick);
    builder.thread(0).work(30);
    builder.thread(1).work(30);
    builder.thread(2).sleep(5).work(1);
    auto program = all_at_start(builder);
    program.parameters[2].priority = {SchedulingClass::real_time, 1};
    auto const third_on = [&](std::int64_t penalty) {
        return ticks(program, old_linux(1, {.change_penalty = penalty})).at(2);
    };
    EXPECT_EQ(third_on(15), (Piece{0, 6, 22}));
    EXPECT_EQ(third_on(4), (Piece{1, 6, 27}));
}

TEST(Linux22, AWokenThreadTakesItsLastProcessorIfThatIsIdle) {
    ProgramBuilder builder(2, tick);
    builder.thread(0).work(1).sleep(5).work(2);
    builder.thread(1).work(1).sleep(3).work(2);
    EXPECT_EQ(ticks(all_at_start(builder), old_linux(3)),
              (Pieces{{0, 0, 1, 0}, {1, 0, 1, 1}, {1, 4, 6, 1}, {0, 6, 8, 0}}));
}

TEST(Linux22, ABoundThreadWaitsForItsProcessorAndTheLastToComeIsFirst) {
    auto program = workers({5, 5, 5});
    program.parameters[1].affinity = program.parameters[2].affinity = 1;
    EXPECT_EQ(ticks(program, old_linux(2)), (Pieces{{0, 0, 5, 0}, {2, 5, 10, 0}, {1, 10, 15, 0}}));
}

TEST(Linux22, ARealTimeThreadPreemptsAndHasNoSlice) {
    ProgramBuilder builder(2, tick);
    builder.thread(0).work(10);
    builder.thread(1).sleep(3).work(50);
    auto program = all_at_start(builder);
    program.parameters[1].priority = {SchedulingClass::real_time, 1};
    EXPECT_EQ(ticks(program, old_linux(1)), (Pieces{{0, 0, 3}, {1, 3, 53}, {0, 53, 60}}));
}

TEST(Linux22, ANiceThreadHasAShorterSlice) {
    // Nice 10: a priority of 10, slices of 11 ticks.
    auto program = workers({40, 40});
    program.parameters[1].priority = {SchedulingClass::fair, 10};
    auto const found = ticks(program, old_linux(1));
    EXPECT_EQ(first(2, found), (Pieces{{0, 0, 21}, {1, 21, 32}}));
}

TEST(Linux22, YieldLetsAnotherRunThoughItIsWorse) {
    ProgramBuilder builder(2, tick);
    builder.thread(0).work(1).yield().work(1);
    builder.thread(1).work(2);
    auto program = all_at_start(builder);
    program.parameters[1].priority = {SchedulingClass::fair, 19};
    EXPECT_EQ(ticks(program, old_linux(1)), (Pieces{{0, 0, 1}, {1, 1, 3}, {0, 3, 4}}));
}

TEST(Linux22, AChildMayShareTheCounterOfItsCreator) {
    ProgramBuilder builder(2, tick);
    builder.thread(0).work(1).create(1).work(30);
    builder.thread(1).work(30);
    // 19 ticks are left at 1: alone, or 9 each.
    auto const alone = ticks(builder.finish(), old_linux(1));
    EXPECT_EQ(alone.at(1), (Piece{1, 1, 22})) << "20 against 19: the child preempts";
    auto const shared = ticks(builder.finish(), old_linux(1, {.clone_shares_counter = 1}));
    EXPECT_EQ(shared.at(0), (Piece{0, 0, 11})) << "9 each: the creator goes on";
    EXPECT_EQ(shared.at(1), (Piece{1, 11, 41})) << "until both have none, then by the refill to its end";
}

TEST(Linux22, KnowsNoRates) {
    auto machine = old_linux(2);
    machine.rates.compute = {1, 0.5};
    EXPECT_FALSE(run(workers({1}), machine, {}).has_value());
}

}  // namespace
}  // namespace parcast::simulate
