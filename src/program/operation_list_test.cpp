#include "program/operation_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace parcast {
namespace {

using enum OperationKind;

constexpr auto least = std::numeric_limits<std::int64_t>::min();
constexpr auto most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t numbers[] = {0, 1, 0xffffffff, 0x1'0000'0000, 0x7'0000'0001, -1, least, most};

static_assert(std::random_access_iterator<OperationList::Iterator>);

Operation some_operation(std::int64_t work_ns, std::int64_t value) {
    return make_operation(semaphore_wait, work_ns, 7, value, SiteId(0xabcdef));
}

TEST(OperationList, KeepsAllNumbersOfAnOperation) {
    OperationList list;
    for (auto const work_ns : numbers)
        for (auto const value : numbers)
            list.push_back(some_operation(work_ns, value));
    std::size_t i = 0;
    for (auto const work_ns : numbers)
        for (auto const value : numbers) {
            EXPECT_EQ(list[i], some_operation(work_ns, value)) << work_ns << " and " << value;
            ++i;
        }
}

TEST(OperationList, AnOperationBecomesAnyOther) {
    for (auto const first : numbers)
        for (auto const second : numbers) {
            OperationList list = {make_operation(lock, 1, 2), some_operation(first, second),
                                  some_operation(3, 4)};
            list.set(1, some_operation(second, first));
            EXPECT_EQ(list[1], some_operation(second, first)) << first << " and " << second;
            list.set_work(1, first);
            EXPECT_EQ(list[1], some_operation(first, first)) << first << " and " << second;
            list.set(1, make_operation(work_only, 5));
            EXPECT_EQ(list, (OperationList{make_operation(lock, 1, 2), make_operation(work_only, 5),
                                           some_operation(3, 4)}));
        }
}

TEST(OperationList, EveryKindStaysWhatItIsBesideLongNumbers) {
    for (auto const& row : operation_kinds) {
        OperationList const list = {make_operation(row.kind, most, 1, most)};
        EXPECT_EQ(list[0].kind(), row.kind);
    }
}

// Bytes of a program from anywhere: check() refuses it.
TEST(OperationList, AKindThatThereIsNotStaysOne) {
    for (auto const kind : {operation_kinds.size(), std::size_t{32}, std::size_t{64}, std::size_t{255}}) {
        Operation unknown;
        unknown.site_and_kind = static_cast<std::uint32_t>(kind) << 24 | 5;
        OperationList const list = {unknown};
        EXPECT_GE(list[0].site_and_kind >> 24, operation_kinds.size());
        EXPECT_EQ(list[0].site(), SiteId(5));
        EXPECT_EQ(list[0].work_ns, 0);
    }
}

TEST(OperationList, IsEqualByWhatItsOperationsAre) {
    OperationList changed = {some_operation(1, 2), some_operation(3, 4)};
    changed.set(0, make_operation(lock, 1, 2));
    changed.set(0, some_operation(1, 2));
    EXPECT_EQ(changed, (OperationList{some_operation(1, 2), some_operation(3, 4)}));
    EXPECT_NE(changed, (OperationList{some_operation(1, 2)}));
    EXPECT_NE(changed, (OperationList{some_operation(1, 2), some_operation(3, 5)}));
}

TEST(OperationList, GoesThroughTheAlgorithms) {
    OperationList list;
    for (std::int64_t i = 0; i < 10; ++i)
        list.push_back(make_operation(i % 2 == 0 ? lock : unlock, i, 0));
    EXPECT_EQ(std::ranges::count(list, lock, &Operation::kind), 5);
    EXPECT_EQ(std::ranges::find(list, 7, &Operation::work_ns) - list.begin(), 7);
    auto const sum = [](std::int64_t so_far, Operation const& each) { return so_far + each.work_ns; };
    EXPECT_EQ(std::accumulate(list.begin(), list.end(), std::int64_t{0}, sum), 45);
    EXPECT_EQ(list.end()[-1].work_ns, 9);
    OperationList part;
    part.append(list, 3, 5);
    EXPECT_EQ(part, (OperationList{make_operation(unlock, 3, 0), make_operation(lock, 4, 0)}));
    EXPECT_EQ(list.front().work_ns + list.back().work_ns, 9);
    EXPECT_EQ(list.begin()->kind(), lock);
}

}  // namespace
}  // namespace parcast
