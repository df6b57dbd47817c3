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

// A barrier of a mutex and a condition. Where locks are handed off, the threads that wait go from the
// condition to the mutex, which the last one gives them.
ThreadProgram condition_phase(std::uint32_t threads, std::int64_t work_us) {
    ProgramBuilder builder(threads, us);
    auto const mutex = builder.object(ObjectKind::mutex);
    auto const condition = builder.object(ObjectKind::condition);
    for (std::uint32_t number = 0; number < threads; ++number) {
        auto& thread = builder.thread(number);
        thread.work(work_us).lock(mutex);
        thread.add(OperationKind::condition_barrier, condition.value, 0).unlock(mutex);
    }
    auto program = builder.finish_with_all_created();
    program.barriers.push_back({threads, condition, mutex});
    program.objects[condition.index()].waking = {3 * us};
    return program;
}

TEST(Waking, WhoSpinsUntilItIsHandedTheMutexCostsNothing) {
    auto const program = condition_phase(4, 100);
    auto machine = free_machine(4);
    for (auto const policy : {LockPolicy::barging, LockPolicy::hand_off}) {
        machine.lock_policy = policy;
        machine.waiting.barrier_spin = {0};
        EXPECT_EQ(must_run(program, machine).accounts.completion.ns, (100 + 3 * 3) * us);
        machine.waiting.barrier_spin = {1'000 * us};
        EXPECT_EQ(must_run(program, machine).accounts.completion.ns, 100 * us);
    }
}

// A thread that spins hears of its release 5 us late, and has not slept for that.
TEST(Waking, WhoSpinsUntilItHearsOfItsReleaseCostsNothing) {
    auto program = phases(4, 1, 100);
    program.objects[0].waking = {3 * us};
    auto machine = free_machine(4);
    machine.costs.event_delay = {5 * us};
    EXPECT_EQ(must_run(program, machine).accounts.threads[3].ended.ns, (100 + 9) * us);
    machine.waiting.barrier_spin = {1'000 * us};
    EXPECT_EQ(must_run(program, machine).accounts.threads[3].ended.ns, 100 * us);
    EXPECT_EQ(must_run(program, machine).accounts.completion.ns, 105 * us);
}

// Thread 1 comes last, and behind the barrier it is thread 0's turn to take the mutex.
TEST(Waking, IsWorkOfTheLastOneAlsoIfItHasToWaitForItsTurn) {
    auto program = condition_phase(2, 100);
    program.objects[0].turns = {{ThreadId(0), 1}, {ThreadId(1), 1}, {ThreadId(0), 1}, {ThreadId(1), 1}};
    auto const machine = free_machine(2);
    auto const result = run(program, machine, {.pairing = Pairing::ordered});
    ASSERT_TRUE(result.has_value() && !result->deadlock);
    EXPECT_EQ(result->accounts.busy.ns, work_ns(program));
    EXPECT_EQ(result->accounts.threads[0].ended.ns, 100 * us);
    EXPECT_EQ(result->accounts.threads[1].ended.ns, (100 + 3) * us);
}

Machine machine_of_teams(std::uint32_t cpus) {
    auto machine = free_machine(cpus);
    machine.waiting.team_spin = {1'000 * us};
    machine.waiting.crowded_team_spin = {0};
    machine.costs.wake_up = {10 * us};
    return machine;
}

// libgomp spins for long only as long as every thread has a CPU.
TEST(Waiting, ATeamSpinsWhereEachOfItsThreadsHasACpu) {
    auto program = phases(4, 1, 100);
    EXPECT_EQ(must_run(program, machine_of_teams(4)).accounts.spinning.ns, 0) << "no team";
    program.objects[0].team = true;
    EXPECT_EQ(must_run(program, machine_of_teams(4)).accounts.spinning.ns, 10 * us)
        << "the first, until the others begin";
    EXPECT_EQ(must_run(program, machine_of_teams(3)).accounts.spinning.ns, 0);
}

TEST(Waiting, ATeamWithoutACpuForEachThreadSpinsForAMoment) {
    auto program = phases(2, 1, 100);
    program.objects[0].team = true;
    auto machine = machine_of_teams(1);
    machine.waiting.crowded_team_spin = {3 * us};
    auto const accounts = must_run(program, machine).accounts;
    EXPECT_EQ(accounts.spinning.ns, 3 * us) << "the first to arrive; the other one releases it";
    EXPECT_EQ(accounts.completion.ns, (200 + 3) * us);
}

// Two teams of two: libgomp counts all threads that it manages, as long as they live.
TEST(Waiting, ATeamSpinsForAMomentWhereAnotherTeamLacksCpus) {
    ProgramBuilder builder(4, us);
    auto const one = builder.object(ObjectKind::barrier);
    auto const other = builder.object(ObjectKind::barrier);
    for (std::uint32_t number = 0; number < 4; ++number)
        builder.thread(number)
            .work(number % 2 == 0 ? 100 : 200)
            .add(OperationKind::barrier_wait, (number < 2 ? one : other).value, 2);
    auto program = builder.finish_with_all_created();
    program.objects[one.index()].team = program.objects[other.index()].team = true;
    EXPECT_GT(must_run(program, machine_of_teams(4)).accounts.spinning.ns, 100 * us);
    EXPECT_EQ(must_run(program, machine_of_teams(3)).accounts.spinning.ns, 0);
}

// Members wait for a region at a semaphore each. The first region begins after 50 us, the second 30 us later.
TEST(Waiting, MembersOfATeamSpinUntilTheNextRegion) {
    ProgramBuilder builder(2, us);
    auto const barrier = builder.object(ObjectKind::barrier);
    auto const start = builder.object(ObjectKind::semaphore);
    for (int region = 0; region < 2; ++region) {
        builder.thread(0).work(30).post(start).work(20).add(OperationKind::barrier_wait, barrier.value, 2);
        builder.thread(1).wait(start).work(20).add(OperationKind::barrier_wait, barrier.value, 2);
    }
    auto program = builder.finish_with_all_created();
    program.objects[barrier.index()].team = true;
    EXPECT_EQ(must_run(program, machine_of_teams(2)).accounts.completion.ns, (2 * 50 + 10 + 10) * us)
        << "wake-ups: the main thread waits for the member, once in each region";
    program.objects[start.index()].team = true;
    EXPECT_EQ(must_run(program, machine_of_teams(2)).accounts.completion.ns, 2 * 50 * us);
}

// Under a scheduler that lets nobody spin, spinning until the release is like not having to be woken.
TEST(Waking, OfThreadsThatWouldSpinCostsNothingWhereNobodySpins) {
    auto program = phases(4, 1, 100);
    program.objects[0].waking = {3 * us};
    for (SchedulerNumber scheduler = 0; scheduler < schedulers.size(); ++scheduler) {
        if (schedulers[scheduler].knows_spinning)
            continue;
        auto machine = machine_under(scheduler, 4);
        machine.costs = {};
        if (auto* const two_level = std::get_if<TwoLevelScheduler>(&machine.scheduler))
            two_level->lwps = 4, two_level->create = two_level->synchronise = {0};
        program.objects[0].team = false;
        EXPECT_EQ(must_run(program, machine).accounts.busy.ns, (400 + 9) * us) << machine.name;
        program.objects[0].team = true;
        EXPECT_EQ(must_run(program, machine).accounts.busy.ns, 400 * us) << machine.name;
        machine.waiting.team_spin = {0};
        EXPECT_EQ(must_run(program, machine).accounts.busy.ns, (400 + 9) * us) << machine.name;
        machine.waiting.team_spin = {1'000 * us};
        machine.cpus = 3;
        EXPECT_EQ(must_run(program, machine).accounts.busy.ns, (400 + 9) * us) << machine.name;
    }
    auto const checked = CheckedProgram::of(program);
    EXPECT_EQ(run_unbounded(*checked)->accounts.completion.ns, 100 * us);
    EXPECT_EQ(run_unbounded(*checked, Pairing::any, false, {.team_spin = {0}})->accounts.completion.ns,
              109 * us);
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

TEST(Waiting, NobodySpinsForTheMemoryMap) {
    for (auto const kind : {OperationKind::write_lock, OperationKind::read_lock}) {
        ProgramBuilder program(2, us);
        auto const map = program.memory_map().value;
        program.thread(0).add(OperationKind::write_lock, map).create(1).work(100);
        program.thread(0).add(OperationKind::read_write_unlock, map);
        program.thread(1).add(kind, map).work(10).add(OperationKind::read_write_unlock, map);
        auto machine = free_machine(2);
        machine.waiting.lock_spin = {1'000 * us};  // of the program's locks
        auto const run = must_run(program.finish(), machine);
        EXPECT_EQ(run.accounts.threads[1][ThreadState::spinning].ns, 0);
        EXPECT_EQ(run.accounts.threads[1][ThreadState::blocked].ns, 100'000);
    }
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
