#include "simulate/variation.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "simulate/simulate.h"
#include "support/program_builder.h"
#include "support/random_program.h"

namespace parcast::simulate {
namespace {

TEST(Variation, LeavesASegmentWithinItsJitterAndItsMeanWhereItWas) {
    Variation const variation{.seed = 7, .jitter = 0.01};
    double sum = 0;
    constexpr int segments = 10'000;
    for (int i = 0; i < segments; ++i) {
        auto const work = variation.work_ns(ThreadId(i % 16), static_cast<std::uint32_t>(i), 1'000'000);
        EXPECT_GE(work, 990'000);
        EXPECT_LE(work, 1'010'000);
        sum += static_cast<double>(work);
    }
    // The mean of so many uniform deviations of 1 % deviates by 0.006 %.
    EXPECT_NEAR(sum / segments, 1e6, 300);
}

TEST(Variation, DrawsTheSameForTheSamePlaceAndOtherwiseSomethingElse) {
    Variation const variation{.seed = 7, .jitter = 0.01};
    auto const work = [](Variation const& of, std::uint32_t thread, std::uint32_t operation) {
        return of.work_ns(ThreadId(thread), operation, 1'000'000'000);
    };
    EXPECT_EQ(work(variation, 3, 4), work(variation, 3, 4));
    EXPECT_NE(work(variation, 3, 4), work(variation, 4, 3));
    EXPECT_NE(work(variation, 3, 4), work(variation, 3, 5));
    EXPECT_NE(work(variation, 3, 4), work({.seed = 8, .jitter = 0.01}, 3, 4));
}

TEST(Variation, ChargesEveryOperationAsFarAsThereIsWork) {
    EXPECT_EQ((Variation{.event_ns = 12}.work_ns(ThreadId(0), 0, 100)), 112);
    EXPECT_EQ((Variation{.event_ns = 12}.work_ns(ThreadId(0), 0, 0)), 12);
    EXPECT_EQ((Variation{.event_ns = -12}.work_ns(ThreadId(0), 0, 100)), 88);
    EXPECT_EQ((Variation{.event_ns = -12}.work_ns(ThreadId(0), 0, 5)), 0);
}

TEST(Variation, ChangesThePriceOfWakingABarrier) {
    EXPECT_EQ((Variation{.waking = 1.5}.waking_ns(1'000)), 1'500);
    EXPECT_EQ(Variation{}.waking_ns(1'000), 1'000);
}

TEST(Variation, OfNothingReplaysTheProgramAsItIs) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        auto const program = RandomProgram(seed, {}).make();
        auto const checked = CheckedProgram::of(program);
        ASSERT_TRUE(checked);
        auto const machine = linux_machine(3);
        Variation const nothing;
        auto const plain = run(*checked, machine);
        auto const varied = run(*checked, machine, {.variation = &nothing});
        ASSERT_TRUE(plain && varied);
        EXPECT_EQ(varied->accounts.completion, plain->accounts.completion);
        EXPECT_EQ(varied->accounts.busy, plain->accounts.busy);
    }
}

// Seven threads on four processors end when balancing has shared the processors among them.
TEST(Variation, BeginsAtAnotherMomentOfLinuxsTicks) {
    ProgramBuilder program(7);
    for (std::uint32_t number = 0; number < 7; ++number)
        program.thread(number).work(10);
    auto const threads = program.finish_with_all_created();
    auto const checked = CheckedProgram::of(threads);
    ASSERT_TRUE(checked);
    std::set<std::int64_t> ends;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Variation const variation{.seed = seed};
        auto const varied = run(*checked, linux_machine(4), {.variation = &variation});
        ASSERT_TRUE(varied);
        ends.insert(varied->accounts.completion.ns);
    }
    EXPECT_GT(ends.size(), 1U);
}

// Two threads on each of two processors, of which one soon ends. When the other processor looks at the three
// that are left depends on the run: by up to sixteen ticks, not only by a part of one.
TEST(Variation, BeginsAtAnotherMomentOfTheProcessorsLooksAtEachOther) {
    ProgramBuilder program(4, 1);
    for (std::uint32_t number = 0; number < 4; ++number)
        program.thread(number).work(number == 3 ? 10'000'000 : 200'000'000);
    auto const threads = program.finish_with_all_created();
    auto const checked = CheckedProgram::of(threads);
    ASSERT_TRUE(checked);
    std::set<std::int64_t> ends;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Variation const variation{.seed = seed};
        auto const varied = run(*checked, linux_machine(2), {.variation = &variation});
        ASSERT_TRUE(varied);
        ends.insert(varied->accounts.completion.ns);
    }
    auto const tick = LinuxScheduler{}.balance_interval.ns;
    EXPECT_GT(*ends.rbegin() - *ends.begin(), 2 * tick);
}

}  // namespace
}  // namespace parcast::simulate
