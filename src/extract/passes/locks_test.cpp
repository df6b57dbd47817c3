#include "extract/passes/locks.h"

#include <gtest/gtest.h>

#include "program/tried_lock.h"
#include "support/operation_rows.h"

namespace parcast::extract {
namespace {

using enum OperationKind;

struct Case {
    std::vector<EventKind> calls;
    Outcome first_outcome;
    Rows operations;
    char const* because;
};

class Locks : public testing::TestWithParam<Case> {};

// Object 0, 1 ns of work before each call; the first one waits for 5 ns and asked for 7 at most.
TEST_P(Locks, BecomeOperations) {
    Recording recording(1);
    recording.object(ObjectKind::mutex);
    recording.begin(0, 0);
    std::int64_t at = 0;
    for (EventKind const kind : GetParam().calls) {
        bool const is_first = at == 0;
        at += 10;
        recording.add(0, {.kind = kind,
                          .at = at,
                          .cpu = 1,
                          .span = is_first ? 5 : 0,
                          .object = 0,
                          .value = 7,
                          .outcome = is_first ? GetParam().first_outcome : Outcome::done});
    }
    recording.end(0, at + 10);
    EXPECT_EQ(rows(extracted(recording), 0), GetParam().operations) << GetParam().because;
}

constexpr std::uint32_t none = 0xffffffff;

INSTANTIATE_TEST_SUITE_P(
    Rules, Locks,
    testing::Values(
        Case{{EventKind::lock, EventKind::unlock},
             Outcome::done,
             {{lock, 1, 0}, {unlock, 1, 0}, {end}},
             "plain"},
        Case{{EventKind::try_lock, EventKind::unlock},
             Outcome::done,
             {{lock, 1, 0, by_a_try}, {unlock, 1, 0}, {end}},
             "a try that succeeded is a lock that says so"},
        Case{{EventKind::try_lock}, Outcome::failed, {{work_only, 1}, {end}}, "a try that failed is nothing"},
        Case{{EventKind::timed_lock, EventKind::unlock},
             Outcome::done,
             {{lock, 1, 0}, {unlock, 1, 0}, {end}},
             "in time"},
        Case{{EventKind::timed_lock}, Outcome::timed_out, {{delay, 1, none, 7}, {end}}, "the time asked for"},
        Case{{EventKind::lock, EventKind::lock, EventKind::unlock, EventKind::unlock},
             Outcome::done,
             {{lock, 1, 0}, {work_only, 1}, {work_only, 1}, {unlock, 1, 0}, {end}},
             "nested locks are the outermost pair"},
        Case{{EventKind::unlock}, Outcome::done, {{work_only, 1}, {end}}, "not held"},
        Case{{EventKind::timed_read_lock, EventKind::read_write_unlock},
             Outcome::done,
             {{read_lock, 1, 0}, {read_write_unlock, 1, 0}, {end}},
             "shared"},
        Case{{EventKind::try_write_lock, EventKind::read_write_unlock},
             Outcome::done,
             {{write_lock, 1, 0, by_a_try}, {read_write_unlock, 1, 0}, {end}},
             "exclusive"}));

TEST(Locks, AMutexThatAnotherThreadUnlocksIsABinarySemaphore) {
    // A turn is handed from thread 0 to thread 1: 1 waits for the lock that 0 holds, and 0's partner unlocks
    // it.
    Recording recording(2);
    auto const mutex = recording.object(ObjectKind::mutex);
    recording.begin(0, 0).create(0, 1, 1);
    recording.add(0, {.kind = EventKind::lock, .at = 2, .object = mutex});
    recording.add(0, {.kind = EventKind::lock, .at = 3, .span = 20, .object = mutex}).end(0, 30);
    recording.begin(1, 4).add(1, {.kind = EventKind::unlock, .at = 20, .object = mutex}).end(1, 25);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0),
              (Rows{{create, 0, 1}, {semaphore_wait, 0, mutex}, {semaphore_wait, 0, mutex}, {end}}));
    EXPECT_EQ(rows(program, 1), (Rows{{semaphore_post, 0, mutex, 1}, {end}}));
    EXPECT_EQ(decode_number(program.lists[0][2].value), 1U) << "the unit that thread 1 gave";
    EXPECT_EQ(program.objects[mutex].initial_count, 1);
}

TEST(Locks, AnUnlockOfAFreeMutexIsLeftOutAndSaid) {
    Recording recording(1);
    auto const mutex = recording.object(ObjectKind::mutex);
    recording.begin(0, 0).add(0, {.kind = EventKind::unlock, .at = 20, .object = mutex}).end(0, 25);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0), (Rows{{end}}));
    EXPECT_EQ(program.assumptions.size(), 1u);
}

}  // namespace
}  // namespace parcast::extract
