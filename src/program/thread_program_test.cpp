#include "program/thread_program.h"

#include "program/checked_program.h"
#include "support/edited_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

namespace parcast {
namespace {

// Two threads and one object; the first creates the second.
ThreadProgram valid_program() {
    ThreadProgram program;
    program.catalogue.threads.resize(2);
    program.catalogue.objects.resize(1);
    program.parameters.resize(2);
    program.objects.resize(1);
    program.barriers.push_back({.participants = 2, .condition = ObjectId(0), .mutex = ObjectId::none()});
    program.lists = {{make_operation(OperationKind::create, 5, 1), make_operation(OperationKind::lock, 7, 0),
                      make_operation(OperationKind::end, 11)},
                     {make_operation(OperationKind::end, 13)}};
    return program;
}

TEST(Operation, KeepsItsKindAndItsSite) {
    auto const operation = make_operation(OperationKind::accept, 1'000'000'007, 3, -1, SiteId(0xfffffe));
    EXPECT_EQ(operation.kind(), OperationKind::accept);
    EXPECT_EQ(operation.site(), SiteId(0xfffffe));
    EXPECT_EQ(operation.work_ns, 1'000'000'007);
    EXPECT_EQ(operation.object, 3U);
    EXPECT_EQ(operation.value, -1);
}

TEST(Operation, ASiteBeyondTwentyFourBitsIsNoSite) {
    EXPECT_TRUE(make_operation(OperationKind::lock, 0, 0, 0, SiteId(0xffffff)).site().is_none());
    EXPECT_TRUE(make_operation(OperationKind::lock, 0, 0, 0, SiteId(0x1000000)).site().is_none());
    EXPECT_EQ(make_operation(OperationKind::lock, 0, 0, 0, SiteId(0x1000000)).kind(), OperationKind::lock);
}

TEST(Operation, EveryKindHasANameOfItsOwn) {
    std::set<std::string> names;
    for (std::size_t kind = 0; kind < operation_kind_count; ++kind)
        names.insert(name_of(static_cast<OperationKind>(kind)));
    EXPECT_EQ(names.size(), operation_kind_count);
}

TEST(Priority, SurvivesItsEncoding) {
    for (int nice = -20; nice <= 19; ++nice) {
        Priority const priority{SchedulingClass::fair, nice};
        EXPECT_EQ(decode_priority(encode_priority(priority)), priority);
    }
    for (int level = 1; level <= 99; ++level) {
        Priority const priority{SchedulingClass::real_time, level};
        EXPECT_EQ(decode_priority(encode_priority(priority)), priority);
    }
}

TEST(ThreadProgram, CountsItsWorkAndItsOperations) {
    EXPECT_EQ(work_ns(valid_program()), 5 + 7 + 11 + 13);
    EXPECT_EQ(operation_count(valid_program()), 4);
    EXPECT_TRUE(check(valid_program()).has_value());
}

struct Violation {
    char const* name;
    void (*commit)(ThreadProgram&);
    char const* message;
};

class InvalidProgram : public testing::TestWithParam<Violation> {};

TEST_P(InvalidProgram, IsRefusedWithItsPlace) {
    auto program = valid_program();
    GetParam().commit(program);
    auto const checked = check(program);
    ASSERT_FALSE(checked.has_value());
    EXPECT_EQ(checked.error().code, ErrorCode::inconsistent);
    EXPECT_THAT(checked.error().message, testing::HasSubstr(GetParam().message));
}

void replace_lock(ThreadProgram& program, Operation operation) {
    program.lists[0].set(1, operation);
}

INSTANTIATE_TEST_SUITE_P(
    Invariants, InvalidProgram,
    testing::Values(
        Violation{"NoThread", [](ThreadProgram& p) { p = {}; }, "no thread"},
        Violation{"TooFewLists", [](ThreadProgram& p) { p.lists.pop_back(); }, "number of lists"},
        Violation{"TooFewObjects", [](ThreadProgram& p) { p.objects.clear(); }, "one per object"},
        Violation{"EmptyList", [](ThreadProgram& p) { p.lists[1] = {}; }, "thread 1 does not end"},
        Violation{"NoEnd", [](ThreadProgram& p) { edit(p.lists[0], [](auto& list) { list.pop_back(); }); },
                  "thread 0 does not end"},
        Violation{"TwoEnds", [](ThreadProgram& p) { replace_lock(p, make_operation(OperationKind::end, 0)); },
                  "thread 0, operation 1: ends before"},
        Violation{"UnknownKind",
                  [](ThreadProgram& p) {
                      replace_lock(p, make_operation(static_cast<OperationKind>(operation_kind_count), 0));
                  },
                  "kind is unknown"},
        Violation{"NegativeWork", [](ThreadProgram& p) { p.lists[0].set_work(1, -1); }, "work is negative"},
        Violation{"NegativeSleep",
                  [](ThreadProgram& p) { replace_lock(p, make_operation(OperationKind::delay, 0, ~0U, -1)); },
                  "waiting time is negative"},
        Violation{"UnknownObject",
                  [](ThreadProgram& p) { edit_at(p.lists[0], 1, [](auto& each) { each.object = 1; }); },
                  "object is out of range"},
        Violation{"UnknownThread",
                  [](ThreadProgram& p) { replace_lock(p, make_operation(OperationKind::join, 0, 2)); },
                  "thread is out of range"},
        Violation{"CreatedTwice",
                  [](ThreadProgram& p) { replace_lock(p, make_operation(OperationKind::create, 0, 1)); },
                  "second time"},
        Violation{"CreatesTheInitialThread",
                  [](ThreadProgram& p) { replace_lock(p, make_operation(OperationKind::create, 0, 0)); },
                  "exists from the start"},
        Violation{
            "UnknownMutex",
            [](ThreadProgram& p) { replace_lock(p, make_operation(OperationKind::condition_wait, 0, 0, 1)); },
            "mutex is out of range"},
        Violation{"TokensFromNowhere",
                  [](ThreadProgram& p) {
                      replace_lock(p, make_operation(OperationKind::condition_signal, 0, 0,
                                                     encode(TokenGrant{1'000'000'000, 0})));
                  },
                  "more tokens than there are operations"},
        Violation{"ATokenThatNobodyHandsOut",
                  [](ThreadProgram& p) {
                      replace_lock(p, make_operation(OperationKind::condition_wait, 0, 0,
                                                     encode(TokenWait{ObjectId::none(), 1'000'000'000})));
                  },
                  "token beyond the number of operations"},
        Violation{"UnknownBarrier",
                  [](ThreadProgram& p) {
                      replace_lock(p, make_operation(OperationKind::condition_barrier, 0, ~0U, 1));
                  },
                  "condition barrier is out of range"},
        Violation{
            "BarrierOfNobody",
            [](ThreadProgram& p) { replace_lock(p, make_operation(OperationKind::barrier_wait, 0, 0, 0)); },
            "at least one participant"},
        Violation{"NegativePost",
                  [](ThreadProgram& p) {
                      replace_lock(p, make_operation(OperationKind::semaphore_post, 0, 0, -1));
                  },
                  "negative number"},
        Violation{"UnknownPriority",
                  [](ThreadProgram& p) {
                      replace_lock(p, make_operation(OperationKind::set_priority, 0, ~0U, 20));
                  },
                  "nice -20..19"},
        Violation{"NegativeTokens", [](ThreadProgram& p) { p.objects[0].initial_count = -1; },
                  "negative initial count"}),
    [](auto const& row) { return std::string(row.param.name); });

// 5 + 7 + 11 + 13 ns of work are in the valid program.
TEST(Check, AcceptsTheMostWorkAndNotANanosecondMore) {
    auto program = valid_program();
    program.lists[1].set_work(program.lists[1].size() - 1, most_work_ns - 23);
    auto const most = CheckedProgram::of(program);
    ASSERT_TRUE(most.has_value());
    EXPECT_EQ(most->work().ns, most_work_ns);
    program.lists[0].set_work(program.lists[0].size() - 1, program.lists[0].back().work_ns + 1);
    auto const more = check(program);
    ASSERT_FALSE(more.has_value());
    EXPECT_EQ(more.error().code, ErrorCode::out_of_range);
    EXPECT_THAT(more.error().message, testing::HasSubstr("too large"));
}

TEST(Check, RefusesWorkWhoseSumIsBeyondAnyInteger) {
    auto program = valid_program();
    program.lists[0].set_work(1, std::numeric_limits<std::int64_t>::max());
    EXPECT_FALSE(check(program).has_value());
}

TEST(Check, AcceptsTheMostWaitingAndNotANanosecondMore) {
    auto program = valid_program();
    replace_lock(program, make_operation(OperationKind::delay, 0, ~0U, most_waiting_ns));
    auto const most = CheckedProgram::of(program);
    ASSERT_TRUE(most.has_value());
    EXPECT_EQ(most->waiting().ns, most_waiting_ns);
    replace_lock(program, make_operation(OperationKind::delay, 0, ~0U, most_waiting_ns + 1));
    EXPECT_FALSE(check(program).has_value());
}

}  // namespace
}  // namespace parcast
