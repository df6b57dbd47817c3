// Busy processors that slow each other down, against times derived by hand. A unit is a microsecond.

#include <gtest/gtest.h>

#include <initializer_list>
#include <random>

#include "simulate/simulate.h"
#include "support/conserves_time.h"
#include "support/program_builder.h"

namespace parcast::simulate {
namespace {

constexpr std::int64_t us = 1'000;

Machine without_costs(Machine machine, std::vector<double> compute) {
    machine.costs = {};
    machine.rates.compute = std::move(compute);
    return machine;
}

// Both schedulers agree where each thread has a processor.
std::vector<Machine> both(std::uint32_t cpus, std::vector<double> const& compute) {
    return {without_costs(ideal_machine(cpus), compute), without_costs(linux_machine(cpus), compute)};
}

Run must_run(ThreadProgram const& program, Machine const& machine) {
    auto result = run(program, machine, {.with_timeline = true});
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    EXPECT_TRUE(conserves_time(result->accounts));
    EXPECT_TRUE(check(*result->timeline).has_value());
    return *result;
}

ThreadProgram hogs(std::initializer_list<std::int64_t> work_us) {
    ProgramBuilder program(static_cast<std::uint32_t>(work_us.size()), us);
    std::uint32_t number = 0;
    for (auto const work : work_us)
        program.thread(number++).work(work);
    return program.finish_with_all_created();
}

TEST(Rates, TwoThreadsAtHalfSpeedTogetherTakeAsLongAsOneAfterTheOther) {
    for (auto const& machine : both(2, {1, 0.5})) {
        auto const run = must_run(hogs({100, 100}), machine);
        EXPECT_EQ(run.accounts.completion.ns, 200 * us) << machine.name;
        EXPECT_EQ(run.accounts.busy.ns, 200 * us);
        EXPECT_EQ(run.accounts.slowed.ns, 200 * us);
    }
}

// Alone for 100 us, then both at half speed for the other 100 us of work of each.
TEST(Rates, AThreadThatStartsInTheMiddleSlowsDownTheOneThatRuns) {
    ProgramBuilder program(2, us);
    program.thread(0).work(100).create(1).work(100);
    program.thread(1).work(100);
    for (auto const& machine : both(2, {1, 0.5})) {
        auto const run = must_run(program.finish(), machine);
        EXPECT_EQ(run.accounts.completion.ns, 300 * us) << machine.name;
        EXPECT_EQ(run.accounts.slowed.ns, 200 * us);
    }
}

// Three at 1/2 until 50 us are done (t = 100); two at 4/5 for 50 us more (t = 162.5); one alone for 100 us.
TEST(Rates, AThreadThatEndsSpeedsUpThoseThatGoOn) {
    for (auto const& machine : both(3, {1, 0.8, 0.5})) {
        auto const run = must_run(hogs({50, 100, 200}), machine);
        EXPECT_EQ(run.accounts.threads[0].ended.ns, 100 * us) << machine.name;
        // 0.8 is not a sum of powers of two: the law's 20 fractional bits, and rounding up.
        EXPECT_NEAR(static_cast<double>(run.accounts.threads[1].ended.ns), 162'500, 2);
        EXPECT_NEAR(static_cast<double>(run.accounts.completion.ns), 262'500, 2);
    }
}

TEST(Rates, BlockedThreadsSlowNobodyDown) {
    ProgramBuilder program(2, us);
    auto const m = program.object(ObjectKind::mutex);
    program.thread(0).lock(m).create(1).work(100).unlock(m);
    program.thread(1).lock(m).work(100).unlock(m);
    for (auto const& machine : both(2, {1, 0.5})) {
        auto const run = must_run(program.finish(), machine);
        EXPECT_EQ(run.accounts.completion.ns, 200 * us) << machine.name;
        EXPECT_EQ(run.accounts.slowed.ns, 0);
    }
}

TEST(Rates, OneProcessorIsNeverSlowedDown) {
    for (auto const& machine : both(1, {1, 0.5})) {
        auto const run = must_run(hogs({100, 100, 100}), machine);
        EXPECT_EQ(run.accounts.completion.ns, 300 * us) << machine.name;
        EXPECT_EQ(run.accounts.slowed.ns, 0);
    }
}

TEST(Rates, BeyondTheListItsLastEntryHolds) {
    for (auto const& machine : both(4, {1, 0.5})) {
        EXPECT_EQ(must_run(hogs({100, 100, 100, 100}), machine).accounts.completion.ns, 200 * us)
            << machine.name;
    }
}

// Four threads share two processors at half speed: 400 us of work by 2 x 1/2.
TEST(Rates, SharedProcessorsAreSlowedDownToo) {
    auto const run = must_run(hogs({100, 100, 100, 100}), without_costs(ideal_machine(2), {1, 0.5}));
    EXPECT_EQ(run.accounts.completion.ns, 400 * us);
    EXPECT_EQ(run.accounts.slowed.ns, 400 * us);
    EXPECT_EQ(run.accounts.threads[3][ThreadState::running].ns, 200 * us);
    EXPECT_EQ(run.accounts.threads[3][ThreadState::ready].ns, 200 * us);
}

// Three threads on two processors under slices: never fewer than two busy until the last two end together
// or one after the other; 60 ms of work by 2 x 1/2 is the least, and balancing reaches it within a slice.
TEST(Rates, SlicesLastAsLongAsTheyDoAtFullSpeed) {
    auto const run = must_run(hogs({20'000, 20'000, 20'000}), without_costs(linux_machine(2), {1, 0.5}));
    auto const& rows = *run.timeline->intervals;
    std::int64_t shortest = run.accounts.completion.ns;
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (rows.state[row] == ThreadState::running && rows.end[row].ns < 30'000 * us)
            shortest = std::min(shortest, (rows.end[row] - rows.begin[row]).ns);
    EXPECT_GE(shortest, 2'800 * us);
    EXPECT_GE(run.accounts.completion.ns, 60'000 * us);
    EXPECT_LE(run.accounts.completion.ns, 60'000 * us + 2 * 2'800 * us);
}

// Each operation was rounded up to a whole nanosecond: six million locks a thread took 5 % longer on two
// CPUs.
TEST(Rates, OperationsOfAFewNanosecondsAreNotRoundedUpOneByOne) {
    constexpr std::int64_t work_ns = 9;
    constexpr std::int64_t locks = 10'000;
    ProgramBuilder program(2, 1);
    for (std::uint32_t number = 0; number < 2; ++number) {
        auto const own = program.object(ObjectKind::mutex);
        for (std::int64_t i = 0; i < locks; ++i)
            program.thread(number).work(work_ns).lock(own).unlock(own);
    }
    constexpr double rate = 0.998;
    auto const expected = static_cast<double>(locks * work_ns) / rate;
    for (auto const& machine : both(2, {1, rate})) {
        auto const completion = must_run(program.finish_with_all_created(), machine).accounts.completion;
        EXPECT_NEAR(static_cast<double>(completion.ns), expected, 2) << machine.name;
    }
}

// A law: whatever the rates, no processor does more than its time.
TEST(Rates, NoMachineDoesMoreWorkThanItsProcessorsHaveTime) {
    std::mt19937_64 random(12);
    for (int round = 0; round < 50; ++round) {
        std::vector<double> rates{1};
        for (int k = 2; k <= 4; ++k)
            rates.push_back(static_cast<double>(1 + random() % 1'000) / 1'000);
        for (auto machine : both(1 + static_cast<std::uint32_t>(random() % 4), rates)) {
            ASSERT_TRUE(check(machine).has_value());
            auto const accounts = must_run(hogs({70, 110, 130, 190, 230}), machine).accounts;
            EXPECT_EQ(accounts.busy.ns, 730 * us);
            EXPECT_GE(accounts.completion.ns * machine.cpus, 730 * us)
                << machine.name << " of " << machine.cpus;
            EXPECT_GE(accounts.slowed.ns, 0);
        }
    }
}

TEST(Rates, TheMemoryShareMixesTheTwoKindsOfWork) {
    Machine machine = without_costs(linux_machine(2), {1, 1});
    machine.rates.memory = {1, 0.5};
    machine.rates.memory_share = 1;
    EXPECT_EQ(must_run(hogs({100, 100}), machine).accounts.completion.ns, 200 * us);
    machine.rates.memory_share = 0.5;  // 1 / (1/2 + 1) = 2/3
    EXPECT_NEAR(static_cast<double>(must_run(hogs({100, 100}), machine).accounts.completion.ns), 150'000, 1);
    machine.rates.memory_share = 0;
    EXPECT_EQ(must_run(hogs({100, 100}), machine).accounts.completion.ns, 100 * us);
}

}  // namespace
}  // namespace parcast::simulate
