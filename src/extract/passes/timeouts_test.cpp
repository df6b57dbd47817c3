// Timed locks and semaphores; those of conditions are in conditions_test.cpp.
#include "extract/passes/timeouts.h"

#include <gtest/gtest.h>

#include "support/operation_rows.h"

namespace parcast::extract {
namespace {

using enum OperationKind;
constexpr std::uint32_t none = 0xffffffff;

// Thread 0 waits for `object` three times; the first two waits run out after 50.
Recording three_tries(EventKind kind, ObjectKind object_kind, Outcome last, std::int64_t cpu_between) {
    Recording recording(1);
    auto const object = recording.initialised(object_kind, 1);
    recording.begin(0, 0);
    for (std::int64_t at : {100, 200, 300}) {
        recording.add(0, {.kind = kind,
                          .at = at,
                          .cpu = at == 100 ? 0 : cpu_between,
                          .span = 50,
                          .object = object,
                          .value = 50,
                          .outcome = at == 300 ? last : Outcome::timed_out});
    }
    return recording.end(0, 1000);
}

TEST(Timeouts, ASemaphoreThatIsHadInTheEndIsOneWait) {
    auto recording = three_tries(EventKind::timed_semaphore_wait, ObjectKind::semaphore, Outcome::done, 0);
    EXPECT_EQ(rows(extracted(recording), 0), (Rows{{semaphore_wait, 0, 0}, {end}}));
}

TEST(Timeouts, ALockThatIsHadInTheEndIsOneLock) {
    auto recording = three_tries(EventKind::timed_lock, ObjectKind::mutex, Outcome::done, 7);
    EXPECT_EQ(rows(extracted(recording), 0), (Rows{{lock, 14, 0}, {unlock, 0, 0}, {end}}));
}

TEST(Timeouts, WhoGivesUpHasWaitedAllTheTime) {
    auto recording =
        three_tries(EventKind::timed_semaphore_wait, ObjectKind::semaphore, Outcome::timed_out, 0);
    EXPECT_EQ(rows(extracted(recording), 0),
              (Rows{{delay, 0, none, 50}, {delay, 0, none, 50}, {delay, 0, none, 50}, {end}}));
}

TEST(Timeouts, WhoWorksInBetweenHasOtherThingsToDo) {
    auto recording =
        three_tries(EventKind::timed_semaphore_wait, ObjectKind::semaphore, Outcome::done, predicate_ns + 1);
    EXPECT_EQ(rows(extracted(recording), 0), (Rows{{delay, 0, none, 50},
                                                   {delay, predicate_ns + 1, none, 50},
                                                   {semaphore_wait, predicate_ns + 1, 0},
                                                   {end}}));
}

TEST(Timeouts, AnotherCallInBetweenIsAnAct) {
    Recording recording(1);
    auto const semaphore = recording.initialised(ObjectKind::semaphore, 1);
    recording.begin(0, 0);
    recording.add(0, {.kind = EventKind::timed_semaphore_wait,
                      .at = 100,
                      .span = 50,
                      .object = semaphore,
                      .value = 50,
                      .outcome = Outcome::timed_out});
    recording.add(0, {.kind = EventKind::yield, .at = 160});
    recording.add(0, {.kind = EventKind::semaphore_wait, .at = 170, .object = semaphore}).end(0, 200);
    EXPECT_EQ(rows(extracted(recording), 0),
              (Rows{{delay, 0, none, 50}, {yield}, {semaphore_wait, 0, semaphore}, {end}}));
}

}  // namespace
}  // namespace parcast::extract
