// libgomp's teams, seen as semaphores and barriers; what it hands out, as locks.

#include <gtest/gtest.h>

#include <algorithm>

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
    for (std::size_t thread = 0; thread < timeline.events.size(); ++thread) {
        total += count(timeline, thread, kind);
    }
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
    for (std::size_t member = 1; member < 3; ++member) {
        EXPECT_EQ(count(timeline, member, EventKind::semaphore_wait), 2);
    }
    for (std::size_t thread = 0; thread < 3; ++thread) {
        EXPECT_EQ(count(timeline, thread, EventKind::barrier_wait), 2);
    }
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
    RecordedRun const run = record("openmp", {"tasks"}, {{"OMP_WAIT_POLICY", "passive"}});
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

OPENMP_TEST(ARegionInARegionIsItsThreadsWork) {
    RecordedRun const run = record("openmp", {"nested"}, {{"OMP_WAIT_POLICY", "passive"}});
    EXPECT_EQ(run.exit_status(), 0);
    EXPECT_EQ(count(run.only(), EventKind::barrier_wait), 3) << "none of the inner teams";
}

}  // namespace
}  // namespace parcast::tests
