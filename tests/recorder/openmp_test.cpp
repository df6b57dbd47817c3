// libgomp's teams, seen as semaphores and barriers; what it hands out, as locks.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "recorded_run.h"

namespace parcast::tests {
namespace {

Timeline record_openmp(std::string const& what) {
    return record("openmp", {what}, {{"OMP_WAIT_POLICY", "passive"}}).only();
}

std::int64_t count(Timeline const& timeline, std::size_t thread, EventKind kind) {
    auto const& events = timeline.events.at(thread);
    return std::ranges::count_if(
        events, [=](Event const& event) { return event.kind == kind && event.outcome == Outcome::done; });
}

std::int64_t count(Timeline const& timeline, EventKind kind) {
    std::int64_t total = 0;
    for (std::size_t thread = 0; thread < timeline.events.size(); ++thread)
        total += count(timeline, thread, kind);
    return total;
}

#ifdef PARCAST_HAS_OPENMP
#define OPENMP_TEST(name) TEST(Openmp, name)
#else
#define OPENMP_TEST(name) TEST(Openmp, DISABLED_##name)
#endif

OPENMP_TEST(MembersWaitForEachRegionAndAllMeetAtItsEnd) {
    Timeline const timeline = record_openmp("regions");
    ASSERT_EQ(timeline.events.size(), 3u);
    EXPECT_EQ(count(timeline, 0, EventKind::semaphore_post), 2 * 2);
    for (std::size_t member = 1; member < 3; ++member)
        EXPECT_EQ(count(timeline, member, EventKind::semaphore_wait), 2);
    for (std::size_t thread = 0; thread < 3; ++thread)
        EXPECT_EQ(count(timeline, thread, EventKind::barrier_wait), 2);
}

OPENMP_TEST(ASmallerTeamMeetsAtABarrierOfItsSize) {
    Timeline const timeline = record_openmp("smaller_region");
    EXPECT_EQ(count(timeline, 0, EventKind::semaphore_post), 2 + 1 + 2);
    std::int64_t of_two = 0;
    for (auto const& events : timeline.events) {
        of_two += std::ranges::count_if(events, [&](Event const& event) {
            return event.kind == EventKind::barrier_wait &&
                   timeline.catalogue.objects[event.object.index()].initial_value == 2;
        });
    }
    EXPECT_EQ(of_two, 2);
}

OPENMP_TEST(BarriersOfAllThreadsAreOneOfTheWholeTeam) {
    Timeline const timeline = record_openmp("barriers");
    EXPECT_EQ(count(timeline, EventKind::barrier_wait), 3 + 3);
}

OPENMP_TEST(EachChunkIsTakenOnceAndEachThreadOnceInVain) {
    Timeline const timeline = record_openmp("chunks");
    EXPECT_EQ(count(timeline, EventKind::lock), 10 + 3);
    EXPECT_EQ(count(timeline, EventKind::unlock), 10 + 3);
}

OPENMP_TEST(ARegionThatIsOneLoopHandsOutItsChunksAsWell) {
    Timeline const timeline = record_openmp("loop_region");
    EXPECT_EQ(count(timeline, EventKind::lock), 10 + 3);
    EXPECT_EQ(count(timeline, 0, EventKind::semaphore_post), 2);
}

OPENMP_TEST(CriticalSectionsAndLocksAreLocks) {
    Timeline const timeline = record_openmp("critical_sections");
    EXPECT_EQ(count(timeline, EventKind::lock), 3 + 3);
    EXPECT_EQ(count(timeline, EventKind::unlock), 3 + 3);
}

OPENMP_TEST(TimeOfTasksThatAThreadRunsWhileItWaitsAtABarrierIsNotTheBarriers) {
    RecordedRun const run = record("openmp_tasks", {"tasks"}, {{"OMP_WAIT_POLICY", "passive"}});
    Timeline const& timeline = run.only();
    std::int64_t at_barriers = 0;
    std::int64_t taken = 0;
    for (auto const& events : timeline.events) {
        for (Event const& event : events) {
            at_barriers += event.kind == EventKind::barrier_wait ? event.cpu_inside_ns : 0;
            taken += event.kind == EventKind::lock ? 1 : 0;
        }
    }
    EXPECT_GE(taken, 16) << "eight tasks, and one that each of them made";
    EXPECT_LT(static_cast<double>(at_barriers), run.process_cpu_ns / 4);
}

// Events before the thread has met the others at the end of the region: those are replayed in time.
std::int64_t work_until_last_barrier_ns(Timeline const& timeline) {
    std::int64_t work = 0;
    for (auto const& events : timeline.events) {
        std::int64_t so_far = 0;
        for (Event const& event : events) {
            so_far += event.cpu_ns;
            if (event.kind == EventKind::barrier_wait && event.outcome == Outcome::done)
                work += std::exchange(so_far, 0);
        }
    }
    return work;
}

OPENMP_TEST(TasksThatAreLeftToTheEndOfTheFirstRegionAreWorkBeforeItsEnd) {
    RecordedRun const run = record("openmp_tasks", {"tasks_at_the_end"}, {{"OMP_WAIT_POLICY", "passive"}});
    EXPECT_GE(count(run.only(), EventKind::lock), 30);
    double const taken_ns = std::stod(run.output);
    ASSERT_GT(taken_ns, 1e6);
    EXPECT_GT(static_cast<double>(work_until_last_barrier_ns(run.only())), taken_ns * 0.95)
        << "what the tasks say that they took is part of it";
}

OPENMP_TEST(ARegionThatIsCancelledEnds) {
    RecordedRun const run =
        record("openmp_tasks", {"cancelled"}, {{"OMP_WAIT_POLICY", "passive"}, {"OMP_CANCELLATION", "true"}});
    EXPECT_EQ(run.exit_status(), 0);
}

OPENMP_TEST(PiecesOfATaskloopAreHandedOut) {
    RecordedRun const run = record("openmp_tasks", {"taskloops"}, {{"OMP_WAIT_POLICY", "passive"}});
    EXPECT_EQ(run.exit_status(), 0) << "it adds up what its pieces did";
    EXPECT_GE(count(run.only(), EventKind::lock), 4 * 10);
}

OPENMP_TEST(PiecesOfATaskloopThatAreRunAtOnceNeedNoMoreStackThanBefore) {
    RecordedRun const run = record("openmp_tasks", {"many_pieces"}, {{"OMP_WAIT_POLICY", "passive"}});
    EXPECT_EQ(run.exit_status(), 0);
    EXPECT_GE(count(run.only(), EventKind::lock), 100'000);
}

OPENMP_TEST(RegionsLoopsAndSectionsThatReduceOverTasksAreRecordedAsOthersAre) {
    RecordedRun const run = record("openmp_tasks", {"reductions"}, {{"OMP_WAIT_POLICY", "passive"}});
    EXPECT_EQ(run.exit_status(), 0) << "it adds up what its tasks did";
    EXPECT_EQ(count(run.only(), EventKind::semaphore_post), 3 * 2) << "three regions of three threads";
    EXPECT_GE(count(run.only(), EventKind::lock), 6 + 8 + 40 + 2 + 1) << "tasks, chunks, sections";
    EXPECT_EQ(count(run.only(), EventKind::barrier_wait) % 3, 0) << "all threads of a team meet at each";
}

OPENMP_TEST(RegionsInARegionAreTheirThreadsWork) {
    RecordedRun const run = record("openmp", {"nested"}, {{"OMP_WAIT_POLICY", "passive"}});
    EXPECT_EQ(run.exit_status(), 0);
    EXPECT_EQ(count(run.only(), EventKind::semaphore_post), 2) << "none to members of the inner teams";
    std::int64_t arrivals = 0;
    for (auto const& events : run.only().events) {
        arrivals += std::ranges::count_if(
            events, [](Event const& event) { return event.kind == EventKind::barrier_wait; });
    }
    EXPECT_GE(arrivals, 3);
    EXPECT_EQ(arrivals % 3, 0) << "those of the inner teams, of two, are left out";
}

OPENMP_TEST(ATeamThatIsTooLargeToBeRecordedWaitsForNothing) {
    RecordedRun const run = record("openmp", {"large_region"}, {{"OMP_WAIT_POLICY", "passive"}});
    if (run.exit_status() != 0)
        GTEST_SKIP() << "this machine does not let a program have 4096 threads";
    EXPECT_EQ(count(run.only(), EventKind::semaphore_post), 2 + 2);
    EXPECT_EQ(count(run.only(), EventKind::semaphore_wait), 2 + 2);
}

// The recorder hands on what the launcher set: that policy is nobody's wish.
OPENMP_TEST(TheSettingsOfTheUserAreNoted) {
    auto const settings = [](Environment const& environment) {
        return record("openmp", {"regions"}, environment).only().provenance.settings;
    };
    auto const noted = settings({{"OMP_WAIT_POLICY", "passive"}, {"OMP_NUM_THREADS", "3"}});
    EXPECT_EQ(noted, (std::vector<Setting>{{"OMP_WAIT_POLICY", "passive"}, {"OMP_NUM_THREADS", "3"}}));
    auto const own = settings(
        {{"OMP_WAIT_POLICY", "passive"}, {"PARCAST_OWN_WAIT_POLICY", "passive"}, {"GOMP_SPINCOUNT", ""}});
    EXPECT_EQ(own, (std::vector<Setting>{{"GOMP_SPINCOUNT", ""}}));
    auto const replaced = settings({{"OMP_WAIT_POLICY", "active"}, {"PARCAST_OWN_WAIT_POLICY", "passive"}});
    EXPECT_EQ(replaced, (std::vector<Setting>{{"OMP_WAIT_POLICY", "active"}})) << "by a script";
}

}  // namespace
}  // namespace parcast::tests
