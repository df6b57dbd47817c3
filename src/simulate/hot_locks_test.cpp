// Locks that several processors want at the same moment, against what two CPUs of a virtual machine took
// (AMD EPYC, a line takes 130 ns; docs/decisions/2026-11-29-hot-locks.md). A unit is a nanosecond.

#include <gtest/gtest.h>

#include "simulate/lock_lines.h"
#include "simulate/simulate.h"
#include "support/conserves_time.h"
#include "support/program_builder.h"

namespace parcast::simulate {
namespace {

Machine with_hand_over(std::uint32_t cpus, std::int64_t ns) {
    auto machine = linux_machine(cpus);
    machine.costs.hot_handover = {ns};
    return machine;
}

struct Loop {
    OperationKind take;
    OperationKind leave;
    std::int64_t inside;
    std::int64_t outside;
};

// Each thread takes the lock again and again; all of them together 40,000 times.
ThreadProgram takers(std::uint32_t threads, Loop const& loop) {
    ProgramBuilder program(threads, 1);
    bool const is_mutex = loop.take == OperationKind::lock;
    auto const lock = program.object(is_mutex ? ObjectKind::mutex : ObjectKind::reader_writer_lock);
    for (std::uint32_t thread = 0; thread < threads; ++thread)
        for (std::uint32_t i = 0; i < 40'000 / threads; ++i)
            program.thread(thread)
                .work(loop.outside)
                .add(loop.take, lock.value)
                .work(loop.inside)
                .add(loop.leave, lock.value);
    return program.finish_with_all_created();
}

double completion_ns(ThreadProgram const& program, Machine const& machine) {
    auto const result = run(program, machine, {.with_timeline = true});
    EXPECT_TRUE(result.has_value());
    EXPECT_TRUE(conserves_time(result->accounts));
    EXPECT_TRUE(check(*result->timeline).has_value());
    return to_real(result->accounts.completion).ns;
}

double speed_up(ThreadProgram const& program, std::uint32_t cpus, std::int64_t hand_over_ns) {
    return completion_ns(program, with_hand_over(1, hand_over_ns)) /
           completion_ns(program, with_hand_over(cpus, hand_over_ns));
}

struct Measured {
    Loop loop;
    double speed_up;  // on two CPUs
    char const* because;
};

class HotLock : public testing::TestWithParam<Measured> {};

constexpr auto read = OperationKind::read_lock;
constexpr auto done = OperationKind::read_write_unlock;

// Read locks were predicted 1.94 times as fast on two CPUs as on one, and took twice as long.
INSTANTIATE_TEST_SUITE_P(
    Measured, HotLock,
    testing::Values(Measured{{read, done, 7, 7}, 0.53, "nothing else is done"},
                    Measured{{read, done, 7, 28}, 0.54, "a little between"},
                    Measured{{read, done, 7, 168}, 1.13, "as much as a line takes"},
                    Measured{{read, done, 7, 343}, 1.41, "twice that"},
                    Measured{{read, done, 7, 868}, 1.72, "seven times that"},
                    Measured{{OperationKind::lock, OperationKind::unlock, 7, 8}, 0.43, "a mutex"},
                    Measured{{OperationKind::lock, OperationKind::unlock, 7, 168}, 1.13, "a mutex"}));

TEST_P(HotLock, TakesWhatItTookOnTwoCpus) {
    auto const& [loop, measured, because] = GetParam();
    auto const program = takers(2, loop);
    double const predicted = speed_up(program, 2, 130);
    EXPECT_NEAR(predicted, measured, 0.25 * measured) << because;
    EXPECT_EQ(predicted < 1, measured < 1) << because;
    EXPECT_GT(speed_up(program, 2, 0), predicted) << "nothing else makes it slower";
}

TEST(HotLocks, OfMoreCpusAreTakenByOneAfterTheOther) {
    auto const program = takers(8, {read, done, 7, 8});
    EXPECT_LT(speed_up(program, 4, 130), 0.6);
    EXPECT_LT(speed_up(program, 8, 130), 0.6);
}

TEST(HotLocks, CostNothingOnOneCpuOrWhereNobodyElseWantsThem) {
    auto const hot = takers(2, {read, done, 7, 8});
    EXPECT_EQ(completion_ns(hot, with_hand_over(1, 130)), completion_ns(hot, with_hand_over(1, 0)));
    auto const rare = takers(2, {read, done, 500, 20'000});
    EXPECT_NEAR(completion_ns(rare, with_hand_over(2, 130)) / completion_ns(rare, with_hand_over(2, 0)), 1,
                0.003);
}

TEST(LockLines, StayForHalfAHandOverAndTakeOne) {
    ObjectId const lock(0);
    LockLines lines(1, 3, 100);
    EXPECT_EQ(lines.wait_ns(lock, 0, 0), 0) << "nobody had it";
    EXPECT_EQ(lines.wait_ns(lock, 1, 10), 100);
    EXPECT_EQ(lines.wait_ns(lock, 0, 59), 0) << "it leaves at 60";
    EXPECT_EQ(lines.wait_ns(lock, 2, 60), 150) << "it arrives at 110, and stays until 160";
    EXPECT_EQ(lines.wait_ns(lock, 1, 150), 0);
    EXPECT_EQ(lines.wait_ns(lock, 2, 300), 0);
    EXPECT_EQ(lines.wait_ns(lock, 0, 1'101), 0) << "nobody used it for eight hand-overs";
    EXPECT_FALSE(LockLines(1, 1, 100).cost_something());
    EXPECT_FALSE(LockLines(1, 2, 0).cost_something());
}

}  // namespace
}  // namespace parcast::simulate
