// What waiting and waking cost under the linux scheduler, against times derived by hand. A unit is a
// microsecond.

#include <gtest/gtest.h>

#include "simulate/simulate.h"
#include "support/conserves_time.h"
#include "support/program_builder.h"

namespace parcast::simulate {
namespace {

constexpr std::int64_t us = 1'000;

Machine free_machine(std::uint32_t cpus) {
    auto machine = linux_machine(cpus);
    machine.costs = {};
    return machine;
}

Run must_run(ThreadProgram const& program, Machine const& machine) {
    auto result = run(program, machine, {.with_timeline = true});
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    EXPECT_TRUE(conserves_time(result->accounts));
    EXPECT_TRUE(check(*result->timeline).has_value());
    return *result;
}

ThreadProgram phases(std::uint32_t threads, int count, std::int64_t work_us) {
    ProgramBuilder program(threads, us);
    auto const barrier = program.object(ObjectKind::barrier);
    for (std::uint32_t number = 0; number < threads; ++number)
        for (int phase = 0; phase < count; ++phase)
            program.thread(number).work(work_us).add(OperationKind::barrier_wait, barrier.value, threads);
    return program.finish_with_all_created();
}

// Measured on two CPUs with 20 us a wake-up: 1.66 with passive waiting, 1.96 with active. Passively each of
// 100 phases takes its 100 us and a wake-up, and so does the creation of the second thread; actively only the
// latter does.
TEST(Waiting, TheSameBarriersCostAWakeUpEachPassivelyAndNothingActively) {
    auto const program = phases(2, 100, 100);
    auto const alone = must_run(program, free_machine(1)).accounts.completion.ns;
    EXPECT_EQ(alone, 20'000 * us);
    auto machine = free_machine(2);
    machine.costs.wake_up = {20 * us};
    auto const passive = must_run(program, machine).accounts;
    EXPECT_EQ(passive.completion.ns, (100 * (100 + 20) + 20) * us);
    EXPECT_EQ(passive.spinning.ns, 0);
    EXPECT_NEAR(static_cast<double>(alone) / static_cast<double>(passive.completion.ns), 1.66, 0.01);
    machine.waiting.barrier_spin = {50 * us};
    auto const active = must_run(program, machine).accounts;
    EXPECT_EQ(active.completion.ns, (20 + 100 * 100) * us);
    EXPECT_EQ(active.spinning.ns, 20 * us) << "the first thread waits for the second to begin";
    EXPECT_EQ(active.objects[0].spinning.ns, 20 * us);
    EXPECT_EQ(active.objects[0].waiting.ns, 20 * us);
}

// Four threads, of which the last to arrive wakes three: 3 us each before it goes on. It is thread 0 in one
// phase and thread 3 in the other, whoever it was in a recording.
TEST(Waking, TheOthersAtABarrierIsWorkOfWhoeverComesLast) {
    ProgramBuilder builder(4, us);
    auto const barrier = builder.object(ObjectKind::barrier);
    for (std::uint32_t number = 0; number < 4; ++number) {
        auto& thread = builder.thread(number);
        thread.work(number == 0 ? 100 : 50).add(OperationKind::barrier_wait, barrier.value, 4);
        thread.work(number == 3 ? 80 : 20).add(OperationKind::barrier_wait, barrier.value, 4);
        thread.work(10);
    }
    auto program = builder.finish_with_all_created();
    auto const without = must_run(program, free_machine(4)).accounts;
    EXPECT_EQ(without.completion.ns, (100 + 80 + 10) * us);
    program.objects[barrier.index()].waking = {3 * us};
    EXPECT_EQ(work_ns(program), without.busy.ns + 2 * 3 * 3 * us);
    for (auto const& machine : {free_machine(4), free_machine(1), ideal_machine(4)})
        EXPECT_EQ(must_run(program, machine).accounts.busy.ns, work_ns(program)) << machine.name;
    auto const accounts = must_run(program, free_machine(4)).accounts;
    EXPECT_EQ(accounts.threads[0][ThreadState::running].ns, (100 + 9 + 20 + 10) * us);
    EXPECT_EQ(accounts.threads[3][ThreadState::running].ns, (50 + 80 + 9 + 10) * us);
    EXPECT_EQ(accounts.completion.ns, (100 + 6 + 80 + 9 + 10) * us) << "thread 3 is the last that is woken";
}

// One after the other: 10 us until a thread runs, and 3 for each that was woken before it.
TEST(Waking, TheOthersAtABarrierTakesTimeInWhichTheLaterOnesStillSleep) {
    auto program = phases(4, 1, 100);
    program.objects[0].waking = {3 * us};
    auto machine = free_machine(4);
    auto const before = must_run(program, machine).accounts.completion.ns;
    EXPECT_EQ(before, (100 + 9) * us) << "the last one's work";
    machine.costs.wake_up = {10 * us};
    auto const after = must_run(program, machine).accounts.completion.ns;
    EXPECT_EQ(after, (10 + 100 + 10 + 2 * 3) * us) << "beginning is a wake-up, too";
}

TEST(Waking, WhoSpinsAtABarrierCostsNothing) {
    auto program = phases(4, 1, 100);
    program.objects[0].waking = {3 * us};
    auto machine = free_machine(4);
    machine.waiting.barrier_spin = {1'000 * us};
    EXPECT_EQ(must_run(program, machine).accounts.completion.ns, 100 * us);
}

// libgomp spins only as long as every thread of the team has a CPU.
TEST(Waiting, ATeamSpinsWhereEachOfItsThreadsHasACpu) {
    auto program = phases(4, 1, 100);
    auto machine = free_machine(4);
    machine.waiting.team_spin = {1'000 * us};
    EXPECT_EQ(must_run(program, machine).accounts.spinning.ns, 0) << "no team";
    program.objects[0].team = true;
    machine.costs.wake_up = {10 * us};
    EXPECT_EQ(must_run(program, machine).accounts.spinning.ns, 10 * us)
        << "the first, until the others begin";
    machine.cpus = 3;
    EXPECT_EQ(must_run(program, machine).accounts.spinning.ns, 0);
}

TEST(Waiting, WhoHasSpunItsBudgetSleepsAndHasToBeWoken) {
    ProgramBuilder program(2, us);
    auto const m = program.object(ObjectKind::mutex);
    program.thread(0).lock(m).create(1).work(100).unlock(m);
    program.thread(1).lock(m).work(10).unlock(m);
    auto machine = free_machine(2);
    machine.waiting.lock_spin = {30 * us};
    machine.costs.wake_up = {7 * us};
    auto const run = must_run(program.finish(), machine);
    // It begins 7 us late, spins 30 us, sleeps from 37 to 100, wakes until 107.
    EXPECT_EQ(run.accounts.threads[1][ThreadState::spinning].ns, 30 * us);
    EXPECT_EQ(run.accounts.threads[1][ThreadState::blocked].ns, 63 * us);
    EXPECT_EQ(run.accounts.completion.ns, 117 * us);
}

TEST(Waiting, AThreadReleasedWhileItSpinsGoesOnAtOnce) {
    ProgramBuilder program(2, us);
    auto const m = program.object(ObjectKind::mutex);
    program.thread(0).lock(m).create(1).work(100).unlock(m).work(50);
    program.thread(1).lock(m).work(10).unlock(m);
    auto machine = free_machine(2);
    machine.waiting.lock_spin = {1'000 * us};
    machine.costs.wake_up = {7 * us};
    auto const run = must_run(program.finish(), machine);
    EXPECT_EQ(run.accounts.threads[1].ended.ns, 110 * us);
    EXPECT_EQ(run.accounts.spinning.ns, 93 * us);
    EXPECT_EQ(run.accounts.idle.locks.ns, 0);
}

// On one processor the spinning thread keeps the other from releasing it until its slice of 2.8 ms is over.
TEST(Waiting, SpinningWithMoreThreadsThanProcessorsBurnsSlices) {
    auto machine = free_machine(1);
    EXPECT_EQ(must_run(phases(2, 1, 1'000), machine).accounts.completion.ns, 2'000 * us);
    machine.waiting.barrier_spin = {100'000 * us};
    auto const run = must_run(phases(2, 1, 1'000), machine);
    EXPECT_EQ(run.accounts.completion.ns, 3'800 * us);
    EXPECT_EQ(run.accounts.spinning.ns, 1'800 * us);
    EXPECT_EQ(run.accounts.threads[0][ThreadState::blocked].ns, 1'000 * us) << "preempted, not yet released";
}

TEST(Waiting, ASpinningThreadCountsAsBusyForTheRateLaw) {
    ProgramBuilder program(2, us);
    auto const m = program.object(ObjectKind::mutex);
    program.thread(0).lock(m).create(1).work(100).unlock(m);
    program.thread(1).lock(m).unlock(m);
    auto machine = free_machine(2);
    machine.rates.compute = {1, 0.5};
    EXPECT_EQ(must_run(program.finish(), machine).accounts.completion.ns, 100 * us);
    machine.waiting.lock_spin = {1'000 * us};
    EXPECT_EQ(must_run(program.finish(), machine).accounts.completion.ns, 200 * us);
}

TEST(Waiting, ConditionsAndSemaphoresHaveABudgetOfTheirOwn) {
    ProgramBuilder program(2, us);
    auto const s = program.object(ObjectKind::semaphore);
    program.thread(0).create(1).work(100).post(s);
    program.thread(1).wait(s).work(10);
    auto machine = free_machine(2);
    machine.costs.wake_up = {7 * us};
    machine.waiting.lock_spin = machine.waiting.barrier_spin = {1'000 * us};
    EXPECT_EQ(must_run(program.finish(), machine).accounts.completion.ns, 117 * us);
    machine.waiting = {};
    machine.waiting.condition_spin = {1'000 * us};
    EXPECT_EQ(must_run(program.finish(), machine).accounts.completion.ns, 110 * us);
}

TEST(Waiting, APthreadSpinLockNeverSleeps) {
    ProgramBuilder program(2, us);
    auto const lock = program.object(ObjectKind::spin_lock);
    program.thread(0).lock(lock).create(1).work(500'000).unlock(lock);
    program.thread(1).lock(lock).unlock(lock);
    auto const run = must_run(program.finish(), free_machine(2));
    EXPECT_EQ(run.accounts.spinning.ns, 500'000 * us);
    EXPECT_EQ(run.accounts.completion.ns, 500'000 * us);
}

TEST(Waiting, ADeadlockOfSpinningThreadsIsFound) {
    ProgramBuilder program(2, us);
    auto const a = program.object(ObjectKind::spin_lock);
    auto const b = program.object(ObjectKind::spin_lock);
    program.thread(0).lock(a).work(10).lock(b).unlock(b).unlock(a);
    program.thread(1).lock(b).work(10).lock(a).unlock(a).unlock(b);
    for (std::uint32_t cpus : {1U, 2U}) {
        auto const run = must_run(program.finish_with_all_created(), free_machine(cpus));
        // On one processor the first is done before the second begins.
        EXPECT_EQ(run.deadlock.has_value(), cpus == 2) << cpus;
        EXPECT_TRUE(!run.deadlock || run.deadlock->threads[0].holder == ThreadId(1));
    }
}

// The last of four wakes the others one after the other, 5 us each, and goes on after the last of these.
TEST(WakeUps, WhoReleasesManyWakesOneAfterTheOther) {
    ProgramBuilder program(4, us);
    auto const barrier = program.object(ObjectKind::barrier);
    for (std::uint32_t number = 0; number < 4; ++number) {
        program.thread(number).work(number == 0 ? 1'000 : 100);
        program.thread(number).add(OperationKind::barrier_wait, barrier.value, 4).work(100);
    }
    auto machine = free_machine(4);
    machine.costs.wake_up = {20 * us};
    machine.costs.wake_waiter = {5 * us};
    auto const run = must_run(program.finish_with_all_created(), machine);
    // It has paid 5 us for each that it created, too, and reaches the barrier at 1015.
    EXPECT_EQ(run.accounts.threads[0].ended.ns, (1'015 + 15 + 100) * us);
    EXPECT_EQ(run.accounts.threads[1].ended.ns, (1'015 + 20 + 100) * us);
    EXPECT_EQ(run.accounts.threads[2].ended.ns, (1'015 + 25 + 100) * us);
    EXPECT_EQ(run.accounts.threads[3].ended.ns, (1'015 + 30 + 100) * us);
    EXPECT_EQ(run.accounts.overhead.ns, 30 * us);
}

// On one processor a thread that was woken costs its way out of sleep, and nobody wakes an idle processor.
TEST(WakeUps, OnABusyProcessorCostProcessorTimeAndNoLatency) {
    ProgramBuilder program(2, us);
    auto const s = program.object(ObjectKind::semaphore);
    program.thread(0).create(1).work(10).wait(s).work(10);
    program.thread(1).work(10).post(s).work(10);
    auto machine = free_machine(1);
    machine.costs = {.context_switch = {2 * us},
                     .wake_up = {20 * us},
                     .wake_waiter = {5 * us},
                     .wake_up_same_cpu = {3 * us},
                     .create_thread = {0}};
    auto const run = must_run(program.finish(), machine);
    // Two switches, to the second thread and back, and one wake-up: of the first.
    EXPECT_EQ(run.accounts.overhead.ns, (2 * 2 + 3) * us);
    EXPECT_EQ(run.accounts.completion.ns, (40 + 7) * us);
}

}  // namespace
}  // namespace parcast::simulate
