#include "extract/lost_unlocks.h"

#include <gtest/gtest.h>

#include "support/recording_builder.h"

namespace parcast::extract {
namespace {

struct LockCall {
    std::size_t thread;
    EventKind kind;
    std::int64_t at;
    std::int64_t span = 0;
};

struct Case {
    ObjectKind object;
    std::vector<LockCall> calls;
    std::vector<std::int64_t> unlocks_of_thread_0;  // when, afterwards
    char const* because;
};

class LostUnlocks : public testing::TestWithParam<Case> {};

// Threads 0 and 1 and one lock; both threads end at 100.
TEST_P(LostUnlocks, ArePutInBeforeAnotherThreadTakesTheLock) {
    Recording recording(2);
    recording.object(GetParam().object);
    auto const condition = recording.object(ObjectKind::condition);
    recording.begin(0, 0).create(0, 1, 1).begin(1, 1);
    for (auto const& [thread, kind, at, span] : GetParam().calls) {
        bool const is_wait = kind == EventKind::condition_wait;
        recording.add(thread, {.kind = kind,
                               .at = at,
                               .span = span,
                               .object = is_wait ? condition : 0,
                               .related = is_wait ? 0 : 0xffffffff});
    }
    recording.end(0, 100).end(1, 100);
    auto& timeline = recording.timeline();
    auto const before = timeline.events[0].size();
    auto const restored = restore_lost_unlocks(timeline);
    EXPECT_EQ(timeline.events[0].size(), before + static_cast<std::size_t>(restored)) << GetParam().because;
    EXPECT_TRUE(check(timeline)) << GetParam().because;
    std::vector<std::int64_t> unlocks;
    for (Event const event : timeline.events[0])
        if (releases_lock(event.kind))
            unlocks.push_back(event.wall_ns);
    EXPECT_EQ(unlocks, GetParam().unlocks_of_thread_0) << GetParam().because;
}

using enum EventKind;

INSTANTIATE_TEST_SUITE_P(
    Rules, LostUnlocks,
    testing::Values(
        Case{ObjectKind::mutex,
             {{0, lock, 10}, {0, yield, 20}, {1, lock, 30}, {1, unlock, 40}, {0, lock, 50}, {0, unlock, 60}},
             {20, 60},
             "after the last call before the other thread has it"},
        Case{ObjectKind::mutex,
             {{0, lock, 10}, {0, sleep, 20, 30}, {1, lock, 30}, {1, unlock, 40}},
             {10},
             "it has the lock while the first one sleeps, so before that"},
        Case{ObjectKind::mutex,
             {{0, lock, 10}, {1, lock, 20, 20}, {0, unlock, 30}, {1, unlock, 45}, {0, lock, 50}},
             {30},
             "a lock that is kept to the end and that nobody else takes"},
        Case{ObjectKind::mutex,
             {{0, lock, 10}, {0, condition_wait, 20, 30}, {1, lock, 30}, {1, unlock, 40}},
             {},
             "a wait for a condition gives the mutex up, and takes it back"},
        Case{ObjectKind::mutex,
             {{0, lock, 10}, {1, unlock, 20}, {1, lock, 30}, {1, unlock, 40}},
             {},
             "a mutex that another thread unlocks is a binary semaphore"},
        Case{ObjectKind::reader_writer_lock,
             {{0, read_lock, 10}, {1, read_lock, 20}, {1, read_write_unlock, 30}},
             {},
             "readers share it"},
        Case{ObjectKind::reader_writer_lock,
             {{0, read_lock, 10}, {1, write_lock, 20}, {1, read_write_unlock, 30}},
             {10},
             "a writer does not"},
        Case{ObjectKind::mutex,
             {{0, lock, 10}, {0, lock, 15}, {1, lock, 20}, {1, unlock, 30}, {0, lock, 40}, {0, unlock, 50}},
             {15, 15, 50},
             "nested twice"}));

TEST(LostUnlocks, OfThreadsThatHaveEndedAreLeftToTheirEnd) {
    Recording recording(2);
    recording.object(ObjectKind::mutex);
    recording.begin(0, 0).create(0, 1, 1).begin(1, 1);
    recording.add(1, {.kind = lock, .at = 10, .object = 0}).end(1, 20);
    recording.add(0, {.kind = lock, .at = 30, .object = 0}).end(0, 40);
    EXPECT_EQ(restore_lost_unlocks(recording.timeline()), 0);
}

}  // namespace
}  // namespace parcast::extract
