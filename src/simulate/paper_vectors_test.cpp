// Printed results of Broberg 2002, papers II, IV, VI and VIII.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "program/thread_program.h"
#include "simulate/simulate.h"
#include "support/conserves_time.h"
#include "support/program_builder.h"

namespace parcast::simulate {
namespace {

constexpr std::int64_t unit = ProgramBuilder::default_unit_ns;

Run must_run(ThreadProgram const& program, Machine const& machine) {
    auto result = run(program, machine, {.with_timeline = true});
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    EXPECT_TRUE(conserves_time(result->accounts));
    return *result;
}

// Bound threads of fixed priority, zero costs, and locks that are handed on: the model of the papers.
Machine papers_machine(std::uint32_t cpus) {
    auto machine = linux_machine(cpus);
    machine.costs = {};
    machine.lock_policy = LockPolicy::hand_off;
    return machine;
}

// Paper VI, Figure 4: functions a1 b4 c1 d2 e1 f3 g1 h1 i1.
ThreadProgram figure_4() {
    ProgramBuilder program(3);
    auto const x = program.object(ObjectKind::semaphore);
    auto const y = program.object(ObjectKind::semaphore);
    auto const z = program.object(ObjectKind::semaphore);
    program.thread(0).work(1).post(x).work(4).post(z).work(1).wait(x).work(1 + 1);
    program.thread(1).wait(x).work(1).post(y).work(1).wait(y).work(2);
    program.thread(2).wait(y).work(2).wait(z).work(1 + 1).post(x).work(1).post(y).work(3);
    return program.finish_with_all_created();
}

ThreadProgram figure_7() {
    ProgramBuilder program(4);
    auto const x = program.object(ObjectKind::semaphore);
    auto const y = program.object(ObjectKind::semaphore);
    program.thread(0).wait(x).work(2);
    program.thread(1).work(2).post(x).work(4);
    program.thread(2).work(3).post(y).work(2);
    program.thread(3).wait(y).work(2);
    return program.finish_with_all_created();
}

ThreadProgram figure_8() {
    ProgramBuilder program(4);
    auto const x = program.object(ObjectKind::semaphore);
    program.thread(0).wait(x).work(3);
    program.thread(1).work(2).post(x).work(2);
    program.thread(2).work(3);
    program.thread(3).work(6);
    return program.finish_with_all_created();
}

ThreadProgram figure_1() {
    ProgramBuilder program(3);
    auto const x = program.object(ObjectKind::semaphore);
    auto const y = program.object(ObjectKind::semaphore);
    program.thread(0).work(1).post(x).post(y).work(1);
    program.thread(1).wait(x).work(1 + 1);
    program.thread(2).wait(y).work(1 + 1 + 1);
    return program.finish_with_all_created();
}

// 12 units beside five bursts of 1 unit. The sleeps are chosen such that on one processor the bursts
// finish while the long thread still works, which is all that the printed 17 and 12 need.
ThreadProgram figure_20() {
    ProgramBuilder program(2);
    program.thread(0).work(12);
    program.thread(1).work(1).sleep(1).work(1).sleep(1).work(1).sleep(1).work(1).sleep(1).work(1);
    return program.finish_with_all_created();
}

struct SharingCase {
    char const* name;
    ThreadProgram (*program)();
    std::uint32_t cpus;
    std::int64_t numerator;  // completion in units
    std::int64_t denominator;
};

class ProcessorSharing : public testing::TestWithParam<SharingCase> {};

TEST_P(ProcessorSharing, CompletesAsPaperVIPrints) {
    auto const& expected = GetParam();
    auto const run = must_run(expected.program(), ideal_machine(expected.cpus));
    EXPECT_FALSE(run.deadlock);
    EXPECT_EQ(run.accounts.completion.ns, expected.numerator * unit / expected.denominator);
}

INSTANTIATE_TEST_SUITE_P(
    PaperVI, ProcessorSharing,
    testing::Values(
        SharingCase{"Figure4On3", figure_4, 3, 11, 1}, SharingCase{"Figure4On2", figure_4, 2, 12, 1},
        SharingCase{"Figure4On1", figure_4, 1, 20, 1}, SharingCase{"Figure7On1", figure_7, 1, 15, 1},
        SharingCase{"Figure7On2", figure_7, 2, 8, 1}, SharingCase{"Figure7On3", figure_7, 3, 19, 3},
        SharingCase{"Figure7On4", figure_7, 4, 6, 1}, SharingCase{"Figure8On1", figure_8, 1, 16, 1},
        SharingCase{"Figure8On2", figure_8, 2, 17, 2}, SharingCase{"Figure8On3", figure_8, 3, 19, 3},
        SharingCase{"Figure8On4", figure_8, 4, 6, 1}, SharingCase{"Figure1On1", figure_1, 1, 7, 1},
        SharingCase{"Figure1On2", figure_1, 2, 9, 2}, SharingCase{"Figure1On3", figure_1, 3, 4, 1},
        SharingCase{"Figure20On1", figure_20, 1, 17, 1}, SharingCase{"Figure20On2", figure_20, 2, 12, 1}),
    [](auto const& row) { return std::string(row.param.name); });

// Paper II, Figures 5 and 6: the second processor takes the created thread.
TEST(PaperII, ACreatedThreadRunsBesideItsCreator) {
    ProgramBuilder program(2);
    program.thread(0).work(10).create(1).work(15).join(1).work(10);
    program.thread(1).work(20);
    auto const run = must_run(program.finish(), ideal_machine(2));
    EXPECT_EQ(run.accounts.threads[1].ended.ns, 30 * unit);
    EXPECT_EQ(run.accounts.completion.ns, 40 * unit);
}

TEST(PaperII, TheProcessorPartOfAWriteComesBeforeItsWaitingPart) {
    ProgramBuilder program(2);
    auto const file = program.object(ObjectKind::descriptor);
    program.thread(0).work(10).create(1).work(10).add(OperationKind::input_output, file.value, 5 * unit);
    program.thread(0).join(1).work(10);
    program.thread(1).work(20);
    auto const run = must_run(program.finish(), ideal_machine(2));
    EXPECT_EQ(run.accounts.threads[1].ended.ns, 30 * unit);
    EXPECT_EQ(run.accounts.threads[0][ThreadState::input_output].ns, 5 * unit);
    EXPECT_EQ(run.accounts.completion.ns, 40 * unit);
}

// Paper VIII, programs P, Q and R, replayed by the Direct model.
TEST(PaperVIII, PTakes10OnTwoProcessors) {
    ProgramBuilder program(4);
    program.thread(0).bind(40, 0).create(1).work(1).create(2).work(2).accept().work(1).create(3).work(1);
    program.thread(0).accept().work(2);
    program.thread(1).bind(30, 0).work(2).activate(0).work(1);
    program.thread(2).bind(20, 1).work(2).activate(0).work(3);
    program.thread(3).bind(10, 1).work(3);
    auto const run = must_run(program.finish(), papers_machine(2));
    EXPECT_FALSE(run.deadlock);
    EXPECT_EQ(run.accounts.completion.ns, 10 * unit);
}

void expect_stuck(Run const& run, std::int64_t when, std::vector<Awaited> const& awaited) {
    ASSERT_TRUE(run.deadlock);
    EXPECT_EQ(run.deadlock->when.ns, when * unit);
    std::vector<Awaited> found;
    for (auto const& stuck : run.deadlock->threads)
        found.push_back(stuck.awaited);
    EXPECT_EQ(found, awaited);
}

TEST(PaperVIII, QDeadlocksAt7) {
    ProgramBuilder program(3);
    // Recorded on one processor: P1 answers whom it then served, P2 first and P3 second.
    program.thread(0).bind(30, 0).create(1).work(1).create(2).work(1);
    program.thread(0).accept().work(2).activate(1).work(1).accept().work(2).activate(2).work(1);
    program.thread(1).bind(20, 1).work(7).activate(0).work(1).accept().work(1);
    program.thread(2).bind(10, 2).work(2).activate(0).work(1).accept().work(1);
    auto const run = must_run(program.finish(), papers_machine(3));
    expect_stuck(run, 7, {Awaited::thread, Awaited::thread, Awaited::any_thread});
    EXPECT_EQ(run.deadlock->threads[0].awaited_thread, ThreadId(1));
    EXPECT_EQ(run.deadlock->threads[1].awaited_thread, ThreadId(0));
}

TEST(PaperVIII, RDeadlocksAt12) {
    ProgramBuilder program(4);
    program.thread(0).bind(40, 0).create(1).work(1).create(2).work(1).create(3).work(1);
    program.thread(0).accept().work(2).accept().work(2).activate(1).work(1).activate(2).work(1);
    program.thread(0).accept().work(2).activate(3).work(1);
    program.thread(1).bind(30, 1).work(12).activate(0).work(1).accept().work(1);
    program.thread(2).bind(20, 2).work(7).activate(0).work(1).accept().work(1);
    program.thread(3).bind(10, 3).work(2).activate(0).work(1).accept().work(1);
    auto const run = must_run(program.finish(), papers_machine(4));
    expect_stuck(run, 12, {Awaited::thread, Awaited::thread, Awaited::any_thread, Awaited::any_thread});
}

// Paper IV, Figure 2: T1: 3, lock M, 1, unlock, 9 - T2: 4 - T3: 2, lock M, 4, unlock.
struct AllocationCase {
    char const* name;
    std::array<unsigned, 3> processor;
    std::int64_t completion;
};

class Allocation : public testing::TestWithParam<AllocationCase> {};

TEST_P(Allocation, CompletesAsPaperIVPrints) {
    auto const& [name, processor, completion] = GetParam();
    ProgramBuilder program(3);
    auto const m = program.object(ObjectKind::mutex);
    program.thread(0).bind(1, processor[0]).work(3).lock(m).work(1).unlock(m).work(9);
    program.thread(1).bind(1, processor[1]).work(4);
    program.thread(2).bind(1, processor[2]).work(2).lock(m).work(4).unlock(m);
    auto const run = must_run(program.finish_with_all_created(), papers_machine(3));
    EXPECT_EQ(run.accounts.completion.ns, completion * unit);
}

INSTANTIATE_TEST_SUITE_P(PaperIVFigure2, Allocation,
                         testing::Values(AllocationCase{"OneEach", {0, 1, 2}, 16},
                                         AllocationCase{"FirstAlone", {0, 1, 1}, 13},
                                         AllocationCase{"ThirdAlone", {0, 0, 1}, 17},
                                         AllocationCase{"SecondAlone", {0, 1, 0}, 19}),
                         [](auto const& row) { return std::string(row.param.name); });

// Paper IV, section 4: T1 l+3e, T2 l, T3 l+e, T4 l+2e with l = 1000, e = 1; T3 and T4 wait for T1 and T2.
std::int64_t four_threads(std::array<unsigned, 4> processor) {
    ProgramBuilder program(4, 1);
    auto const first = program.object(ObjectKind::semaphore);
    auto const second = program.object(ObjectKind::semaphore);
    program.thread(0).bind(1, processor[0]).work(1003).post(first, 2);
    program.thread(1).bind(1, processor[1]).work(1000).post(second, 2);
    program.thread(2).bind(1, processor[2]).wait(first).wait(second).work(1001);
    program.thread(3).bind(1, processor[3]).wait(first).wait(second).work(1002);
    return must_run(program.finish_with_all_created(), papers_machine(2)).accounts.completion.ns;
}

TEST(PaperIV, BinPackingIsTheWorstAllocation) {
    EXPECT_EQ(four_threads({0, 0, 1, 1}), 4006);
}
TEST(PaperIV, TheSimulationBasedAllocationIsTheBest) {
    EXPECT_EQ(four_threads({0, 1, 1, 0}), 2005);
}

}  // namespace
}  // namespace parcast::simulate
