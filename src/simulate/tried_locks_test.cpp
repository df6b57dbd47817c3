// Locks that the recording got by a try, where the replay finds them busy: std::lock, std::scoped_lock of
// several mutexes, and programs that try another lock instead.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "program/tried_lock.h"
#include "simulate/simulate.h"
#include "support/conserves_time.h"
#include "support/program_builder.h"

namespace parcast::simulate {
namespace {

using enum OperationKind;

constexpr std::int64_t unit = ProgramBuilder::default_unit_ns;
constexpr std::array policies = {LockPolicy::hand_off, LockPolicy::barging};

Run must_run(ThreadProgram const& program, std::uint32_t cpus, LockPolicy policy) {
    auto machine = ideal_machine(cpus);
    machine.lock_policy = policy;
    auto result = run(program, machine);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    EXPECT_TRUE(conserves_time(result->accounts));
    return *result;
}

std::int64_t ended(Run const& run, std::size_t thread) {
    return run.accounts.threads[thread].ended.ns / unit;
}

// std::scoped_lock(a, b) against (b, a): "the program itself can hang like this".
TEST(TriedLocks, TwoThatLockTheSamePairInOppositeOrdersDoNotDeadlock) {
    for (auto const policy : policies) {
        ProgramBuilder program(3);
        auto const a = program.object(ObjectKind::mutex);
        auto const b = program.object(ObjectKind::mutex);
        program.thread(1).work(1).lock(a).add(lock, b.value, by_a_try).work(2).unlock(b).unlock(a);
        program.thread(2).work(1).lock(b).add(lock, a.value, by_a_try).work(2).unlock(a).unlock(b);
        auto const run = must_run(program.finish_with_all_created(), 2, policy);
        ASSERT_FALSE(run.deadlock);
        EXPECT_EQ(std::min(ended(run, 1), ended(run, 2)), 3);
        EXPECT_EQ(std::max(ended(run, 1), ended(run, 2)), 5) << "one after the other";
    }
}

// These locks were used first at one place of a program that ran.
ThreadProgram recorded(ThreadProgram program, std::span<ObjectId const> locks) {
    program.catalogue.sites[0].module = "/usr/bin/index";
    for (ObjectId const lock : locks)
        program.catalogue.objects[lock.index()].first_site = SiteId(0);
    return program;
}

// Two threads, which take one mutex and one of so many of one place, in opposite orders.
ThreadProgram one_of_many(std::size_t mutexes) {
    ProgramBuilder program(3);
    auto const a = program.object(ObjectKind::mutex);
    std::vector<ObjectId> of_many;
    for (std::size_t i = 0; i < mutexes; ++i)
        of_many.push_back(program.object(ObjectKind::mutex));
    auto const b = of_many.front();
    program.thread(1).work(1).lock(a).work(1).lock(b).work(2).unlock(b).unlock(a);
    program.thread(2).work(1).lock(b).work(1).lock(a).work(2).unlock(a).unlock(b);
    return recorded(program.finish_with_all_created(), of_many);
}

// A nearest neighbour graph with a mutex for each node: "the program itself can hang like this" was said of
// hnswlib, whose threads do not reach a node before it has been linked.
TEST(CrossedLocks, OfManyComeUndoneAndAreCounted) {
    for (auto const policy : policies) {
        auto const run = must_run(one_of_many(64), 2, policy);
        ASSERT_FALSE(run.deadlock);
        EXPECT_EQ(run.crossings, 1);
        EXPECT_EQ(run.crossed_lock, ObjectId(1));
        EXPECT_EQ(std::min(ended(run, 1), ended(run, 2)), 4);
        EXPECT_EQ(std::max(ended(run, 1), ended(run, 2)), 6) << "one after the other";
        auto const of_few = must_run(one_of_many(63), 2, policy);
        EXPECT_TRUE(of_few.deadlock);
        EXPECT_EQ(of_few.crossings, 0);
    }
}

TEST(CrossedLocks, OfAProgramThatWasWrittenDownDeadlock) {
    auto program = one_of_many(64);
    program.catalogue.sites[0].module.clear();
    EXPECT_TRUE(must_run(program, 2, LockPolicy::hand_off).deadlock);
}

// Who waits to share a lock keeps what it has; who waits to hold one alone gives way.
TEST(CrossedLocks, OpenWhereTheLastOneWantsTheLockForItself) {
    for (auto const policy : policies)
        for (std::int64_t const reads_after : {1, 3}) {
            ProgramBuilder program(3);
            auto const shared = program.object(ObjectKind::reader_writer_lock);
            std::vector<ObjectId> of_many;
            for (int i = 0; i < 64; ++i)
                of_many.push_back(program.object(ObjectKind::mutex));
            auto const node = of_many.front();
            program.thread(1).lock(node).work(reads_after).add(read_lock, shared.value).work(1);
            program.thread(1).add(read_write_unlock, shared.value).unlock(node);
            program.thread(2).add(write_lock, shared.value).work(2).lock(node).work(1).unlock(node);
            program.thread(2).add(read_write_unlock, shared.value);
            auto const run = must_run(recorded(program.finish_with_all_created(), of_many), 2, policy);
            bool const reads_last = reads_after > 2;
            EXPECT_EQ(run.deadlock.has_value(), reads_last);
            EXPECT_EQ(run.crossings, reads_last ? 0 : 1);
        }
}

// Threads that each want several of many locks, in any order, some twice.
TEST(CrossedLocks, OfManyNeverDeadlock) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        std::mt19937 random(seed);
        auto const threads = static_cast<std::uint32_t>(2 + random() % 5);
        ProgramBuilder program(threads + 1);
        std::vector<ObjectId> locks;
        for (int i = 0; i < 64; ++i)
            locks.push_back(program.object(ObjectKind::mutex));
        for (std::uint32_t thread = 1; thread <= threads; ++thread) {
            auto& builder = program.thread(thread);
            for (int section = 0; section < 4; ++section) {
                std::vector<ObjectId> taken;
                for (auto count = 2 + random() % 4; count > 0; --count) {
                    taken.push_back(locks[random() % 4]);
                    builder.work(random() % 2).lock(taken.back());
                }
                for (ObjectId const lock : taken)
                    builder.work(random() % 2).unlock(lock);
            }
        }
        auto const finished = recorded(program.finish_with_all_created(), locks);
        for (auto const policy : policies)
            for (std::uint32_t const cpus : {1U, 2U, 8U})
                ASSERT_FALSE(must_run(finished, cpus, policy).deadlock) << seed << ' ' << cpus;
    }
}

TEST(TriedLocks, WhoWaitsForOneOfSeveralLocksHoldsNoneOfThem) {
    for (auto const policy : policies) {
        ProgramBuilder program(4);
        auto const a = program.object(ObjectKind::mutex);
        auto const b = program.object(ObjectKind::mutex);
        program.thread(1).lock(b).work(10).unlock(b);
        program.thread(2).work(1).lock(a).add(lock, b.value, by_a_try).work(1).unlock(b).unlock(a);
        program.thread(3).work(2).lock(a).work(10).unlock(a);
        auto const run = must_run(program.finish_with_all_created(), 3, policy);
        EXPECT_EQ(ended(run, 3), 12) << "a is free while thread 2 waits for b";
        EXPECT_EQ(ended(run, 2), 13) << "b is free at 10, but a is not";
    }
}

// c24_try on a host whose wake-ups take 80 us: predicted 0.62 times as fast on two CPUs, measured 1.45.
TEST(TriedLocks, AreTakenWithoutAWakeUp) {
    for (std::int64_t const how : {std::int64_t{0}, by_a_try}) {
        ProgramBuilder program(3);
        auto const a = program.object(ObjectKind::mutex);
        program.thread(1).lock(a).work(10).unlock(a);
        program.thread(2).work(5).add(lock, a.value, how).work(10).unlock(a);
        auto machine = linux_machine(2);
        machine.costs = {.wake_up = {2 * unit}, .wake_waiter = {unit}};
        auto const run = simulate::run(program.finish_with_all_created(), machine);
        ASSERT_TRUE(run.has_value());
        // It began a unit late: the initial thread had woken another one before.
        EXPECT_EQ(ended(*run, 2), how == by_a_try ? 21 : 23);
    }
}

TEST(TriedLocks, WhoIsReleasedAndTriesNextIsWoken) {
    for (std::int64_t const how : {std::int64_t{0}, by_a_try}) {
        ProgramBuilder program(2);
        auto const a = program.object(ObjectKind::mutex);
        auto const semaphore = program.object(ObjectKind::semaphore);
        program.thread(0).create(1).work(10).post(semaphore);
        program.thread(1).wait(semaphore).add(lock, a.value, how).work(10).unlock(a);
        auto machine = linux_machine(2);
        machine.costs = {.wake_up = {2 * unit}};
        auto const run = simulate::run(program.finish(), machine);
        ASSERT_TRUE(run.has_value());
        EXPECT_EQ(ended(*run, 1), 10 + 2 + 10);
    }
}

// c24_try: it holds one lock, works, and tries others until it gets one.
TEST(TriedLocks, WhoTriesGivesUpWhatItHoldsWhereThatClosesACycleAndNowhereElse) {
    for (auto const policy : policies) {
        for (std::int64_t const other : {std::int64_t{0}, by_a_try}) {
            ProgramBuilder program(3);
            auto const a = program.object(ObjectKind::mutex);
            auto const b = program.object(ObjectKind::mutex);
            program.thread(1).lock(a).work(1).add(lock, b.value, by_a_try).work(1).unlock(b).unlock(a);
            program.thread(2).lock(b).work(3).add(lock, a.value, other).work(1).unlock(a).unlock(b);
            auto const run = must_run(program.finish_with_all_created(), 2, policy);
            ASSERT_FALSE(run.deadlock);
            EXPECT_EQ(run.accounts.completion.ns, 5 * unit) << "nobody waits before the cycle is there";
        }
    }
}

TEST(TriedLocks, ALockThatWasTakenTwiceIsHeldTwiceAgainAfterARound) {
    ProgramBuilder program(4);
    auto const a = program.object(ObjectKind::mutex);
    auto const b = program.object(ObjectKind::mutex);
    program.thread(1).lock(b).work(4).unlock(b);
    program.thread(2).work(1).lock(a).lock(a).add(lock, b.value, by_a_try).unlock(b);
    program.thread(2).unlock(a).work(1).unlock(a);
    program.thread(3).work(4).lock(a);
    auto const run = must_run(program.finish_with_all_created(), 3, LockPolicy::hand_off);
    EXPECT_EQ(ended(run, 3), 5);
}

// Threads that each want several of few locks at once, in any order, some of them below a lock that others
// just wait for.
TEST(TriedLocks, NoProgramOfStdLockDeadlocks) {
    for (std::uint32_t seed = 1; seed <= 400; ++seed) {
        std::mt19937 random(seed);
        auto const threads = static_cast<std::uint32_t>(2 + random() % 5);
        ProgramBuilder program(threads + 1);
        std::vector<ObjectId> locks;
        for (auto count = 2 + random() % 4; count > 0; --count)
            locks.push_back(program.object(ObjectKind::mutex));
        for (std::uint32_t thread = 1; thread <= threads; ++thread) {
            auto& builder = program.thread(thread);
            for (int section = 0; section < 4; ++section) {
                builder.work(random() % 3);
                std::shuffle(locks.begin(), locks.end(), random);
                auto const taken = 2 + random() % (locks.size() - 1);
                for (std::size_t i = 0; i < taken; ++i) {
                    builder.work(random() % 4 == 0 ? 1 : 0);
                    builder.add(lock, locks[i].value, i == 0 ? 0 : by_a_try);
                }
                builder.work(1 + random() % 2);
                for (std::size_t i = 0; i < taken; ++i)
                    builder.unlock(locks[i]);
            }
        }
        auto const finished = program.finish_with_all_created();
        for (auto const policy : policies)
            for (std::uint32_t const cpus : {1U, 2U, 8U})
                ASSERT_FALSE(must_run(finished, cpus, policy).deadlock) << seed << ' ' << cpus;
    }
}

}  // namespace
}  // namespace parcast::simulate
