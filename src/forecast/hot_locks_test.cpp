#include "forecast/hot_locks.h"

#include <gtest/gtest.h>

#include <array>

namespace parcast::forecast {
namespace {

RecordingBasis one_of(ObjectKind kind) {
    RecordingBasis basis;
    auto& object = basis.catalogue.objects.emplace_back();
    object.kind = kind;
    object.name = "table_lock";
    return basis;
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
    std::array cool{waiting_for_lines(150'000)};
    cool[0].run.accounts.busy = {2'000'000};
    cool[0].run.accounts.objects[0].operations = 1'000;
    std::array const hot{waiting_for_lines(900'000)};
    auto spinning = linux_machine(1);
    spinning.waiting.lock_spin = {5'000};
    EXPECT_FALSE(hot_locks(cool, one_of(ObjectKind::mutex), linux_machine(1)));
    EXPECT_FALSE(hot_locks(hot, one_of(ObjectKind::barrier), linux_machine(1)));
    EXPECT_FALSE(hot_locks(hot, one_of(ObjectKind::mutex), spinning));
    EXPECT_FALSE(hot_locks(hot, one_of(ObjectKind::mutex), ideal_machine(1)));
}

// gecode takes a lock of all threads every 700 ns: predicted 1.80 times as fast on two CPUs, measured 0.81.
TEST(HotLocks, AreWarnedOfWhereTheirLinesMayGoToAndFroThoughAReplayHardlySeesIt) {
    std::array often{waiting_for_lines(1'000)};
    often[0].run.accounts.busy = {2'000'000};
    often[0].run.accounts.objects[0].operations = 4'000;
    auto const found = hot_locks(often, one_of(ObjectKind::mutex), linux_machine(1));
    ASSERT_TRUE(found.has_value());
    for (char const* part : {"table_lock", "every 500 ns", "may be slower"})
        EXPECT_NE(found->message.find(part), std::string::npos) << found->message;
    often[0].run.accounts.objects[0].spinning = {};
    EXPECT_FALSE(hot_locks(often, one_of(ObjectKind::mutex), linux_machine(1))) << "nobody else takes it";
}

// Two CPUs, 1 ms, all of it busy; so many calls on what hands work over.
Row handing_over(std::int64_t operations) {
    auto row = waiting_for_lines(0);
    row.run.accounts.busy = {2'000'000};
    row.run.accounts.objects[0].operations = operations;
    return row;
}

// A pool of tasks that do next to nothing was predicted 1.5 times as fast on two CPUs, and takes four times
// as long.
TEST(SmallPieces, AreWarnedOfAndNothingIsConcluded) {
    std::array const rows{handing_over(1'000)};
    auto const found = hot_locks(rows, one_of(ObjectKind::condition), linux_machine(1));
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(found->makes_worthless);
    for (char const* part : {"table_lock", "2.00 µs", "10.0 µs", "Hand over more work at a time"})
        EXPECT_NE(found->message.find(part), std::string::npos) << found->message;
    // Every call takes a wake-up: 1 ms and 1,000 times 10 us.
    EXPECT_DOUBLE_EQ(most_lengthened_by_wake_ups(rows[0], one_of(ObjectKind::condition), linux_machine(1)),
                     11);
}

// Pieces of 62.7 us were called smaller than a wake-up of 72.1 us, which only a CPU needs that has been idle
// for 200 us: the replay wakes those of that program in a few microseconds.
TEST(SmallPieces, AreComparedWithTheWakeUpOfACpuThatHasBeenIdleForAsLong) {
    std::array rows{handing_over(1'000)};
    rows[0].run.accounts.busy = {62'700'000};
    rows[0].run.accounts.completion = {32'000'000};
    auto machine = linux_machine(1);
    machine.costs.wake_up = {72'100};
    auto const condition = one_of(ObjectKind::condition);
    auto const unknown = hot_locks(rows, condition, machine);
    ASSERT_TRUE(unknown.has_value());
    EXPECT_NE(unknown->message.find("72.1 µs"), std::string::npos) << unknown->message;
    machine.costs.wake_up_soon = {5'000};  // 20.9 us after 62.7
    EXPECT_FALSE(hot_locks(rows, condition, machine));
    EXPECT_DOUBLE_EQ(most_lengthened_by_wake_ups(rows[0], condition, machine), 1);
    rows[0].run.accounts.busy = {2'000'000};
    auto const small = hot_locks(rows, condition, machine);
    ASSERT_TRUE(small.has_value());
    for (char const* part : {"2.00 µs", "5.00 µs"})
        EXPECT_NE(small->message.find(part), std::string::npos) << small->message;
    EXPECT_DOUBLE_EQ(most_lengthened_by_wake_ups(rows[0], condition, machine), 1 + 5.0 / 32);
}

// 8,000 to 26,000 of its 100,000 signals found somebody waiting, as the time slices fell.
TEST(SmallPieces, AreAlsoThoseWhoseSignalsFoundNobodyInTheRecording) {
    std::array const rows{handing_over(99)};
    auto pool = one_of(ObjectKind::condition);
    pool.hand_overs = {{ObjectId(0), 1'000}};
    auto const found = hot_locks(rows, pool, linux_machine(1));
    ASSERT_TRUE(found.has_value());
    EXPECT_NE(found->message.find("2.00 µs"), std::string::npos) << found->message;
}

TEST(SmallPieces, AreLookedForInCallsOnConditionsForWhichSomebodyWaited) {
    Catalogue catalogue;
    for (auto const kind :
         {ObjectKind::mutex, ObjectKind::condition, ObjectKind::condition, ObjectKind::condition})
        catalogue.objects.emplace_back().kind = kind;
    std::array<ObjectProfile, 4> objects;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        objects[i].object = ObjectId(3 - i);
        objects[i].operations = 100;
        objects[i].contended = 1;
    }
    objects[0].operations = 99;
    objects[1].contended = 0;
    auto const calls = recorded_hand_overs(catalogue, objects);
    ASSERT_EQ(calls.size(), 1U) << "too few, nobody waited, a mutex";
    EXPECT_EQ(calls[0].object, ObjectId(1));
    EXPECT_EQ(calls[0].calls, 100);
}

TEST(SmallPieces, AreNoneInAReplayThatEndedEarly) {
    std::array rows{handing_over(1'000)};
    rows[0].run.deadlock.emplace();
    EXPECT_FALSE(hot_locks(rows, one_of(ObjectKind::condition), linux_machine(1)));
}

TEST(SmallPieces, AreNoneWhereAPieceTakesLongerThanAWakeUpOrFewAreHandedOver) {
    std::array const large{handing_over(150)};
    std::array const few{handing_over(99)};
    EXPECT_FALSE(hot_locks(large, one_of(ObjectKind::semaphore), linux_machine(1)));
    EXPECT_FALSE(hot_locks(few, one_of(ObjectKind::semaphore), linux_machine(1)));
    EXPECT_FALSE(hot_locks(std::array{handing_over(1'000)}, one_of(ObjectKind::barrier), linux_machine(1)));
}

}  // namespace
}  // namespace parcast::forecast
