// What each kind of operation does, on the ideal machine unless a case is about scheduling.

#include <gtest/gtest.h>

#include "simulate/simulate.h"
#include "support/conserves_time.h"
#include "support/program_builder.h"

namespace parcast::simulate {
namespace {

constexpr std::int64_t unit = ProgramBuilder::default_unit_ns;

Run must_run(ThreadProgram const& program, Machine const& machine) {
    auto result = run(program, machine);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    EXPECT_TRUE(conserves_time(result->accounts));
    return *result;
}

std::int64_t ended(Run const& run, std::size_t thread) {
    return run.accounts.threads[thread].ended.ns / unit;
}

TEST(Locks, AHandedOnLockGoesToTheFirstWaiterAndNotToItsReleaser) {
    ProgramBuilder program(2);
    auto const m = program.object(ObjectKind::mutex);
    program.thread(0).lock(m).work(2).unlock(m).lock(m).work(2).unlock(m);
    program.thread(1).work(1).lock(m).work(3).unlock(m);
    auto const run = must_run(program.finish_with_all_created(), ideal_machine(2));
    EXPECT_EQ(ended(run, 1), 5);
    EXPECT_EQ(ended(run, 0), 7);
    EXPECT_EQ(run.accounts.objects[m.index()].operations, 3);
    EXPECT_EQ(run.accounts.objects[m.index()].blocked_operations, 2);
    EXPECT_EQ(run.accounts.objects[m.index()].waiting.ns, (1 + 3) * unit);
}

TEST(Locks, UnderBargingTheReleaserMayTakeTheLockAgain) {
    ProgramBuilder program(2);
    auto const m = program.object(ObjectKind::mutex);
    program.thread(0).lock(m).work(2).unlock(m).lock(m).work(2).unlock(m);
    program.thread(1).work(1).lock(m).work(3).unlock(m);
    auto machine = ideal_machine(2);
    machine.lock_policy = LockPolicy::barging;
    auto const run = must_run(program.finish_with_all_created(), machine);
    EXPECT_EQ(ended(run, 0), 4);
    EXPECT_EQ(ended(run, 1), 7);
    EXPECT_EQ(run.accounts.objects[m.index()].blocked_operations, 1);
}

TEST(Locks, AHolderMayTakeItsLockAgainAndMustReleaseItAsOften) {
    ProgramBuilder program(2);
    auto const m = program.object(ObjectKind::mutex);
    program.thread(0).lock(m).lock(m).work(1).unlock(m).work(1).unlock(m);
    program.thread(1).lock(m).work(1);
    auto const run = must_run(program.finish_with_all_created(), ideal_machine(2));
    EXPECT_EQ(ended(run, 1), 3);
}

TEST(Locks, UnlockingAFreeLockDoesNothing) {
    ProgramBuilder program(1);
    auto const m = program.object(ObjectKind::mutex);
    auto const shared = program.object(ObjectKind::reader_writer_lock);
    program.thread(0).unlock(m).add(OperationKind::read_write_unlock, shared.value).work(1).lock(m).unlock(m);
    auto const run = must_run(program.finish(), ideal_machine(1));
    EXPECT_FALSE(run.deadlock);
    EXPECT_EQ(run.accounts.completion.ns, unit);
}

TEST(Locks, ReadersShareAndGoBeforeAWaitingWriter) {
    for (auto const policy : {LockPolicy::hand_off, LockPolicy::barging}) {
        ProgramBuilder program(4);
        auto const shared = program.object(ObjectKind::reader_writer_lock).value;
        auto const unlock = OperationKind::read_write_unlock;
        program.thread(0).add(OperationKind::write_lock, shared).work(3).add(unlock, shared);
        program.thread(1).work(1).add(OperationKind::write_lock, shared).work(1).add(unlock, shared);
        program.thread(2).work(2).add(OperationKind::read_lock, shared).work(2).add(unlock, shared);
        program.thread(3).work(2).add(OperationKind::read_lock, shared).work(2).add(unlock, shared);
        auto machine = ideal_machine(4);
        machine.lock_policy = policy;
        auto const run = must_run(program.finish_with_all_created(), machine);
        EXPECT_EQ(ended(run, 2), 5);
        EXPECT_EQ(ended(run, 3), 5);
        EXPECT_EQ(ended(run, 1), 6);
    }
}

TEST(Conditions, AStoredTokenIsTakenWithoutGivingUpTheMutex) {
    ProgramBuilder program(2);
    auto const m = program.object(ObjectKind::mutex);
    auto const c = program.object(ObjectKind::condition);
    program.thread(0).add(OperationKind::condition_signal, c.value, 1).work(1).lock(m).work(1);
    program.thread(0).add(OperationKind::condition_wait, c.value, m.value).work(1).unlock(m);
    program.thread(1).work(2).lock(m).work(1).unlock(m);
    auto const run = must_run(program.finish_with_all_created(), ideal_machine(2));
    EXPECT_EQ(ended(run, 0), 3);
    EXPECT_EQ(ended(run, 1), 4);
}

TEST(Conditions, AWaiterGivesUpTheMutexAndTakesItAgainAfterItsToken) {
    for (auto const policy : {LockPolicy::hand_off, LockPolicy::barging}) {
        ProgramBuilder program(2);
        auto const m = program.object(ObjectKind::mutex);
        auto const c = program.object(ObjectKind::condition);
        program.thread(0).lock(m).add(OperationKind::condition_wait, c.value, m.value).work(1).unlock(m);
        program.thread(1).work(1).lock(m).add(OperationKind::condition_signal, c.value, 1).work(2).unlock(m);
        auto machine = ideal_machine(2);
        machine.lock_policy = policy;
        auto const run = must_run(program.finish_with_all_created(), machine);
        EXPECT_EQ(ended(run, 0), 4);
        EXPECT_EQ(run.accounts.objects[c.index()].waiting.ns, unit);
        EXPECT_EQ(run.accounts.objects[m.index()].waiting.ns, 2 * unit);
    }
}

// Threads 1 and 2 wait, in this order; the recording gave the first token to thread 2.
Run waits_out_of_order(Pairing pairing, bool condition_pairs = false) {
    ProgramBuilder program(3);
    auto const c = program.object(ObjectKind::condition);
    auto const grant = [](std::uint32_t token) { return encode(TokenGrant{1, token}); };
    auto const take = [](std::uint32_t token) { return encode(TokenWait{ObjectId::none(), token}); };
    program.thread(0).work(3).add(OperationKind::condition_signal, c.value, grant(0));
    program.thread(0).work(4).add(OperationKind::condition_signal, c.value, grant(1));
    program.thread(1).work(1).add(OperationKind::condition_wait, c.value, take(1));
    program.thread(2).work(2).add(OperationKind::condition_wait, c.value, take(0));
    auto finished = program.finish_with_all_created();
    finished.objects[c.index()].pairs_as_recorded = condition_pairs;
    auto const run = simulate::run(finished, ideal_machine(3), {.pairing = pairing});
    EXPECT_TRUE(run.has_value());
    return *run;
}

TEST(Pairing, AnyGivesTheOldestTokenToTheOldestWaiter) {
    auto const run = waits_out_of_order(Pairing::any);
    EXPECT_EQ(ended(run, 1), 3);
    EXPECT_EQ(ended(run, 2), 7);
}

TEST(Pairing, RecordedGivesEachWaitItsOwnToken) {
    auto const run = waits_out_of_order(Pairing::recorded);
    EXPECT_EQ(ended(run, 1), 7);
    EXPECT_EQ(ended(run, 2), 3);
}

TEST(Pairing, AConditionMayPairAsRecordedWhereOthersDoNot) {
    auto const run = waits_out_of_order(Pairing::any, true);
    EXPECT_EQ(ended(run, 1), 7);
    EXPECT_EQ(ended(run, 2), 3);
}

TEST(Pairing, RecordedRemembersATokenUntilItsWaitComes) {
    ProgramBuilder program(2);
    auto const c = program.object(ObjectKind::condition);
    program.thread(0).work(1).add(OperationKind::condition_signal, c.value, encode(TokenGrant{2, 0}));
    program.thread(1).work(5).add(OperationKind::condition_wait, c.value,
                                  encode(TokenWait{ObjectId::none(), 1}));
    auto const run =
        simulate::run(program.finish_with_all_created(), ideal_machine(2), {.pairing = Pairing::recorded});
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(ended(*run, 1), 5);
}

// On one CPU the item was there; on two it is made at 5.
Run wait_that_the_recording_did_not_need(Pairing pairing) {
    ProgramBuilder program(2);
    auto const c = program.object(ObjectKind::condition);
    program.thread(0).work(5).add(OperationKind::condition_signal, c.value, encode(TokenGrant{1, 0}));
    program.thread(1).work(1).add(OperationKind::condition_wait, c.value,
                                  encode(TokenWait{ObjectId::none(), std::nullopt}));
    auto const run = simulate::run(program.finish_with_all_created(), ideal_machine(2), {.pairing = pairing});
    EXPECT_TRUE(run.has_value());
    return *run;
}

TEST(Pairing, AnyLetsAWaitThatTheRecordingDidNotNeedTakeAToken) {
    EXPECT_EQ(ended(wait_that_the_recording_did_not_need(Pairing::any), 1), 5);
}

TEST(Pairing, RecordedWaitsOnlyWhereTheRecordingDid) {
    EXPECT_EQ(ended(wait_that_the_recording_did_not_need(Pairing::recorded), 1), 1);
}

TEST(Conditions, TheLastArriverOfAConditionBarrierReleasesTheOthers) {
    ProgramBuilder program(3);
    auto const m = program.object(ObjectKind::mutex);
    auto const c = program.object(ObjectKind::condition);
    for (std::uint32_t number = 0; number < 3; ++number) {
        program.thread(number).work(1 + number).lock(m).add(OperationKind::condition_barrier).unlock(m);
        program.thread(number).work(1).lock(m).add(OperationKind::condition_barrier).unlock(m);
    }
    auto with_barrier = program.finish_with_all_created();
    with_barrier.barriers.push_back({.participants = 3, .condition = c, .mutex = m});
    auto const run = must_run(with_barrier, ideal_machine(3));
    EXPECT_FALSE(run.deadlock);
    EXPECT_EQ(run.accounts.completion.ns, 4 * unit);
}

TEST(Barriers, AllWaitForTheLast) {
    ProgramBuilder program(3);
    auto const b = program.object(ObjectKind::barrier);
    for (std::uint32_t number = 0; number < 3; ++number)
        program.thread(number).work(number).add(OperationKind::barrier_wait, b.value, 3).work(number);
    auto const run = must_run(program.finish_with_all_created(), ideal_machine(3));
    EXPECT_EQ(ended(run, 0), 2);
    EXPECT_EQ(ended(run, 1), 3);
    EXPECT_EQ(run.accounts.objects[b.index()].waiting.ns, (2 + 1) * unit);
}

TEST(Semaphores, CountUnitsThatNobodyWaitsFor) {
    ProgramBuilder program(1);
    auto const s = program.object(ObjectKind::semaphore, 1);
    program.thread(0).post(s, 2).wait(s).wait(s).wait(s).work(1).wait(s);
    auto const run = must_run(program.finish(), ideal_machine(1));
    ASSERT_TRUE(run.deadlock);
    EXPECT_EQ(run.deadlock->when.ns, unit);
    EXPECT_EQ(run.deadlock->threads[0].object, s);
}

TEST(Joins, AnEndedThreadIsJoinedAtOnceAndJoinAnyTakesEachThreadOnce) {
    ProgramBuilder program(4);
    program.thread(0).join_any().work(1).join(3).join_any();
    program.thread(1).work(1);
    program.thread(2).work(5);
    program.thread(3).work(2);
    auto const run = must_run(program.finish_with_all_created(), ideal_machine(4));
    EXPECT_EQ(ended(run, 0), 5);
}

TEST(Waiting, DelaysAndInputOutputNeedNoProcessorAndRunInParallel) {
    ProgramBuilder program(2);
    auto const file = program.object(ObjectKind::descriptor);
    program.thread(0).work(1).sleep(5).work(1);
    program.thread(1).work(1).add(OperationKind::input_output, file.value, 5 * unit).work(1);
    auto const run = must_run(program.finish_with_all_created(), ideal_machine(1));
    EXPECT_EQ(run.accounts.completion.ns, 9 * unit);
    EXPECT_EQ(run.accounts.idle.total().ns, 5 * unit);
    EXPECT_LT(run.accounts.idle.sleeping.ns - run.accounts.idle.input_output.ns, 2);
}

// Broberg 2002, paper II: one device, a request at a time, in the order of their coming.
TEST(Waiting, ADeviceServesAsManyRequestsAtOnceAsTheMachineSays) {
    ProgramBuilder program(3);
    auto const file = program.object(ObjectKind::descriptor);
    for (std::uint32_t thread = 0; thread < 3; ++thread)
        program.thread(thread)
            .work(thread + 1)
            .add(OperationKind::input_output, file.value, 5 * unit)
            .work(1);
    auto machine = ideal_machine(3);
    auto const ended_with = [&](std::int64_t at_once) {
        machine.devices.at_once = at_once;
        auto const run = must_run(program.finish_with_all_created(), machine);
        return std::vector{ended(run, 0), ended(run, 1), ended(run, 2)};
    };
    EXPECT_EQ(ended_with(0), (std::vector<std::int64_t>{7, 8, 9}));
    EXPECT_EQ(ended_with(1), (std::vector<std::int64_t>{7, 12, 17}));
    EXPECT_EQ(ended_with(2), (std::vector<std::int64_t>{7, 8, 12}));
}

// Frames of 10: a thread that works 4, 5, 6, 14 and 3 in them ends at 60, since what takes longer than its
// frame does not sleep; with a hundred CPUs or one.
TEST(Waiting, ASleepUntilEndsAtItsTimeHoweverSoonTheThreadComes) {
    for (auto const first : {OperationKind::delay, OperationKind::sleep_until}) {
        ProgramBuilder program(1);
        auto& frame = program.thread(0);
        frame.work(4).add(first, 0xffffffff, (first == OperationKind::delay ? 6 : 10) * unit);
        for (std::int64_t const work : {5, 6, 14, 3})
            frame.work(work).add(OperationKind::sleep_until, 0xffffffff, (work == 14 ? 20 : 10) * unit);
        frame.work(1);
        auto const run = must_run(program.finish_with_all_created(), ideal_machine(2));
        EXPECT_EQ(run.accounts.completion.ns, 61 * unit);
    }
    ProgramBuilder late(1);
    late.thread(0).work(4).add(OperationKind::sleep_until, 0xffffffff, 3 * unit).work(1);
    EXPECT_EQ(must_run(late.finish_with_all_created(), ideal_machine(1)).accounts.completion.ns, 5 * unit);
}

// The second thread waits from 1 on; the first posts at 10, on a processor of its own or on the same one.
TEST(Waiting, AThreadOnAnotherProcessorHearsLaterThatItWasReleased) {
    auto const ended_with = [](std::int64_t delay, unsigned processor) {
        ProgramBuilder program(2);
        auto const x = program.object(ObjectKind::semaphore);
        program.thread(0)
            .bind(1, 0)
            .work(10)
            .add(OperationKind::semaphore_post, x.value, encode(TokenGrant{1, 0}))
            .work(1);
        program.thread(1).bind(2, processor).work(1).add(OperationKind::semaphore_wait, x.value, 0).work(1);
        auto machine = machine_under(number_of(RoundRobinScheduler{}), 2);
        machine.costs.event_delay = {delay * unit};
        return ended(must_run(program.finish_with_all_created(), machine), 1);
    };
    EXPECT_EQ(ended_with(0, 1), 11);
    EXPECT_EQ(ended_with(3, 1), 14);
    EXPECT_EQ(ended_with(3, 0), 12) << "1 of its own before the post, which preempts the other thread's work";
}

// The first posts at 10, the second comes at 12 on another processor, where the event arrives at 10 + 5: it
// ends at 16, and not at 13. On the same processor, or when it has arrived, nobody waits.
TEST(Waiting, WhoComesWithinTheDelayOfAnEventWaitsForTheRest) {
    auto const ended_with = [](std::int64_t delay, bool is_join) {
        ProgramBuilder program(3);
        auto const x = program.object(ObjectKind::semaphore);
        program.thread(0).bind(9, 0);
        program.thread(1).bind(2, 0).work(10).add(OperationKind::semaphore_post, x.value,
                                                  encode(TokenGrant{1, 0}));
        auto& second = program.thread(2).bind(3, 1).work(12);
        if (is_join)
            second.join(1).work(1);
        else
            second.add(OperationKind::semaphore_wait, x.value, 0).work(1);
        auto machine = machine_under(number_of(RoundRobinScheduler{}), 2);
        machine.costs.event_delay = {delay * unit};
        return ended(must_run(program.finish_with_all_created(), machine), 2);
    };
    for (bool const is_join : {false, true}) {
        EXPECT_EQ(ended_with(0, is_join), 13) << is_join;
        EXPECT_EQ(ended_with(1, is_join), 13) << is_join;
        EXPECT_EQ(ended_with(5, is_join), 16) << is_join;
    }
}

// A condition's token was taken at once, whatever the delay. With a mutex that is right: the thread keeps it.
TEST(Waiting, ATokenOfAConditionCameAtOnceFromAnotherProcessor) {
    auto const ended_with = [](std::int64_t delay, bool has_mutex) {
        ProgramBuilder program(2);
        auto const m = program.object(ObjectKind::mutex);
        auto const c = program.object(ObjectKind::condition);
        program.thread(0).bind(1, 0).work(5).add(OperationKind::condition_signal, c.value,
                                                 encode(TokenGrant{1, 0}));
        auto& second = program.thread(1).bind(2, 1).work(7);
        if (has_mutex)
            second.lock(m);
        second
            .add(OperationKind::condition_wait, c.value,
                 encode(TokenWait{.mutex = has_mutex ? m : ObjectId::none(), .token = 0}))
            .work(6);
        auto machine = machine_under(number_of(RoundRobinScheduler{}), 2);
        machine.costs.event_delay = {delay * unit};
        return ended(must_run(program.finish_with_all_created(), machine), 1);
    };
    EXPECT_EQ(ended_with(0, false), 13);
    EXPECT_EQ(ended_with(1, false), 13) << "it has arrived by then";
    EXPECT_EQ(ended_with(4, false), 15) << "5 + 4 + 6, as for a semaphore";
    EXPECT_EQ(ended_with(8, false), 19);
    EXPECT_EQ(ended_with(8, true), 13);
}

TEST(Deadlocks, NameTheThreadsTheObjectsAndTheHolders) {
    ProgramBuilder program(3);
    auto const a = program.object(ObjectKind::mutex);
    auto const b = program.object(ObjectKind::mutex);
    program.thread(0).create(1).lock(a).work(1).lock(b).create(2);
    program.thread(1).lock(b).work(1).lock(a);
    for (auto const& machine : {ideal_machine(2), linux_machine(2)}) {
        auto const run = must_run(program.finish(), machine);
        ASSERT_TRUE(run.deadlock);
        ASSERT_EQ(run.deadlock->threads.size(), 2U) << "a thread that was never created is not stuck";
        auto const& first = run.deadlock->threads[0];
        EXPECT_EQ(first.thread, ThreadId(0));
        EXPECT_EQ(first.object, b);
        EXPECT_EQ(first.holder, ThreadId(1));
        EXPECT_FALSE(first.site.is_none());
    }
}

// Two threads wait with two processors idle: each is charged half of what nobody uses.
TEST(Accounts, IdleProcessorsAreChargedToThoseWhoWait) {
    ProgramBuilder program(3);
    auto const m = program.object(ObjectKind::mutex);
    program.thread(0).lock(m).work(4).unlock(m);
    program.thread(1).lock(m).unlock(m);
    program.thread(2).sleep(4);
    auto const on_four = must_run(program.finish_with_all_created(), ideal_machine(4)).accounts;
    EXPECT_EQ(on_four.idle.locks.ns, 4 * unit);
    EXPECT_EQ(on_four.idle.sleeping.ns, 4 * unit);
    EXPECT_EQ(on_four.idle.no_thread.ns, 4 * unit) << "three threads cannot use a fourth processor";
    auto const on_two = must_run(program.finish_with_all_created(), ideal_machine(2)).accounts;
    EXPECT_EQ(on_two.idle.locks.ns, 2 * unit);
    EXPECT_EQ(on_two.idle.sleeping.ns, 2 * unit);
    EXPECT_EQ(on_two.objects[m.index()].idle_processors.ns, 2 * unit);
}

TEST(Accounts, ThePathFollowsWhoReleasedWhom) {
    ProgramBuilder program(2);
    auto const s = program.object(ObjectKind::semaphore);
    program.thread(0).work(1).wait(s).work(2);
    program.thread(1).work(3).sleep(4).work(1).post(s).work(1);
    auto const finished = program.finish_with_all_created();
    auto const run = run_unbounded(*CheckedProgram::of(finished));
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(run->accounts.completion.ns, (3 + 4 + 1 + 2) * unit);
    EXPECT_EQ(run->accounts.path_busy.ns, (3 + 1 + 2) * unit);
}

}  // namespace
}  // namespace parcast::simulate
