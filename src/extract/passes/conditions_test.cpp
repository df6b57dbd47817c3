#include "extract/passes/conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/kernel_locks.h"
#include "support/operation_rows.h"

namespace parcast::extract {
namespace {

using enum OperationKind;
constexpr std::uint32_t none = 0xffffffff;

// Threads that use one mutex and one condition.
struct Monitor {
    explicit Monitor(std::size_t threads) : recording(threads) {
        mutex = recording.object(ObjectKind::mutex);
        condition = recording.object(ObjectKind::condition);
        for (int i = 0; i < 3; ++i)
            recording.site();
        recording.begin(0, 0);
        for (std::size_t child = 1; child < threads; ++child) {
            recording.create(0, 0, static_cast<std::uint32_t>(child));
            recording.begin(child, 0);
        }
    }
    void lock(std::size_t thread, std::int64_t at, std::uint32_t site = 0) {
        recording.add(thread, {.kind = EventKind::lock, .at = at, .object = mutex, .site = site});
    }
    void unlock(std::size_t thread, std::int64_t at, std::int64_t cpu = 0) {
        recording.add(thread, {.kind = EventKind::unlock, .at = at, .cpu = cpu, .object = mutex});
    }
    void wait(std::size_t thread, std::int64_t at, std::int64_t until, std::int64_t cpu = 0) {
        recording.add(thread, {.kind = EventKind::condition_wait,
                               .at = at,
                               .cpu = cpu,
                               .span = until - at,
                               .object = condition,
                               .related = mutex});
    }
    void timed_wait(std::size_t thread, std::int64_t at, std::int64_t until, std::int64_t asked,
                    Outcome outcome) {
        recording.add(thread, {.kind = EventKind::timed_condition_wait,
                               .at = at,
                               .span = until - at,
                               .object = condition,
                               .related = mutex,
                               .value = asked,
                               .outcome = outcome});
    }
    void signal(std::size_t thread, std::int64_t at) {
        recording.add(thread, {.kind = EventKind::condition_signal, .at = at, .object = condition});
    }
    void broadcast(std::size_t thread, std::int64_t at) {
        recording.add(thread, {.kind = EventKind::condition_broadcast, .at = at, .object = condition});
    }
    ThreadProgram program(std::int64_t at = 1'000'000) {
        for (std::size_t thread = 0; thread < recording.timeline().events.size(); ++thread)
            recording.end(thread, at);
        return extracted(recording);
    }

    Recording recording;
    std::uint32_t mutex = 0;
    std::uint32_t condition = 0;
};

Rows of_condition(ThreadProgram const& program, std::size_t thread, std::uint32_t condition) {
    Rows result = rows(program, thread);
    std::erase_if(result, [&](Row const& row) {
        return row.kind == create || (row.object != condition && row.kind != delay);
    });
    return result;
}

TEST(Conditions, ASignalHandsATokenToTheWaitThatItEnded) {
    Monitor m(2);
    m.lock(1, 10), m.wait(1, 11, 30), m.unlock(1, 31);
    m.lock(0, 20, 1), m.signal(0, 21), m.unlock(0, 22);
    ThreadProgram const program = m.program();
    EXPECT_EQ(of_condition(program, 1, m.condition), (Rows{{condition_wait, 0, m.condition, m.mutex}}));
    EXPECT_EQ(of_condition(program, 0, m.condition), (Rows{{condition_signal, 0, m.condition, 1}}));
}

TEST(Conditions, ASignalThatFoundNobodyHandsOutNothing) {
    Monitor m(1);
    m.signal(0, 10);
    EXPECT_TRUE(of_condition(m.program(), 0, m.condition).empty());
}

TEST(Conditions, WaitsThatFoundTheirPredicateFalseAreOneWaitOfTheLastSignal) {
    Monitor m(2);
    m.lock(1, 10), m.wait(1, 11, 30), m.wait(1, 31, 50, 1), m.unlock(1, 51);
    m.signal(0, 20), m.signal(0, 40);
    ThreadProgram const program = m.program();
    EXPECT_EQ(of_condition(program, 1, m.condition), (Rows{{condition_wait, 1, m.condition, m.mutex}}));
    EXPECT_EQ(of_condition(program, 0, m.condition), (Rows{{condition_signal, 0, m.condition, 1}}));
}

TEST(Conditions, WaitsWithWorkInBetweenAreTwoWaits) {
    Monitor m(2);
    m.lock(1, 10), m.wait(1, 11, 30), m.wait(1, 60'031, 60'050, 60'000), m.unlock(1, 60'051);
    m.signal(0, 20), m.signal(0, 60'040);
    EXPECT_EQ(of_condition(m.program(), 1, m.condition).size(), 2U);
}

TEST(Conditions, WaitsWithACallInBetweenAreTwoWaits) {
    // Two threads that hand a turn to and fro never unlock; each turn is a wait of its own.
    Monitor m(2);
    m.lock(1, 10), m.wait(1, 11, 30), m.signal(1, 31), m.wait(1, 32, 50), m.unlock(1, 51);
    m.signal(0, 20), m.signal(0, 40);
    EXPECT_EQ(of_condition(m.program(), 1, m.condition).size(), 2U);
}

TEST(Conditions, ABroadcastHandsOutAsManyTokensAsItFinallySatisfied) {
    // pigz's twist: a broadcast wakes all, one finds its value, the others wait again.
    Monitor m(4);
    for (std::size_t thread = 1; thread < 4; ++thread) {
        auto const base = static_cast<std::int64_t>(thread);
        m.lock(thread, 10 * base), m.wait(thread, 10 * base + 1, 100 + 10 * base);
    }
    m.wait(2, 121, 220), m.wait(3, 131, 230), m.wait(3, 231, 330);
    m.broadcast(0, 90), m.broadcast(0, 200), m.broadcast(0, 300);
    ThreadProgram const program = m.program();
    EXPECT_EQ(of_condition(program, 0, m.condition), (Rows{{condition_signal, 0, m.condition, 1},
                                                           {condition_signal, 0, m.condition, 1},
                                                           {condition_signal, 0, m.condition, 1}}));
    EXPECT_TRUE(program.barriers.empty());
}

TEST(Conditions, ATimeoutReleasesTheMutexForTheTimeAskedFor) {
    Monitor m(1);
    m.lock(0, 10), m.timed_wait(0, 11, 80, 60, Outcome::timed_out), m.unlock(0, 81);
    EXPECT_EQ(rows(m.program(), 0), (Rows{{lock, 0, m.mutex},
                                          {unlock, 0, m.mutex},
                                          {delay, 0, none, 60},
                                          {lock, 0, m.mutex},
                                          {unlock, 0, m.mutex},
                                          {end}}));
}

TEST(Conditions, TimeoutsBeforeASatisfiedWaitArePollsOfItsPredicate) {
    Monitor m(2);
    m.lock(1, 10), m.timed_wait(1, 11, 40, 29, Outcome::timed_out),
        m.timed_wait(1, 41, 60, 29, Outcome::done);
    m.unlock(1, 61);
    m.signal(0, 55);
    EXPECT_EQ(of_condition(m.program(), 1, m.condition), (Rows{{condition_wait, 0, m.condition, m.mutex}}));
}

// xz's main thread waits 300 ms at a time; on one CPU its workers need longer. The replay slept them to their
// end.
TEST(Conditions, ATimeoutAfterWhichTheThreadLooksElsewhereAndWaitsOnIsAPoll) {
    Monitor m(2);
    m.lock(1, 10), m.timed_wait(1, 11, 40, 29, Outcome::timed_out), m.unlock(1, 41);
    m.lock(1, 42, 1), m.unlock(1, 43);
    m.lock(1, 44), m.timed_wait(1, 45, 60, 29, Outcome::done), m.unlock(1, 61);
    m.signal(0, 55);
    ThreadProgram const program = m.program();
    EXPECT_EQ(of_condition(program, 1, m.condition), (Rows{{condition_wait, 0, m.condition, m.mutex}}));
    EXPECT_EQ(of_condition(program, 0, m.condition), (Rows{{condition_signal, 0, m.condition, 1}}));
}

TEST(Conditions, ATimeoutAfterWhichTheThreadActsIsADelay) {
    Monitor m(2);
    m.lock(1, 10), m.timed_wait(1, 11, 40, 29, Outcome::timed_out), m.unlock(1, 41);
    m.recording.add(1, {.kind = EventKind::output, .at = 42, .object = 0});
    m.lock(1, 44), m.timed_wait(1, 45, 60, 29, Outcome::done), m.unlock(1, 61);
    m.signal(0, 55);
    EXPECT_EQ(of_condition(m.program(), 1, m.condition),
              (Rows{{delay, 0, none, 29}, {condition_wait, 0, m.condition, m.mutex}}));
}

TEST(Conditions, TimeoutsThatNothingEndsTakeTheTimeAskedForInAll) {
    Monitor m(1);
    m.lock(0, 10), m.timed_wait(0, 11, 40, 29, Outcome::timed_out), m.unlock(0, 41);
    m.lock(0, 42), m.timed_wait(0, 43, 80, 31, Outcome::timed_out), m.unlock(0, 81);
    EXPECT_EQ(of_condition(m.program(), 0, m.condition), (Rows{{delay, 0, none, 60}}));
}

TEST(Conditions, ATimedOutWaiterLeavesItsSignalToTheNext) {
    Monitor m(3);
    m.timed_wait(1, 10, 30, 20, Outcome::timed_out);
    m.wait(2, 15, 40);
    m.signal(0, 29);
    EXPECT_EQ(of_condition(m.program(), 0, m.condition), (Rows{{condition_signal, 0, m.condition, 1}}));
}

// mksquashfs leaves its threads waiting when it ends: their mutex stayed locked, and the replay deadlocked.
TEST(Conditions, AThreadThatWaitedUntilTheProcessEndedHasGivenUpItsMutex) {
    Monitor monitor(2);
    monitor.lock(1, 10);
    monitor.recording.add(1, {.kind = EventKind::condition_wait,
                              .at = 20,
                              .cpu = 10,
                              .span = 80,
                              .object = monitor.condition,
                              .related = monitor.mutex,
                              .outcome = Outcome::cut_off});
    monitor.recording.end(1, 100, 0, Outcome::cut_off);
    monitor.lock(0, 50);
    monitor.unlock(0, 60);
    monitor.recording.end(0, 100);
    EXPECT_EQ(rows(extracted(monitor.recording), 1),
              (Rows{{lock, 0, monitor.mutex}, {unlock, 10, monitor.mutex}, {end}}));
}

TEST(Conditions, AWaitThatNobodyReleasedIsADelay) {
    Monitor m(1);
    m.lock(0, 10), m.wait(0, 11, 80), m.unlock(0, 81);
    ThreadProgram const program = m.program();
    EXPECT_EQ(of_condition(program, 0, m.condition), (Rows{{delay, 0, none, 69}}));
    EXPECT_THAT(program.assumptions, testing::Contains(testing::HasSubstr("1 wait ended without a release")));
}

// One generation from `at` on; thread `last` arrives last. All lock at `site`, the last at `last_site`.
void arrive(Monitor& m, std::size_t threads, std::size_t last, std::int64_t at, std::uint32_t last_site = 0) {
    for (std::size_t thread = 0; thread < threads; ++thread) {
        auto const mine = at + static_cast<std::int64_t>(thread);
        if (thread != last) {
            m.lock(thread, mine), m.wait(thread, mine, at + 50 + static_cast<std::int64_t>(thread));
            m.unlock(thread, at + 60 + static_cast<std::int64_t>(thread));
        }
    }
    m.lock(last, at + 20, last_site), m.broadcast(last, at + 21), m.unlock(last, at + 22);
}

TEST(ConditionBarriers, AreReplayedAsBarriers) {
    Monitor m(3);
    arrive(m, 3, 2, 100), arrive(m, 3, 0, 200);
    ThreadProgram const program = m.program();
    ASSERT_EQ(program.barriers,
              (std::vector<ConditionBarrier>{{3, ObjectId(m.condition), ObjectId(m.mutex)}}));
    for (std::size_t thread = 0; thread < 3; ++thread) {
        EXPECT_EQ(of_condition(program, thread, m.condition),
                  (Rows{{condition_barrier, 0, m.condition, 0}, {condition_barrier, 0, m.condition, 0}}));
    }
}

// A thread that was last in the recording woke the others inside the mutex, for 40 % too much time on 16
// CPUs, whoever was last in the replay. What it does there beyond the others, who take 2, is waking them.
TEST(ConditionBarriers, WhatTheBroadcasterTakesBeyondTheOthersIsWakingThem) {
    Monitor m(3);
    for (std::size_t const thread : {0, 1}) {
        m.lock(thread, 100 + static_cast<std::int64_t>(thread));
        m.wait(thread, 110 + static_cast<std::int64_t>(thread), 150);
        m.unlock(thread, 160 + static_cast<std::int64_t>(thread), 2);
    }
    m.lock(2, 120), m.broadcast(2, 121), m.unlock(2, 140, 12);
    auto const program = m.program();
    EXPECT_EQ(program.objects[m.condition].waking, Duration{5});
    EXPECT_EQ(
        rows(program, 2),
        (Rows{{lock, 0, m.mutex}, {condition_barrier, 0, m.condition, 0}, {unlock, 2, m.mutex}, {end}}));
    EXPECT_EQ(work_ns(program), 3 * 2 + 2 * 5);
}

// One page fault between a wait and its unlock, recorded with --memory-map, and 600 barriers were 74 % too
// slow.
TEST(ConditionBarriers, ADepartureWithAPageFaultLeavesWhatTheOthersTellOfWaking) {
    Monitor m(3);
    auto const map = m.recording.object(ObjectKind::reader_writer_lock);
    m.recording.timeline().catalogue.objects[map].name = name_of(KernelLock::memory_map);
    for (std::size_t const thread : {0, 1}) {
        m.lock(thread, 100 + static_cast<std::int64_t>(thread));
        m.wait(thread, 110 + static_cast<std::int64_t>(thread), 150);
        if (thread == 1) {
            m.recording.add(1, {.kind = EventKind::read_lock, .at = 155, .object = map});
            m.recording.add(1, {.kind = EventKind::read_write_unlock, .at = 155, .cpu = 7, .object = map});
        }
        m.unlock(thread, 160 + static_cast<std::int64_t>(thread), 2);
    }
    m.lock(2, 120), m.broadcast(2, 121), m.unlock(2, 140, 12);
    auto const program = m.program();
    EXPECT_EQ(program.objects[m.condition].waking, Duration{5}) << "10 for two";
}

TEST(ConditionBarriers, ABroadcastWithAPageFaultTellsNothingOfWaking) {
    Monitor m(3);
    auto const map = m.recording.object(ObjectKind::reader_writer_lock);
    m.recording.timeline().catalogue.objects[map].name = name_of(KernelLock::memory_map);
    for (std::int64_t const at : {100, 200}) {
        for (std::size_t const thread : {0, 1}) {
            m.lock(thread, at + static_cast<std::int64_t>(thread));
            m.wait(thread, at + 10 + static_cast<std::int64_t>(thread), at + 50);
            m.unlock(thread, at + 60 + static_cast<std::int64_t>(thread), 2);
        }
        m.lock(2, at + 20), m.broadcast(2, at + 21);
        if (at == 200) {
            m.recording.add(2, {.kind = EventKind::read_lock, .at = 225, .object = map});
            m.recording.add(2, {.kind = EventKind::read_write_unlock, .at = 225, .cpu = 7, .object = map});
        }
        m.unlock(2, at + 40, 12);
    }
    EXPECT_EQ(m.program().objects[m.condition].waking, Duration{5}) << "as in the other round";
}

// 50 us for each that waits is more than waking takes: the broadcaster computes before it lets the mutex go.
TEST(ConditionBarriers, WhatTheBroadcasterComputesUnderTheMutexIsNotWaking) {
    Monitor m(3);
    for (std::size_t const thread : {0, 1}) {
        m.lock(thread, 100 + static_cast<std::int64_t>(thread));
        m.wait(thread, 110 + static_cast<std::int64_t>(thread), 150'000);
        m.unlock(thread, 150'010 + static_cast<std::int64_t>(thread), 2);
    }
    m.lock(2, 120), m.broadcast(2, 121), m.unlock(2, 140'000, 100'004);
    auto const program = m.program();
    EXPECT_EQ(program.objects[m.condition].waking, Duration{0});
    EXPECT_EQ(work_ns(program), 2 * 2 + 100'004);
}

TEST(ConditionBarriers, WhereTheBroadcasterGoesOnWithoutAnUnlockNothingIsKnownOfWaking) {
    Monitor m(3);
    for (std::size_t const thread : {0, 1}) {
        m.lock(thread, 100 + static_cast<std::int64_t>(thread));
        m.wait(thread, 110 + static_cast<std::int64_t>(thread), 150);
        m.unlock(thread, 160 + static_cast<std::int64_t>(thread), 2);
    }
    m.lock(2, 120), m.broadcast(2, 121), m.signal(2, 122), m.unlock(2, 140, 12);
    auto const program = m.program();
    ASSERT_EQ(program.barriers.size(), 1U);
    EXPECT_EQ(program.objects[m.condition].waking, Duration{0});
}

TEST(ConditionBarriers, AStartGateIsNone) {
    Monitor m(3);
    arrive(m, 3, 0, 100, 1);  // the initial thread opens the gate from another place
    EXPECT_TRUE(m.program().barriers.empty());
}

TEST(ConditionBarriers, ABroadcastThatMissesAUserIsNone) {
    Monitor m(4);
    arrive(m, 3, 2, 100);
    m.lock(3, 300), m.broadcast(3, 301), m.unlock(3, 302);
    EXPECT_TRUE(m.program().barriers.empty());
}

TEST(ConditionBarriers, OfTwoThreadsNeedBothInBothRoles) {
    Monitor one_role(2);
    arrive(one_role, 2, 1, 100), arrive(one_role, 2, 1, 200);
    EXPECT_TRUE(one_role.program().barriers.empty());
    Monitor both_roles(2);
    arrive(both_roles, 2, 1, 100), arrive(both_roles, 2, 0, 200);
    EXPECT_EQ(both_roles.program().barriers.size(), 1U);
}

}  // namespace
}  // namespace parcast::extract
