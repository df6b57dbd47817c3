#include "forecast/hot_locks.h"

#include <gtest/gtest.h>

#include <array>

namespace parcast::forecast {
namespace {

Catalogue one_of(ObjectKind kind) {
    Catalogue catalogue;
    auto& object = catalogue.objects.emplace_back();
    object.kind = kind;
    object.name = "table_lock";
    return catalogue;
}

// Two CPUs, 1 ms; of their 2 ms so much passes while they wait for the line of the lock.
Row waiting_for_lines(std::int64_t ns) {
    Row row;
    row.cpus = 2;
    row.run.accounts.cpus = 2;
    row.run.accounts.completion = {1'000'000};
    row.run.accounts.objects.resize(1);
    row.run.accounts.objects[0].operations = 20'000;
    row.run.accounts.objects[0].spinning = {ns};
    return row;
}

TEST(HotLocks, AreWarnedOfWithTheirNameAndHowOftenTheyAreWanted) {
    std::array const rows{waiting_for_lines(900'000)};
    auto const found = hot_locks(rows, one_of(ObjectKind::mutex), linux_machine(1));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->severity, Severity::warning);
    for (char const* part : {"table_lock", "2 CPUs", "every 50 ns", "45 %", "Hold the lock less often"})
        EXPECT_NE(found->message.find(part), std::string::npos) << found->message;
}

TEST(HotLocks, AreNoneWhereCpusHardlyWaitOrSpinForAnotherReason) {
    std::array const cool{waiting_for_lines(150'000)};
    std::array const hot{waiting_for_lines(900'000)};
    auto spinning = linux_machine(1);
    spinning.waiting.lock_spin = {5'000};
    EXPECT_FALSE(hot_locks(cool, one_of(ObjectKind::mutex), linux_machine(1)));
    EXPECT_FALSE(hot_locks(hot, one_of(ObjectKind::barrier), linux_machine(1)));
    EXPECT_FALSE(hot_locks(hot, one_of(ObjectKind::mutex), spinning));
    EXPECT_FALSE(hot_locks(hot, one_of(ObjectKind::mutex), ideal_machine(1)));
}

}  // namespace
}  // namespace parcast::forecast
