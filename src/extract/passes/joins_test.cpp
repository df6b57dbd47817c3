#include "extract/passes/passes.h"

#include <gtest/gtest.h>

#include "support/operation_rows.h"

namespace parcast::extract {
namespace {

using enum OperationKind;

// Thread 0 holds a mutex while it joins thread 1, which took `used_by_joined` before.
Rows joiner_of(ObjectKind kind, bool joined_uses_it) {
    Recording recording(2);
    auto const lock_object = recording.object(kind);
    auto const other = recording.object(kind);
    auto const used_by_joined = joined_uses_it ? lock_object : other;
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(0, {.kind = EventKind::lock, .at = 40, .object = lock_object});
    recording.add(0, {.kind = EventKind::thread_join, .at = 41, .related = 1});
    recording.add(0, {.kind = EventKind::unlock, .at = 42, .object = lock_object}).end(0, 50);
    recording.begin(1, 20).add(1, {.kind = EventKind::lock, .at = 21, .object = used_by_joined});
    recording.add(1, {.kind = EventKind::unlock, .at = 22, .object = used_by_joined}).end(1, 30);
    return rows(extracted(recording), 0);
}

TEST(JoinUnderALock, ThatTheJoinedThreadUsesJoinsAnyThreadAndLetsGoOfTheLockMeanwhile) {
    EXPECT_EQ(joiner_of(ObjectKind::mutex, true), (Rows{{create, 10, 1},
                                                        {lock, 0, 0},
                                                        {unlock, 0, 0},
                                                        {join_any, 0, 1},
                                                        {lock, 0, 0},
                                                        {unlock, 0, 0},
                                                        {end}}));
}

TEST(JoinUnderALock, ThatTheJoinedThreadNeverTakesIsPlain) {
    EXPECT_EQ(joiner_of(ObjectKind::mutex, false),
              (Rows{{create, 10, 1}, {lock, 0, 0}, {join, 0, 1}, {unlock, 0, 0}, {end}}));
}

}  // namespace
}  // namespace parcast::extract
