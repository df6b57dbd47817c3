// Threads that take turns on a processor evict each other's data from its caches: what a turn costs under the
// linux scheduler, against times derived by hand. A unit is a microsecond; slices are 2.8 ms.

#include <gtest/gtest.h>

#include "simulate/simulate.h"
#include "support/conserves_time.h"
#include "support/program_builder.h"

namespace parcast::simulate {
namespace {

constexpr std::int64_t us = 1'000;
constexpr std::int64_t turns = 9;  // of a thread that needs ten slices
constexpr std::int64_t refill_us = 800;
constexpr std::int64_t recorded_us = 28'000;  // with its refills
constexpr std::int64_t work_us = recorded_us - turns * refill_us;

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

ThreadProgram hogs(std::uint32_t threads, std::int64_t each_us, std::int64_t refill_us_each) {
    ProgramBuilder program(threads, us);
    for (std::uint32_t number = 0; number < threads; ++number)
        program.thread(number).work(each_us);
    auto finished = program.finish_with_all_created();
    finished.refill = Duration{refill_us_each * us};
    return finished;
}

TEST(Turns, AreCountedWhereASliceEndsAndAnotherThreadFollows) {
    auto const two = must_run(hogs(2, recorded_us, 0), free_machine(1)).accounts;
    EXPECT_EQ(two.threads[0].turns, turns);
    EXPECT_EQ(two.threads[1].turns, turns);
    auto const apart = must_run(hogs(2, recorded_us, 0), free_machine(2)).accounts;
    EXPECT_EQ(apart.threads[0].turns + apart.threads[1].turns, 0);
}

// What a recording says of two threads on one processor comes out again, and they lose it on two.
TEST(Turns, OfTwoThreadsOnOneProcessorTakeWhatTheyTookWhenTheyWereRecorded) {
    auto const program = hogs(2, work_us, refill_us);
    auto const one = must_run(program, free_machine(1)).accounts;
    EXPECT_EQ(one.completion.ns, 2 * recorded_us * us);
    EXPECT_EQ(one.threads[0].turns, turns);
    EXPECT_EQ(one.busy.ns, one.completion.ns) << "refills are the program's own time, as in a measurement";
    EXPECT_EQ(must_run(program, free_machine(2)).accounts.completion.ns, work_us * us);
}

TEST(Turns, OfFourThreadsOnTwoProcessorsAreStillPaid) {
    EXPECT_EQ(must_run(hogs(4, work_us, refill_us), free_machine(2)).accounts.completion.ns,
              2 * recorded_us * us);
}

TEST(Turns, CostAThreadNothingThatWaitedForAnother) {
    ProgramBuilder builder(2, us);
    auto const barrier = builder.object(ObjectKind::barrier);
    for (std::uint32_t number = 0; number < 2; ++number)
        for (int phase = 0; phase < 5; ++phase)
            builder.thread(number).work(1'000).add(OperationKind::barrier_wait, barrier.value, 2);
    auto program = builder.finish_with_all_created();
    program.refill = Duration{500 * us};
    EXPECT_EQ(must_run(program, free_machine(1)).accounts.completion.ns, 10'000 * us);
}

// Where busy processors slow each other down, a refill counted as slowed work.
TEST(Turns, AreNoSlowedWorkWhereRatesVary) {
    auto machine = free_machine(1);
    machine.rates.compute = {1, 0.5};
    auto const one = must_run(hogs(2, work_us, refill_us), machine).accounts;
    EXPECT_EQ(one.completion.ns, 2 * recorded_us * us);
    EXPECT_EQ(one.slowed.ns, 0);
}

// A turn that costs more than its slice would get nowhere.
TEST(Turns, LeaveHalfOfASliceForTheWork) {
    auto const dear = must_run(hogs(2, 14'000, 1'000'000), free_machine(1)).accounts;
    EXPECT_EQ(dear.completion.ns, must_run(hogs(2, 14'000, 1'400), free_machine(1)).accounts.completion.ns);
}

TEST(Turns, ThatCostLessThanNothingAreRefused) {
    auto const refused = run(hogs(2, 100, -1), free_machine(1));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::inconsistent);
}

}  // namespace
}  // namespace parcast::simulate
