#include "extract/refills.h"

#include <gtest/gtest.h>

namespace parcast::extract {
namespace {

constexpr std::int64_t ms = 1'000'000;

ThreadProgram with_work(std::vector<std::vector<std::int64_t>> const& work_ns) {
    ThreadProgram program;
    for (auto const& list : work_ns) {
        program.catalogue.threads.emplace_back();
        program.parameters.emplace_back();
        auto& operations = program.lists.emplace_back();
        for (std::int64_t const ns : list)
            operations.push_back(make_operation(OperationKind::work_only, ns));
        operations.push_back(make_operation(OperationKind::end, 0));
    }
    return program;
}

TEST(Refills, AreTakenOutOfAThreadsWorkInProportionToIt) {
    auto program = with_work({{60 * ms, 0, 20 * ms}, {100 * ms}});
    EXPECT_EQ(take_out_refills(program, {10, 20}, Duration{2 * ms}).ns, 60 * ms);
    EXPECT_EQ(program.lists[0][0].work_ns, 45 * ms);
    EXPECT_EQ(program.lists[0][1].work_ns, 0);
    EXPECT_EQ(program.lists[0][2].work_ns, 15 * ms);
    EXPECT_EQ(program.lists[1][0].work_ns, 60 * ms);
    EXPECT_EQ(program.refill.ns, 2 * ms);
}

TEST(Refills, AreTakenOutToTheNanosecondHoweverSmallTheOperations) {
    auto program = with_work({std::vector<std::int64_t>(1'000, 1'007)});
    EXPECT_EQ(take_out_refills(program, {1}, Duration{100'003}).ns, 100'003);
    EXPECT_EQ(work_ns(program), 1'007'000 - 100'003);
}

TEST(Refills, LeaveAThreadThatTookNoTurnAlone) {
    auto program = with_work({{7 * ms}, {9 * ms}});
    EXPECT_EQ(take_out_refills(program, {0, 1}, Duration{1 * ms}).ns, 1 * ms);
    EXPECT_EQ(program.lists[0][0].work_ns, 7 * ms);
}

// Turns of the replay may fall on another thread than in the recording; less than no work is none.
TEST(Refills, LeaveAThreadHalfOfItsWork) {
    auto program = with_work({{10 * ms}});
    EXPECT_EQ(take_out_refills(program, {1'000'000'000'000}, Duration{1'000 * ms}).ns, 5 * ms);
    EXPECT_EQ(program.lists[0][0].work_ns, 5 * ms);
}

TEST(Refills, ThatCostNothingChangeNothing) {
    auto program = with_work({{10 * ms}});
    EXPECT_EQ(take_out_refills(program, {5}, Duration{0}).ns, 0);
    EXPECT_EQ(program.lists[0][0].work_ns, 10 * ms);
}

}  // namespace
}  // namespace parcast::extract
