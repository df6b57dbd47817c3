#include "extract/bursts.h"

#include <gtest/gtest.h>

namespace parcast::extract {
namespace {

constexpr std::uint32_t one_lock = 3;
constexpr std::uint32_t another = 4;

void add_pairs(OperationList& list, std::uint32_t lock, int pairs, std::int64_t work_ns = 0) {
    for (int pair = 0; pair < pairs; ++pair) {
        list.push_back(make_operation(OperationKind::lock, work_ns, lock));
        list.push_back(make_operation(OperationKind::unlock, 0, lock));
    }
}

std::int64_t work_of(OperationList const& list, OperationKind kind) {
    std::int64_t work = 0;
    for (auto const& operation : list)
        work += operation.kind() == kind ? operation.work_ns : 0;
    return work;
}

// Four million read locks: the price of an event was more than what lay between them, and a thousand at a
// time took no time at all. Two CPUs then never wanted the lock at the same moment.
TEST(Bursts, OfOneLockAreSpreadEvenlyWhereTheRecordersPriceIsMoreThanTheWork) {
    OperationList list;
    add_pairs(list, one_lock, 101);
    list.set_work(0, 7'000);    // before the burst
    list.set_work(80, 3'000);   // a lock
    list.set_work(141, 1'005);  // an unlock
    spread_over_bursts(list);
    EXPECT_EQ(list[0].work_ns, 7'000);
    EXPECT_EQ(work_of(list, OperationKind::lock), 10'000);
    EXPECT_EQ(work_of(list, OperationKind::unlock), 1'005);
    for (std::size_t i = 2; i < list.size(); ++i) {
        EXPECT_GE(list[i].work_ns, i % 2 == 0 ? 30 : 9) << i;
        EXPECT_LE(list[i].work_ns, i % 2 == 0 ? 30 : 10) << i;
    }
}

TEST(Bursts, AreNoneWhereThereIsWorkBetweenOrOtherLocksOrFew) {
    OperationList worked;
    add_pairs(worked, one_lock, 100, 50);
    OperationList in_turn;
    for (int i = 0; i < 100; ++i)
        add_pairs(in_turn, i % 2 == 0 ? one_lock : another, 1);
    OperationList few;
    add_pairs(few, one_lock, 20);
    in_turn.set_work(80, 1'000);
    few.set_work(20, 1'000);
    for (auto list : {worked, in_turn, few}) {
        auto const before = list;
        spread_over_bursts(list);
        EXPECT_EQ(list, before);
    }
}

}  // namespace
}  // namespace parcast::extract
