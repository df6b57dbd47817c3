#include "extract/passes/passes.h"

#include <gtest/gtest.h>

#include "support/operation_rows.h"

namespace parcast::extract {
namespace {

using enum OperationKind;
constexpr std::uint32_t none = 0xffffffff;

// Thread 0 waits twice, then thread 1 posts once.
Recording two_waits_and_a_post(std::uint32_t semaphore_object, Recording recording) {
    recording.begin(0, 0).create(0, 1, 1);
    recording.add(0, {.kind = EventKind::semaphore_wait, .at = 10, .object = semaphore_object});
    recording.add(0, {.kind = EventKind::semaphore_wait, .at = 20, .span = 15, .object = semaphore_object})
        .end(0, 50);
    recording.begin(1, 21)
        .add(1, {.kind = EventKind::semaphore_post, .at = 30, .object = semaphore_object})
        .end(1, 40);
    return recording;
}

TEST(Semaphores, StartWithTheValueThatWasSeen) {
    Recording recording(2);
    auto const semaphore = recording.initialised(ObjectKind::semaphore, 3);
    recording = two_waits_and_a_post(semaphore, recording);
    EXPECT_EQ(extracted(recording).objects[semaphore].initial_count, 3);
}

TEST(Semaphores, ElseWithTheSmallestThatTheRecordingAllows) {
    Recording recording(2);
    auto const semaphore = recording.object(ObjectKind::semaphore);
    recording = two_waits_and_a_post(semaphore, recording);
    EXPECT_EQ(extracted(recording).objects[semaphore].initial_count, 1);
}

// The strict model gives each wait the unit of its number.
TEST(Semaphores, UnitsAreNumberedInTheOrderInWhichTheyWerePostedAndTaken) {
    Recording recording(2);
    auto const semaphore = recording.object(ObjectKind::semaphore);
    recording = two_waits_and_a_post(semaphore, recording);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(decode_number(program.lists[0][1].value), 0U) << "the unit that was there";
    EXPECT_EQ(decode_number(program.lists[0][2].value), 1U);
    EXPECT_EQ(decode_grant(program.lists[1][0].value), (TokenGrant{1, 1}));
}

TEST(Semaphores, AWaitThatAnotherProcessPostedIsADelay) {
    Recording recording(2);
    auto const semaphore = recording.initialised(ObjectKind::semaphore, 0);
    recording = two_waits_and_a_post(semaphore, recording);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0),
              (Rows{{create, 0, 1}, {delay, 0, none, 0}, {semaphore_wait, 0, semaphore}, {end}}));
}

// libgomp wakes a team before its posts are recorded. The member's wait was a delay, as long as the region on
// one CPU, and each of its later waits took the post of the region before: 28 % too long on 8 CPUs.
TEST(Semaphores, AMemberOfAnOpenmpTeamTakesThePostThatWasRecordedAfterItsWait) {
    Recording recording(2);
    auto const semaphore = recording.initialised(ObjectKind::semaphore, 0);
    auto const barrier = recording.initialised(ObjectKind::barrier, 2);
    recording.timeline().catalogue.objects[semaphore].address = 0x7000'0004;
    recording.timeline().catalogue.objects[barrier].address = 0x7000'1000;
    recording.begin(0, 0).create(0, 1, 1);
    recording.begin(1, 5);
    recording.add(1, {.kind = EventKind::semaphore_wait, .at = 10, .span = 15, .object = semaphore})
        .end(1, 30);
    recording.add(0, {.kind = EventKind::semaphore_post, .at = 40, .object = semaphore}).end(0, 50);
    EXPECT_EQ(rows(extracted(recording), 1), (Rows{{semaphore_wait, 0, semaphore}, {end}}));
}

TEST(Semaphores, TriesAndTimeouts) {
    Recording recording(1);
    auto const semaphore = recording.initialised(ObjectKind::semaphore, 1);
    recording.begin(0, 0);
    recording.add(0, {.kind = EventKind::try_semaphore_wait, .at = 1, .cpu = 1, .object = semaphore});
    recording.add(0, {.kind = EventKind::try_semaphore_wait,
                      .at = 2,
                      .cpu = 1,
                      .object = semaphore,
                      .outcome = Outcome::failed});
    recording.add(0, {.kind = EventKind::timed_semaphore_wait,
                      .at = 3,
                      .cpu = 1,
                      .span = 9,
                      .object = semaphore,
                      .value = 8,
                      .outcome = Outcome::timed_out});
    recording.end(0, 20);
    EXPECT_EQ(rows(extracted(recording), 0),
              (Rows{{semaphore_wait, 1, semaphore}, {work_only, 1}, {delay, 1, none, 8}, {end}}));
}

TEST(Once, EveryOtherThreadsFirstCallWaitsForTheRunner) {
    Recording recording(3);
    auto const object = recording.object(ObjectKind::once);
    recording.begin(0, 0).create(0, 1, 1).create(0, 2, 2);
    recording.add(0, {.kind = EventKind::once, .at = 20, .cpu = 15, .object = object, .value = 1}).end(0, 60);
    recording.begin(1, 21);
    recording.add(1, {.kind = EventKind::once, .at = 22, .object = object});
    recording.add(1, {.kind = EventKind::once, .at = 23, .cpu = 1, .object = object}).end(1, 30);
    recording.begin(2, 31).add(2, {.kind = EventKind::once, .at = 32, .object = object}).end(2, 40);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0).at(2), (Row{condition_signal, 15, object, 2}));
    EXPECT_EQ(rows(program, 1), (Rows{{condition_wait, 0, object, -1}, {work_only, 1}, {end}}));
    EXPECT_EQ(rows(program, 2), (Rows{{condition_wait, 0, object, -1}, {end}}));
}

// gdb: std::call_once of futures whose flags lay at one address, each run by the thread that came first. The
// first thread waited for the last run, which was its own next step away.
TEST(Once, ARunAtAnAddressThatWasUsedBeforeIsAwaitedByItsOwnCallersOnly) {
    Recording recording(3);
    auto const object = recording.object(ObjectKind::once);
    recording.begin(0, 0).create(0, 1, 1).create(0, 2, 2).end(0, 90);
    recording.begin(1, 10);
    recording.add(1, {.kind = EventKind::once, .at = 20, .object = object, .value = 1}).end(1, 80);
    recording.begin(2, 30).add(2, {.kind = EventKind::once, .at = 31, .object = object});
    recording.add(2, {.kind = EventKind::once, .at = 40, .object = object, .value = 1}).end(2, 50);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 1), (Rows{{condition_signal, 0, object, 1}, {end}}));
    EXPECT_EQ(rows(program, 2), (Rows{{condition_wait, 0, object, -1}, {end}}));
}

// multiprocessing's forkserver: a semaphore that another process holds and posts; a unit that this process
// posts later does not make up for it.
TEST(Semaphores, AUnitOfAnotherProcessIsADelayEvenIfThisProcessPostsOneLater) {
    Recording recording(1);
    auto const semaphore = recording.initialised(ObjectKind::semaphore, 0);
    recording.begin(0, 0);
    recording.add(0, {.kind = EventKind::semaphore_wait, .at = 10, .span = 15, .object = semaphore});
    recording.add(0, {.kind = EventKind::semaphore_post, .at = 30, .object = semaphore}).end(0, 40);
    EXPECT_EQ(rows(extracted(recording), 0),
              (Rows{{delay, 0, none, 15}, {semaphore_post, 0, semaphore, 1}, {end}}));
}

// Its wait would come before what it waits for, in its own list.
TEST(Semaphores, AThreadDoesNotTakeWhatItPostsAtTheInstantAtWhichItsWaitReturns) {
    Recording recording(1);
    auto const semaphore = recording.initialised(ObjectKind::semaphore, 0);
    recording.begin(0, 0);
    recording.add(0, {.kind = EventKind::semaphore_wait, .at = 10, .span = 15, .object = semaphore});
    recording.add(0, {.kind = EventKind::semaphore_post, .at = 25, .object = semaphore}).end(0, 40);
    EXPECT_EQ(rows(extracted(recording), 0),
              (Rows{{delay, 0, none, 15}, {semaphore_post, 0, semaphore, 1}, {end}}));
}

}  // namespace
}  // namespace parcast::extract
