#include "extract/extract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/kernel_locks.h"
#include "support/operation_rows.h"

namespace parcast::extract {
namespace {

using testing::HasSubstr;
using enum OperationKind;

TEST(Extraction, AProgramIsTheCpuTimeBetweenItsEvents) {
    // Broberg 2002, paper II, figure 5: CPU time, not wall time, is what a thread's segments are made of.
    Recording recording(2);
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(0, {.kind = EventKind::thread_join, .at = 45, .cpu = 15, .related = 1}).end(0, 55, 10);
    recording.begin(1, 20).end(1, 40, 20);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0), (Rows{{create, 10, 1}, {join, 15, 1}, {end, 10}}));
    EXPECT_EQ(rows(program, 1), (Rows{{end, 20}}));
}

TEST(Extraction, RefusesAPrediction) {
    Recording recording(1);
    recording.begin(0, 0).end(0, 1);
    recording.timeline().origin = Origin::predicted;
    auto const program = program_from(recording.timeline());
    ASSERT_FALSE(program.has_value());
    EXPECT_THAT(program.error().message, HasSubstr("Give the recording"));
}

TEST(Extraction, RefusesWhatIsNoTimeline) {
    EXPECT_FALSE(program_from(Timeline{}).has_value());
}

TEST(Extraction, CpuTimeInsideABlockedWaitIsNoWork) {
    Recording recording(1);
    auto const mutex = recording.object(ObjectKind::mutex);
    recording.begin(0, 0);
    recording.add(
        0, {.kind = EventKind::lock, .at = 10, .cpu = 10, .span = 50, .object = mutex, .cpu_inside = 7});
    recording.add(0, {.kind = EventKind::unlock, .at = 65, .cpu = 5, .object = mutex}).end(0, 70, 5);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0), (Rows{{lock, 10, mutex}, {unlock, 5, mutex}, {end, 5}}));
    EXPECT_THAT(program.assumptions,
                testing::Contains(HasSubstr("7 ns of CPU time inside calls that blocked")));
}

TEST(Extraction, TheRecordersCostIsTakenOutAndADeficitIsCarriedOn) {
    Recording recording(1);
    recording.timeline().provenance.event_cost_ns = 4;
    recording.begin(0, 0);
    recording.add(0, {.kind = EventKind::yield, .at = 1, .cpu = 1});    // 8 of cost so far, 1 of work
    recording.add(0, {.kind = EventKind::yield, .at = 31, .cpu = 30});  // 30 - 7 - 4
    recording.end(0, 41, 10);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0), (Rows{{yield, 0}, {yield, 19}, {end, 6}}));
    EXPECT_EQ(work_ns(program), 41 - 4 * 4);
}

TEST(Extraction, TheCostOfEventsIsRoundedInTotal) {
    Recording recording(1);
    recording.timeline().provenance.event_cost_ns = 0.25;
    recording.begin(0, 0);
    for (int i = 1; i <= 1'000; ++i)
        recording.add(0, {.kind = EventKind::yield, .at = i * 10, .cpu = 10});
    recording.end(0, 10'000);
    EXPECT_NEAR(static_cast<double>(work_ns(extracted(recording))), 10'000 - 0.25 * 1'002, 1.0);
}

TEST(Extraction, AReadingOfTheClockCostsThoseEventsThatBlockedOrSawASwitch) {
    Recording recording(1);
    recording.timeline().provenance.clock_read_ns = 6;
    auto const mutex = recording.object(ObjectKind::mutex);
    recording.begin(0, 0);
    recording.add(
        0, {.kind = EventKind::lock, .at = 10, .cpu = 10, .span = 50, .object = mutex, .cpu_inside = 7});
    recording.add(0, {.kind = EventKind::unlock, .at = 80, .cpu = 20, .object = mutex}).end(0, 90, 10);
    recording.timeline().events[0].edit(2)->switched = true;
    // The first reading is inside the wait, which is left out anyway; the second is work's loss.
    EXPECT_EQ(work_ns(extracted(recording)), 10 + 20 + 10 - 6);
}

TEST(Extraction, TookTheRecordersCostOutOfPageFaultsThatTheKernelNoted) {
    Recording recording(1);
    recording.timeline().provenance.event_cost_ns = 100;
    auto const map = recording.object(ObjectKind::reader_writer_lock);
    recording.timeline().catalogue.objects[map].name = name_of(KernelLock::memory_map);
    recording.begin(0, 0);
    recording.add(0, {.kind = EventKind::read_lock, .at = 1'000, .cpu = 1'000, .object = map});
    recording.add(0, {.kind = EventKind::read_write_unlock, .at = 1'500, .cpu = 500, .object = map});
    recording.end(0, 2'500, 1'000);
    auto const program = extracted(recording);
    EXPECT_EQ(program.objects[map].kernel_lock, KernelLock::memory_map);
    EXPECT_EQ(rows(program, 0),
              (Rows{{read_lock, 1'000 - 100, map}, {read_write_unlock, 500, map}, {end, 1'000 - 100}}))
        << "the recorder notes the begin and the end alone";
}

TEST(Extraction, TheRecordersCostStaysInIfAskedFor) {
    Recording recording(1);
    recording.timeline().provenance.event_cost_ns = 4;
    recording.begin(0, 0).end(0, 41, 41);
    auto const program = program_from(recording.timeline(), {.subtract_recording_cost = false});
    EXPECT_EQ(work_ns(*program), 41);
}

// Stack 0, and stack 1 that it calls.
void divide(Recording& recording, std::vector<WorkShare> shares) {
    auto& timeline = recording.timeline();
    timeline.catalogue.sites.resize(2);
    timeline.catalogue.stacks = {{StackId::none(), SiteId(std::size_t{0})},
                                 {StackId(std::size_t{0}), SiteId(std::size_t{1})}};
    timeline.shares = {std::move(shares)};
}

TEST(Shares, AreThoseOfTheWorkBeforeAnOperationWithoutWhatTheCallsCost) {
    Recording recording(1);
    auto const mutex = recording.object(ObjectKind::mutex);
    recording.timeline().provenance.call_probes = CallProbes{16, 2, 3, 1, 0};
    recording.begin(0, 0);
    recording.add(0, {.kind = EventKind::lock, .at = 100, .cpu = 100, .object = mutex});
    recording.add(0, {.kind = EventKind::unlock, .at = 150, .cpu = 50, .object = mutex}).end(0, 160, 10);
    StackId const caller(std::size_t{0});
    StackId const callee(std::size_t{1});
    divide(recording, {{1, callee, 48, 4, 10}, {1, caller, 52, 0, 0}, {2, caller, 50, 0, 0}});
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0), (Rows{{lock, 100 - 4 * 5 - 10, mutex}, {unlock, 50, mutex}, {end, 10}}));
    EXPECT_EQ(program.shares.at(0),
              (std::vector<WorkShare>{
                  {0, callee, 48 - 4 * 2 - 10, 4, 0}, {0, caller, 52 - 4 * 3, 0, 0}, {1, caller, 50, 0, 0}}));
}

// Ten short pieces between the same places, two of which have a sample each.
TEST(Shares, OfSamplesAreThoseOfAllPiecesOfTheirKind) {
    Recording recording(1);
    recording.timeline().provenance.sampling = Sampling{1'000, 2, 0};
    recording.begin(0, 0);
    for (int i = 1; i <= 10; ++i)
        recording.add(0, {.kind = EventKind::yield, .at = i * 100, .cpu = 100});
    recording.end(0, 1'000);
    StackId const one(std::size_t{0});
    StackId const other(std::size_t{1});
    divide(recording, {{3, one, 1'000, 0, 0}, {7, other, 1'000, 0, 0}});
    ThreadProgram const program = extracted(recording);
    std::int64_t of_one = 0;
    std::int64_t of_other = 0;
    for (WorkShare const& share : program.shares.at(0)) {
        of_one += share.stack == one ? share.ns : 0;
        of_other += share.stack == other ? share.ns : 0;
    }
    EXPECT_EQ(of_one, 500);
    EXPECT_EQ(of_other, 500);
}

TEST(Shares, OfWorkInsideACallAreOfTheStackThatMakesIt) {
    Recording recording(1);
    recording.begin(0, 0);
    recording.add(0, {.kind = EventKind::output, .at = 100, .cpu = 100, .span = 30, .cpu_inside = 30});
    recording.end(0, 140, 10);
    StackId const caller(std::size_t{0});
    StackId const callee(std::size_t{1});
    divide(recording, {{1, callee, 60, 1, 0}, {1, caller, 40, 0, 0}});
    ThreadProgram const program = extracted(recording);
    std::int64_t of_caller = 0;
    for (WorkShare const& share : program.shares.at(0))
        of_caller += share.stack == caller ? share.ns : 0;
    EXPECT_EQ(of_caller, 40 + 30);
}

TEST(Threads, OneWhoseCreationWasNotSeenIsCreatedWhenItBegan) {
    Recording recording(3);
    recording.begin(0, 0);
    recording.add(0, {.kind = EventKind::yield, .at = 20, .cpu = 20}).end(0, 90, 30);
    recording.begin(1, 10).end(1, 80, 5);
    recording.begin(2, 30).end(2, 70, 6);
    recording.timeline().catalogue.threads[2].parent = ThreadId(1);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 0), (Rows{{create, 0, 1}, {yield, 20}, {end, 30}}));
    EXPECT_EQ(rows(program, 1), (Rows{{create, 0, 2}, {end, 5}}));
    EXPECT_THAT(program.assumptions, testing::Contains(HasSubstr("creation of 2 threads was not recorded")));
}

TEST(Threads, ThoseThatFormACircleOfParentsAreCreatedByTheInitialOne) {
    Recording recording(3);
    recording.begin(0, 0).end(0, 90);
    recording.begin(1, 10).end(1, 80);
    recording.begin(2, 30).end(2, 70);
    recording.timeline().catalogue.threads[1].parent = ThreadId(2);
    recording.timeline().catalogue.threads[2].parent = ThreadId(1);
    EXPECT_EQ(rows(extracted(recording), 0), (Rows{{create, 0, 1}, {create, 0, 2}, {end}}));
}

TEST(Threads, OneBlockedWhenTheProcessEndedStopsThere) {
    Recording recording(2);
    auto const semaphore = recording.initialised(ObjectKind::semaphore, 0);
    recording.begin(0, 0).create(0, 10, 1, 10).end(0, 50, 20);
    recording.begin(1, 10);
    recording.add(1, {.kind = EventKind::semaphore_wait,
                      .at = 20,
                      .cpu = 10,
                      .span = 30,
                      .object = semaphore,
                      .outcome = Outcome::cut_off});
    recording.end(1, 50, 0, Outcome::cut_off);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(rows(program, 1), (Rows{{end, 10}}));
    EXPECT_THAT(program.assumptions, testing::Contains(HasSubstr("1 thread was alive")));
}

// In another order others may want them: without this, most recordings that were cut deadlocked.
TEST(Threads, OneAliveWhenTheRecordingEndedGivesUpItsLocks) {
    Recording recording(2);
    auto const outer = recording.object(ObjectKind::mutex);
    auto const inner = recording.object(ObjectKind::reader_writer_lock);
    recording.begin(0, 0).create(0, 10, 1, 10).end(0, 50, 20);
    recording.begin(1, 10);
    recording.add(1, {.kind = EventKind::lock, .at = 20, .cpu = 10, .object = outer});
    recording.add(1, {.kind = EventKind::read_lock, .at = 25, .cpu = 5, .object = inner});
    recording.end(1, 50, 7, Outcome::cut_off);
    EXPECT_EQ(rows(extracted(recording), 1), (Rows{{lock, 10, outer},
                                                   {read_lock, 5, inner},
                                                   {read_write_unlock, 7, inner},
                                                   {unlock, 0, outer},
                                                   {end}}));
}

// Java's VM thread ends with the lock of the list of threads; on more CPUs others come to it later than that.
TEST(Threads, OneThatEndsWithALockGivesItBack) {
    Recording recording(2);
    auto const mutex = recording.object(ObjectKind::mutex);
    recording.begin(0, 0).create(0, 10, 1, 10).end(0, 50, 20);
    recording.begin(1, 10);
    recording.add(1, {.kind = EventKind::lock, .at = 20, .cpu = 10, .object = mutex}).end(1, 30, 7);
    EXPECT_EQ(rows(extracted(recording), 1), (Rows{{lock, 10, mutex}, {unlock, 7, mutex}, {end}}));
}

TEST(Threads, ABackgroundTimerDoesNotSetTheEnd) {
    Recording recording(2);
    recording.begin(0, 0).create(0, 10, 1, 10).end(0, 500, 20);
    recording.begin(1, 10);
    recording.add(1, {.kind = EventKind::sleep, .at = 20, .cpu = 1, .span = 200, .value = 200});
    recording.add(1, {.kind = EventKind::sleep, .at = 230, .cpu = 1, .span = 200, .value = 200});
    recording.end(1, 500, 0, Outcome::cut_off);
    EXPECT_EQ(rows(extracted(recording), 1), (Rows{{work_only, 1}, {work_only, 1}, {end}}));
}

TEST(Threads, AJoinThatFailedIsNothing) {
    Recording recording(2);
    recording.begin(0, 0).create(0, 10, 1, 10);
    recording.add(
        0, {.kind = EventKind::thread_join, .at = 20, .cpu = 10, .related = 1, .outcome = Outcome::failed});
    recording.end(0, 50);
    recording.begin(1, 20).end(1, 40, 5);
    EXPECT_EQ(rows(extracted(recording), 0), (Rows{{create, 10, 1}, {work_only, 10}, {end}}));
}

TEST(Parameters, CountForTheThreadThatSetsThemAndForOneThatHasNotBegun) {
    Recording recording(2);
    recording.begin(0, 0).create(0, 10, 1);
    recording.add(0, {.kind = EventKind::set_affinity, .at = 11, .related = 1, .value = 2});
    recording.add(0, {.kind = EventKind::set_priority, .at = 12, .related = 0, .value = 5});
    recording.add(0, {.kind = EventKind::set_priority, .at = 40, .related = 1, .value = 5}).end(0, 50);
    recording.begin(1, 20).end(1, 60);
    ThreadProgram const program = extracted(recording);
    EXPECT_EQ(program.parameters[1].affinity, 2U);
    EXPECT_EQ(rows(program, 0), (Rows{{create, 0, 1}, {set_priority, 0, 0xffffffff, 5}, {end}}));
    EXPECT_THAT(program.assumptions, testing::Contains(HasSubstr("1 change of another thread's affinity")));
}

TEST(Parameters, OfTheProcessAreOperationsOfWhoeverSetsThem) {
    Recording recording(1);
    recording.begin(0, 0);
    recording.add(0, {.kind = EventKind::set_concurrency, .at = 10, .cpu = 10, .value = 4});
    recording.add(
        0,
        {.kind = EventKind::set_concurrency, .at = 20, .cpu = 20, .value = -1, .outcome = Outcome::failed});
    recording.end(0, 50);
    auto const found = rows(extracted(recording), 0);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front(), (Row{set_concurrency, 10, 0xffffffff, 4}));
    EXPECT_EQ(std::ranges::count(found, set_concurrency, &Row::kind), 1);
}

}  // namespace
}  // namespace parcast::extract
