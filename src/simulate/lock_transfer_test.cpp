// A lock that another processor took last: its cache line has to come over, at the machine's price, under the
// linux scheduler. Times derived by hand; a unit is a microsecond.

#include <gtest/gtest.h>

#include "simulate/program_builder.h"
#include "simulate/simulate.h"

namespace parcast::simulate {
namespace {

constexpr std::int64_t us = 1'000;

Machine machine_of(std::uint32_t cpus) {
    auto machine = linux_machine(cpus);
    machine.costs = {.lock_transfer = {1 * us}};
    return machine;
}

Run must_run(ThreadProgram const& program, Machine const& machine) {
    auto result = run(program, machine, {.with_timeline = true});
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    EXPECT_TRUE(conserves_time(result->accounts));
    EXPECT_TRUE(check(*result->timeline).has_value());
    return *result;
}

// Both threads lock five times, never at the same time: the first 10, 20, 30, ... us after its beginning, the
// second 5 us later.
ThreadProgram in_turn(OperationKind take, OperationKind leave, ObjectKind kind) {
    ProgramBuilder program(2, us);
    auto const object = program.object(kind);
    program.thread(1).work(5);
    for (std::uint32_t number = 0; number < 2; ++number) {
        for (int time = 0; time < 5; ++time)
            program.thread(number).work(10).add(take, object.value).add(leave, object.value);
    }
    return program.finish_with_all_created();
}

ThreadProgram mutex_in_turn() {
    return in_turn(OperationKind::lock, OperationKind::unlock, ObjectKind::mutex);
}

// The first thread finds the line at home once, the second never.
TEST(LockTransfer, IsPaidByWhoTakesTheLockAfterAnotherProcessor) {
    auto const accounts = must_run(mutex_in_turn(), machine_of(2)).accounts;
    EXPECT_EQ(accounts.threads[0].ended.ns, (50 + 4) * us);
    EXPECT_EQ(accounts.threads[1].ended.ns, (55 + 5) * us);
    EXPECT_EQ(accounts.busy.ns, (105 + 9) * us) << "the program's own time, as in a measurement";
    EXPECT_EQ(accounts.overhead.ns, 0);
    EXPECT_EQ(accounts.path_busy, accounts.completion) << "it is on the critical path";
}

TEST(LockTransfer, IsPaidForReadersToo) {
    auto const program =
        in_turn(OperationKind::read_lock, OperationKind::read_write_unlock, ObjectKind::reader_writer_lock);
    EXPECT_EQ(must_run(program, machine_of(2)).accounts.busy.ns, (105 + 9) * us);
}

TEST(LockTransfer, IsNeverPaidOnOneProcessorNorWhenItIsFree) {
    EXPECT_EQ(must_run(mutex_in_turn(), machine_of(1)).accounts.completion.ns, 105 * us);
    auto free_machine = machine_of(2);
    free_machine.costs = {};
    EXPECT_EQ(must_run(mutex_in_turn(), free_machine).accounts.completion.ns, 55 * us);
}

TEST(LockTransfer, IsNotPaidForALockThatOneProcessorTakesAgainAndAgain) {
    ProgramBuilder program(2, us);
    for (std::uint32_t number = 0; number < 2; ++number) {
        auto const own = program.object(ObjectKind::mutex);
        for (int time = 0; time < 5; ++time)
            program.thread(number).work(10).lock(own).unlock(own);
    }
    EXPECT_EQ(must_run(program.finish_with_all_created(), machine_of(2)).accounts.completion.ns, 50 * us);
}

// The transfer is work at the speed of the processors: with both at half of theirs it takes twice as long.
TEST(LockTransfer, IsSlowedDownLikeOtherWork) {
    auto machine = machine_of(2);
    machine.rates.compute = {1, 0.5};
    auto const accounts = must_run(mutex_in_turn(), machine).accounts;
    EXPECT_EQ(accounts.busy.ns, (105 + 9) * us);
    EXPECT_EQ(accounts.threads[0].ended.ns, 2 * (50 + 4) * us);
}

}  // namespace
}  // namespace parcast::simulate
