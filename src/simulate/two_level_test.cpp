// The rules of threads on LWPs on processors (docs/schedulers.md). Times are in ms.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "simulate/simulate.h"
#include "simulate/time_sharing.h"
#include "support/conserves_time.h"
#include "support/pieces.h"
#include "support/program_builder.h"
#include "support/random_program.h"

namespace parcast::simulate {
namespace {

constexpr std::int64_t ms = 1'000'000;

using Values = TwoLevelScheduler;
using Plan = std::vector<PlannedThread>;

Machine two_level(std::uint32_t cpus, Values const& values = {}) {
    auto machine = machine_under(*scheduler_named("two-level"), cpus);
    machine.scheduler = values;
    return machine;
}

Run run_on(ThreadProgram const& program, Machine const& machine, Plan const& plan = {}) {
    auto result = run(program, machine, {.with_timeline = true, .plan = plan});
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    EXPECT_TRUE(conserves_time(result->accounts));
    return *result;
}

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

Plan all_bound(std::size_t threads) {
    return Plan(threads, {.lwp = LwpClass::time_sharing});
}

TEST(TimeSharing, LevelsAreThoseOfTheTable) {
    struct Row {
        int level;
        std::int64_t quantum_ms;
        int after_quantum;
        int after_sleep;
        int after_waiting;
    };
    for (auto const& row :
         {Row{0, 200, 0, 50, 50}, Row{9, 200, 0, 50, 50}, Row{10, 160, 0, 51, 51}, Row{29, 120, 19, 52, 52},
          Row{30, 80, 20, 53, 53}, Row{39, 80, 29, 54, 54}, Row{40, 40, 30, 55, 55}, Row{45, 40, 35, 56, 56},
          Row{46, 40, 36, 57, 57}, Row{48, 40, 38, 58, 58}, Row{49, 40, 39, 58, 59}, Row{58, 40, 48, 58, 59},
          Row{59, 20, 49, 59, 59}}) {
        EXPECT_EQ(ts_quantum_ns(row.level), row.quantum_ms * ms) << row.level;
        EXPECT_EQ(ts_level_after_quantum(row.level), row.after_quantum) << row.level;
        EXPECT_EQ(ts_level_after_sleep(row.level), row.after_sleep) << row.level;
        EXPECT_EQ(ts_level_after_waiting(row.level), row.after_waiting) << row.level;
    }
}

// Levels 29, 19, 9 and then 0 on: quanta of 120, 160 and 200.
TEST(TwoLevel, LwpsThatComputeFallToLongerQuanta) {
    EXPECT_EQ(pieces(run_on(workers({1'000, 1'000}), two_level(1, {.lwps = 2, .boost_interval = {0}})), ms),
              (Pieces{{0, 0, 120},
                      {1, 120, 240},
                      {0, 240, 400},
                      {1, 400, 560},
                      {0, 560, 760},
                      {1, 760, 960},
                      {0, 960, 1'160},
                      {1, 1'160, 1'360},
                      {0, 1'360, 1'560},
                      {1, 1'560, 1'760},
                      {0, 1'760, 1'880},
                      {1, 1'880, 2'000}}));
}

TEST(TwoLevel, OnceASecondThoseThatWaitAreRaised) {
    // 1 waits since 960 on level 0. Raised to 50 at 1000 it preempts, runs 40, and falls to 40 and 30.
    auto const found = pieces(run_on(workers({1'000, 1'000}), two_level(1, {.lwps = 2})), ms);
    EXPECT_EQ(found.at(6), (Piece{0, 960, 1'000}));
    EXPECT_EQ(found.at(7).thread, 1U);
    EXPECT_GE(found.at(7).end, 1'000 + 40 + 40);
}

TEST(TwoLevel, OneLwpRunsThreadsOneAfterTheOtherWhateverTheCpus) {
    auto const run = run_on(workers({30, 20, 10}), two_level(4));
    EXPECT_EQ(pieces(run, ms), (Pieces{{0, 0, 30}, {1, 30, 50}, {2, 50, 60}}));
    EXPECT_EQ(run.accounts.idle.carrier.ns, (2 * 30 + 20) * ms) << "two wait for the LWP, then one";
    EXPECT_EQ(run.accounts.idle.ready.ns, 0);
    EXPECT_EQ(run.accounts.idle.no_thread.ns, 4 * 60 * ms - (30 + 20 + 10) * ms - 80 * ms);
}

TEST(TwoLevel, ThePoolHasAsManyLwpsAsAskedForOrSomeForEachCpu) {
    auto const four = workers({10, 10, 10, 10});
    EXPECT_EQ(run_on(four, two_level(4, {.lwps = 2})).accounts.completion.ns, 20 * ms);
    EXPECT_EQ(run_on(four, two_level(2, {.lwps_per_cpu = 1})).accounts.completion.ns, 20 * ms);
    EXPECT_EQ(run_on(four, two_level(4, {.lwps_per_cpu = 1})).accounts.completion.ns, 10 * ms);
    EXPECT_EQ(run_on(four, two_level(4, {.lwps = 1, .lwps_per_cpu = 1})).accounts.completion.ns, 40 * ms);
}

// What pthread_setconcurrency asks for counts from the call on, unless the machine says how many there are.
TEST(TwoLevel, ThePoolGrowsWhenTheProgramAsksForMoreLwps) {
    ProgramBuilder builder(3, ms);
    builder.thread(0).work(10).add(OperationKind::set_concurrency, 0xffffffff, 2).work(20);
    builder.thread(1).work(20);
    builder.thread(2).work(20);
    auto const program = all_at_start(builder);
    EXPECT_EQ(pieces(run_on(program, two_level(4)), ms), (Pieces{{0, 0, 30}, {1, 10, 30, 1}, {2, 30, 50}}));
    EXPECT_EQ(run_on(program, two_level(4, {.lwps = 1})).accounts.completion.ns, 70 * ms);
    EXPECT_EQ(run_on(program, two_level(4, {.lwps = 3})).accounts.completion.ns, 30 * ms);
}

TEST(TwoLevel, LwpsThatTheProgramAskedForBeforeItHasThreadsWaitForThem) {
    ProgramBuilder builder(2, ms);
    builder.thread(0).add(OperationKind::set_concurrency, 0xffffffff, 40).create(1).work(20);
    builder.thread(1).work(20);
    EXPECT_EQ(run_on(builder.finish(), two_level(2)).accounts.completion.ns, 20 * ms);
}

TEST(TwoLevel, AThreadThatWaitsLeavesItsLwpToTheNextOfLeastNice) {
    ProgramBuilder builder(3, ms);
    builder.thread(0).work(5).sleep(100).work(5);
    builder.thread(1).work(20);
    builder.thread(2).work(20);
    auto program = all_at_start(builder);
    program.parameters[1].priority = {SchedulingClass::fair, 5};
    EXPECT_EQ(pieces(run_on(program, two_level(1)), ms),
              (Pieces{{0, 0, 5}, {2, 5, 25}, {1, 25, 45}, {0, 105, 110}}));
}

TEST(TwoLevel, NoTimeTakesTheLwpAwayButReleasingAMoreUrgentThreadDoes) {
    ProgramBuilder builder(2, ms);
    auto const semaphore = builder.object(ObjectKind::semaphore);
    builder.thread(0).wait(semaphore).work(10);
    builder.thread(1).work(500).post(semaphore).work(5);
    auto program = all_at_start(builder);
    EXPECT_EQ(pieces(run_on(program, two_level(1)), ms), (Pieces{{1, 0, 505}, {0, 505, 515}}));
    program.parameters[0].priority = {SchedulingClass::fair, -1};
    EXPECT_EQ(pieces(run_on(program, two_level(1)), ms), (Pieces{{1, 0, 500}, {0, 500, 510}, {1, 510, 515}}));
}

TEST(TwoLevel, YieldLetsAnotherThreadHaveTheLwp) {
    ProgramBuilder builder(2, ms);
    builder.thread(0).work(2).yield().work(2);
    builder.thread(1).work(5);
    EXPECT_EQ(pieces(run_on(all_at_start(builder), two_level(1)), ms),
              (Pieces{{0, 0, 2}, {1, 2, 7}, {0, 7, 9}}));
}

TEST(TwoLevel, ABoundThreadNeedsNoLwpOfThePool) {
    auto const program = workers({30, 20, 10});
    EXPECT_EQ(pieces(run_on(program, two_level(3), {{}, {}, {.lwp = LwpClass::time_sharing}}), ms),
              (Pieces{{0, 0, 30, 0}, {2, 0, 10, 1}, {1, 30, 50, 0}}));
    EXPECT_EQ(run_on(program, two_level(3), all_bound(3)).accounts.completion.ns, 30 * ms);
}

TEST(TwoLevel, AThreadOfOneCpuIsBoundAndWaitsForIt) {
    auto program = workers({10, 10, 10});
    program.parameters[1].affinity = program.parameters[2].affinity = 1;
    EXPECT_EQ(pieces(run_on(program, two_level(2)), ms),
              (Pieces{{0, 0, 10, 0}, {1, 10, 20, 0}, {2, 20, 30, 0}}));
}

TEST(TwoLevel, WhoReturnsFromSleepPreemptsWhoComputes) {
    ProgramBuilder builder(2, ms);
    builder.thread(0).work(10).sleep(50).work(10);
    builder.thread(1).work(200);
    EXPECT_EQ(pieces(run_on(all_at_start(builder), two_level(1), all_bound(2)), ms),
              (Pieces{{0, 0, 10}, {1, 10, 60}, {0, 60, 70}, {1, 70, 220}}));
}

TEST(TwoLevel, APreemptedLwpGoesOnWithTheRestOfItsQuantum) {
    ProgramBuilder builder(3, ms);
    builder.thread(0).work(5).sleep(50).work(10);
    builder.thread(1).work(150);
    builder.thread(2).work(100);
    // 1 has had 50 of its 120 as 0 returns, and 70 more before it is the turn of 2.
    EXPECT_EQ(first(5, pieces(run_on(all_at_start(builder), two_level(1), all_bound(3)), ms)),
              (Pieces{{0, 0, 5}, {1, 5, 55}, {0, 55, 65}, {1, 65, 135}, {2, 135, 235}}));
}

TEST(TwoLevel, RealTimeIsAboveAllAndTakesTurnsWithinALevel) {
    auto program = workers({50, 900, 900});
    program.parameters[1].priority = program.parameters[2].priority = {SchedulingClass::real_time, 15};
    // Level 15 has quanta of 800. The first thread has the processor for no time at all.
    EXPECT_EQ(
        pieces(run_on(program, two_level(1)), ms),
        (Pieces{{1, 0, 800}, {2, 800, 1'600}, {1, 1'600, 1'700}, {2, 1'700, 1'800}, {0, 1'800, 1'850}}));
}

TEST(TwoLevel, AnInteractiveLwpIsTenLevelsUp) {
    // Levels 39 against 29, then 29 against 29: behind it.
    auto const plan = Plan{{.lwp = LwpClass::time_sharing}, {.lwp = LwpClass::interactive}};
    EXPECT_EQ(first(2, pieces(run_on(workers({300, 300}), two_level(1), plan), ms)),
              (Pieces{{1, 0, 120}, {0, 120, 240}}));
}

TEST(TwoLevel, AnLwpWaitsForItsProcessorUntilTheRechooseIntervalIsOver) {
    // 2 waits for the first processor at 240. At 280 the second one is free of its quantum, and takes it.
    auto const program = workers({300, 300, 300});
    auto const usual = run_on(program, two_level(2, {.boost_interval = {0}}), all_bound(3));
    EXPECT_EQ(first(4, pieces(usual, ms)),
              (Pieces{{0, 0, 120, 0}, {1, 0, 280, 1}, {2, 120, 240, 0}, {0, 240, 400, 0}}));
    EXPECT_THAT(pieces(usual, ms), testing::Contains(Piece{2, 280, 460, 1}));
    auto const slow = two_level(2, {.rechoose_interval = {10'000 * ms}, .boost_interval = {0}});
    EXPECT_THAT(pieces(run_on(program, slow, all_bound(3)), ms), testing::Contains(Piece{1, 0, 300, 1}));
}

TEST(TwoLevel, ReleasedLocksAreFreeForWhoComesFirst) {
    ProgramBuilder builder(2, ms);
    auto const mutex = builder.object(ObjectKind::mutex);
    builder.thread(0).lock(mutex).work(10).unlock(mutex).work(1).lock(mutex).work(10).unlock(mutex);
    builder.thread(1).work(5).lock(mutex).work(10).unlock(mutex);
    // With one LWP thread 1 never finds the lock taken.
    EXPECT_EQ(pieces(run_on(all_at_start(builder), two_level(1)), ms), (Pieces{{0, 0, 21}, {1, 21, 36}}));
}

TEST(TwoLevel, ABoundThreadPaysForItsCreationAndWhatItSynchronises) {
    ProgramBuilder builder(2, ms);
    auto const mutex = builder.object(ObjectKind::mutex);
    builder.thread(0).work(10).create(1).join(1);
    builder.thread(1).lock(mutex).work(10).unlock(mutex);
    auto const machine = two_level(1, {.create = {10'000}, .synchronise = {1'000}});
    EXPECT_EQ(run_on(builder.finish(), machine).accounts.overhead.ns, 0);
    // 5.7 of the creation; 4.9 each for lock and unlock.
    EXPECT_EQ(run_on(builder.finish(), machine, {{}, {.lwp = LwpClass::time_sharing}}).accounts.overhead.ns,
              57'000 + 2 * 4'900);
    // And for the join.
    EXPECT_EQ(run_on(builder.finish(), machine, all_bound(2)).accounts.overhead.ns, 57'000 + 3 * 4'900);
}

TEST(TwoLevel, FibersSwitchAtUserLevelWithoutSlices) {
    auto const fibers = [](std::uint32_t cpus) { return machine_under(*scheduler_named("fibers"), cpus); };
    auto const program = workers({1'000, 1'000, 10, 10});
    auto const run = run_on(program, fibers(2));
    EXPECT_EQ(run.accounts.context_switches, 4);
    EXPECT_EQ(run.accounts.overhead.ns, 2 * 200) << "the first of each LWP were there already";
    EXPECT_EQ(run.accounts.threads[1].ended.ns, 1'000 * ms);
}

TEST(TwoLevel, AThreadThatBindsItselfGetsAnLwpAndOneThatGivesThatUpGoesBackToThePool) {
    ProgramBuilder builder(2, ms);
    builder.thread(0).work(5).add(OperationKind::set_affinity, 0xffffffff, 2).work(5);
    builder.thread(0).add(OperationKind::set_affinity, 0xffffffff, 0).work(5);
    builder.thread(1).work(20);
    EXPECT_EQ(pieces(run_on(all_at_start(builder), two_level(2)), ms),
              (Pieces{{0, 0, 5, 0}, {1, 5, 25, 0}, {0, 5, 10, 1}, {0, 25, 30, 0}}));
}

TEST(TwoLevel, KnowsNoRates) {
    auto machine = two_level(2);
    machine.rates.compute = {1, 0.5};
    EXPECT_FALSE(run(workers({1}), machine, {}).has_value());
}

// The laws of simulate/laws_test.cpp where quanta end and levels move: its programs are too short for that.
TEST(TwoLevel, LongProgramsKeepTheLaws) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        auto const threads = static_cast<std::uint32_t>(1 + seed % 9);
        auto const program = RandomProgram(seed, {.threads = threads, .unit_ns = 2'000}).make();
        for (std::uint32_t cpus : {1U, 2U, 5U}) {
            for (std::int64_t lwps : {1, 3, 20}) {
                SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << lwps << " LWPs on " << cpus);
                auto machine = two_level(cpus, {.lwps = lwps, .create = {10'000}, .synchronise = {1'000}});
                machine.costs = {.context_switch = {1'000}, .wake_up = {7'000}, .create_thread = {3'000}};
                auto plan = Plan(program.lists.size());
                for (std::size_t thread = 0; thread < plan.size(); thread += 2)
                    plan[thread].lwp = LwpClass::time_sharing;
                auto const run = run_on(program, machine, plan);
                EXPECT_FALSE(run.deadlock);
                EXPECT_EQ(run.accounts.busy.ns, work_ns(program));
                ASSERT_TRUE(run.timeline);
                EXPECT_TRUE(check(*run.timeline).has_value());
            }
        }
    }
}

}  // namespace
}  // namespace parcast::simulate
