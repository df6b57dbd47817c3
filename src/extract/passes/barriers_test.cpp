#include "extract/passes/passes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/operation_rows.h"

namespace parcast::extract {
namespace {

using enum OperationKind;
constexpr std::uint32_t none = 0xffffffff;

Recording one_generation(std::uint32_t barrier, Recording recording) {
    recording.begin(0, 0).create(0, 1, 1);
    recording.add(0, {.kind = EventKind::barrier_wait, .at = 10, .span = 20, .object = barrier}).end(0, 40);
    recording.begin(1, 11);
    recording.add(1, {.kind = EventKind::barrier_wait, .at = 29, .object = barrier, .value = 1}).end(1, 35);
    return recording;
}

TEST(Barriers, HaveTheParticipantsThatWereSeenOrElseAreCounted) {
    Recording seen(2);
    seen.initialised(ObjectKind::barrier, 2);
    seen = one_generation(0, seen);
    EXPECT_EQ(rows(extracted(seen), 1), (Rows{{barrier_wait, 0, 0, 2}, {end}}));
    Recording unseen(2);
    unseen.object(ObjectKind::barrier);
    unseen = one_generation(0, unseen);
    EXPECT_EQ(rows(extracted(unseen), 1), (Rows{{barrier_wait, 0, 0, 2}, {end}}));
}

// Who that is in the recording need not be the last one in a replay.
TEST(Barriers, WakingTheOthersIsWorkOfTheLastToArrive) {
    Recording recording(2);
    recording.object(ObjectKind::barrier);
    recording.begin(0, 0).create(0, 1, 1);
    recording.add(0, {.kind = EventKind::barrier_wait, .at = 10, .span = 20, .object = 0, .cpu_inside = 3})
        .end(0, 40);
    recording.begin(1, 11);
    recording.add(
        1, {.kind = EventKind::barrier_wait, .at = 29, .cpu = 9, .object = 0, .value = 1, .cpu_inside = 5});
    recording.end(1, 35);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0), (Rows{{create, 0, 1}, {barrier_wait, 0, 0, 2}, {end}}));
    EXPECT_EQ(rows(program, 1), (Rows{{barrier_wait, 9, 0, 2}, {end}}));
    EXPECT_EQ(program.objects[0].waking, Duration{5});
    EXPECT_FALSE(program.objects[0].team);
}

// Two rounds of three: thread 1 comes last in the first, thread 0 in the second. Who waited has nothing but
// the kernel's part of blocking inside its call.
TEST(Barriers, OfATeamNobodyIsToldToBeTheLastSoTimeTells) {
    Recording recording(3);
    recording.initialised(ObjectKind::barrier, 3);
    recording.begin(0, 0).create(0, 1, 1).create(0, 2, 2);
    recording.begin(1, 3).begin(2, 4);
    auto const arrive = [&](std::uint32_t thread, std::int64_t at, std::int64_t inside) {
        recording.add(thread, {.kind = EventKind::barrier_wait,
                               .at = at,
                               .cpu = 1,
                               .span = inside,
                               .object = 0,
                               .cpu_inside = inside});
    };
    arrive(0, 10, 3);
    arrive(2, 11, 3);
    arrive(1, 12, 8);
    arrive(2, 30, 3);
    arrive(1, 31, 3);
    arrive(0, 32, 12);
    recording.end(0, 60).end(1, 60).end(2, 60);
    auto const program = extracted(recording);
    EXPECT_TRUE(program.objects[0].team);
    EXPECT_EQ(program.objects[0].waking, Duration{5}) << "20 ns for waking four";
    EXPECT_EQ(work_ns(program), 6 + 20);
}

// The recorder names member k's semaphore by the k-th address behind one place, the barrier by the 4096th.
TEST(Barriers, OfATeamHaveSemaphoresBesideThemAtWhichItsMembersWaitForTheNextRegion) {
    Recording recording(2);
    recording.initialised(ObjectKind::barrier, 2);
    recording.timeline().catalogue.objects.back().address = 0x6000;
    for (std::uint64_t const address : {0x5001, 0x5fff, 0x4fff, 0x6001}) {
        recording.object(ObjectKind::semaphore);
        recording.timeline().catalogue.objects.back().address = address;
    }
    recording.begin(0, 0).create(0, 1, 1).begin(1, 3);
    for (std::uint32_t const thread : {0, 1, 0, 1})
        recording.add(thread, {.kind = EventKind::barrier_wait, .at = 10, .object = 0});
    recording.end(0, 40).end(1, 40);
    auto const program = extracted(recording);
    ASSERT_TRUE(program.objects[0].team);
    EXPECT_TRUE(program.objects[1].team);
    EXPECT_TRUE(program.objects[2].team);
    EXPECT_FALSE(program.objects[3].team) << "before the first member";
    EXPECT_FALSE(program.objects[4].team) << "behind the barrier";
}

TEST(Barriers, ThatNobodyLeftBeforeTheProcessWasKilledAreNotThoseOfATeam) {
    Recording recording(2);
    recording.initialised(ObjectKind::barrier, 3);
    recording.begin(0, 0).create(0, 1, 1).begin(1, 3);
    for (std::uint32_t const thread : {0, 1}) {
        recording.add(thread, {.kind = EventKind::barrier_wait,
                               .at = 10,
                               .span = 30,
                               .object = 0,
                               .outcome = Outcome::cut_off});
        recording.end(thread, 40, 0, Outcome::cut_off);
    }
    EXPECT_FALSE(extracted(recording).objects[0].team);
}

// A barrier of one generation that lacks an arrival tells nothing.
TEST(Barriers, OfATeamWithAnIncompleteRoundNothingIsKnownOfWaking) {
    Recording recording(2);
    recording.initialised(ObjectKind::barrier, 2);
    recording.begin(0, 0).create(0, 1, 1);
    recording.begin(1, 3);
    for (std::uint32_t const thread : {0, 1, 1})
        recording.add(thread, {.kind = EventKind::barrier_wait,
                               .at = 10 * (thread + 1),
                               .span = 4,
                               .object = 0,
                               .cpu_inside = 4});
    recording.end(0, 60).end(1, 60);
    EXPECT_EQ(extracted(recording).objects[0].waking, Duration{0});
}

// The last to arrive lets the others go before its own call returns.
TEST(Barriers, AnArrivalThatWasCutOffCountsWhereOthersWereSeenToLeave) {
    Recording recording(2);
    recording.initialised(ObjectKind::barrier, 2);
    recording.begin(0, 0).create(0, 1, 1);
    recording.add(0, {.kind = EventKind::barrier_wait, .at = 10, .span = 20, .object = 0})
        .end(0, 40, 0, Outcome::cut_off);
    recording.begin(1, 11);
    recording.add(1, {.kind = EventKind::barrier_wait,
                      .at = 29,
                      .cpu = 9,
                      .span = 11,
                      .object = 0,
                      .outcome = Outcome::cut_off});
    recording.end(1, 40, 0, Outcome::cut_off);
    EXPECT_EQ(rows(extracted(recording), 1), (Rows{{barrier_wait, 9, 0, 2}, {end}}));
}

TEST(Barriers, AnArrivalThatWasCutOffInARoundThatNobodyLeftStopsThere) {
    Recording recording(2);
    recording.initialised(ObjectKind::barrier, 2);
    recording.begin(0, 0).create(0, 1, 1).end(0, 40, 0, Outcome::cut_off);
    recording.begin(1, 11);
    recording.add(1, {.kind = EventKind::barrier_wait,
                      .at = 29,
                      .cpu = 9,
                      .span = 11,
                      .object = 0,
                      .outcome = Outcome::cut_off});
    recording.end(1, 40, 0, Outcome::cut_off);
    EXPECT_EQ(rows(extracted(recording), 1), (Rows{{end, 9}}));
}

// Two rounds of three threads; what the third did after the first was never written.
Recording a_round_without_its_last_arrival() {
    Recording recording(3);
    recording.initialised(ObjectKind::barrier, 3);
    recording.begin(0, 0).create(0, 1, 1).create(0, 2, 2);
    recording.add(0, {.kind = EventKind::barrier_wait, .at = 10, .span = 20, .object = 0})
        .add(0, {.kind = EventKind::barrier_wait, .at = 40, .cpu = 5, .span = 30, .object = 0})
        .end(0, 80, 7, Outcome::cut_off);
    recording.begin(1, 11);
    recording.add(1, {.kind = EventKind::barrier_wait, .at = 20, .span = 12, .object = 0})
        .add(1, {.kind = EventKind::barrier_wait, .at = 50, .cpu = 6, .span = 22, .object = 0})
        .end(1, 80, 8, Outcome::cut_off);
    recording.begin(2, 21).add(2, {.kind = EventKind::barrier_wait, .at = 29, .object = 0});
    return recording;
}

// The replay waited for it for ever.
TEST(Barriers, ThoseWhoLeftARoundWhoseLastArrivalWasNeverWrittenWaitAsLongAsTheyDid) {
    auto recording = a_round_without_its_last_arrival();
    recording.end(2, 35, 0, Outcome::cut_off);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(
        rows(program, 0),
        (Rows{{create, 0, 1}, {create, 0, 2}, {barrier_wait, 0, 0, 3}, {delay, 5, none, 30}, {end, 7}}));
    EXPECT_EQ(rows(program, 1), (Rows{{barrier_wait, 0, 0, 3}, {work_only, 6}, {end, 8}}))
        << "nobody waits for what it does then: no delay (passes.h, rule 5 of waits)";
    EXPECT_EQ(rows(program, 2), (Rows{{barrier_wait, 0, 0, 3}, {end}}));
}

// Members of an OpenMP team arrive at the end of a region without waiting there, and are alive when the
// process ends: no region's end was waited for.
TEST(Barriers, ARoundWhoseFirstArrivalDidNotWaitIsCompleteThoughAThreadWasAliveAtTheEnd) {
    Recording recording(2);
    recording.initialised(ObjectKind::barrier, 2);
    recording.begin(0, 0).create(0, 1, 1).begin(1, 2);
    recording.add(1, {.kind = EventKind::barrier_wait, .at = 10, .cpu = 7, .object = 0});
    recording.add(0, {.kind = EventKind::barrier_wait, .at = 20, .cpu = 9, .object = 0, .value = 1});
    recording.end(1, 30, 0, Outcome::cut_off).end(0, 30);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0), (Rows{{create, 0, 1}, {barrier_wait, 9, 0, 2}, {end}}));
    EXPECT_EQ(rows(program, 1), (Rows{{barrier_wait, 7, 0, 2}, {end}}));
}

TEST(Barriers, ARoundBehindOneThatLacksAnArrivalIsOneOfItsOwn) {
    auto recording = a_round_without_its_last_arrival();
    recording.add(2, {.kind = EventKind::barrier_wait, .at = 75, .cpu = 9, .object = 0})
        .end(2, 80, 0, Outcome::cut_off);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0).at(3), (Row{delay, 5, none, 30}));
    EXPECT_EQ(rows(program, 1).at(1), (Row{work_only, 6}));
    EXPECT_EQ(rows(program, 2), (Rows{{barrier_wait, 0, 0, 3}, {work_only, 9}, {end}}));
}

}  // namespace
}  // namespace parcast::extract
