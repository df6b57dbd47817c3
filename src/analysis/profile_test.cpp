#include "analysis/profile.h"

#include "analysis/survey.h"

#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

Event event(EventKind kind, std::int64_t wall, std::int64_t cpu, std::uint32_t object = 0xffffffff,
            std::int64_t span = 0, std::int64_t inside = 0) {
    Event result;
    result.kind = kind;
    result.wall_ns = wall;
    result.cpu_ns = cpu;
    result.object.value = object;
    result.span_ns = span;
    result.cpu_inside_ns = inside;
    result.blocked = span > 0;
    return result;
}

// One thread: locks mutex 0 twice (recursively), waits on condition 1 with it, reads from descriptor 2.
Timeline example() {
    Timeline timeline;
    timeline.catalogue.threads.resize(1);
    timeline.catalogue.objects.resize(3);
    timeline.catalogue.objects[1].kind = ObjectKind::condition;
    timeline.catalogue.objects[2].kind = ObjectKind::descriptor;
    Event wait = event(EventKind::condition_wait, 30, 8, 1, 100, 3);
    wait.related = 0;
    timeline.events.push_back(
        {event(EventKind::thread_begin, 0, 0), event(EventKind::lock, 10, 10, 0, 5, 1),
         event(EventKind::lock, 20, 5, 0), event(EventKind::unlock, 21, 1, 0), wait,
         event(EventKind::unlock, 150, 20, 0), event(EventKind::input, 160, 10, 2, 40, 15),
         event(EventKind::sleep, 210, 10, 0xffffffff, 50), event(EventKind::thread_end, 270, 10)});
    timeline.length = Duration{270};
    return timeline;
}

TEST(Profile, AThreadsRowAccountsForItsTime) {
    ThreadProfile const row = survey(example()).profile.threads.at(0);
    EXPECT_EQ(row.lifetime, Duration{270});
    EXPECT_EQ(row.cpu, Duration{74 + 19}) << "between the calls and inside them";
    EXPECT_EQ(row.blocked, Duration{105});
    EXPECT_EQ(row.input_output, Duration{25}) << "less its CPU time";
    EXPECT_EQ(row.sleeping, Duration{50});
    EXPECT_EQ(row.events, 9);
    EXPECT_FALSE(row.alive_at_exit);
}

TEST(Profile, ALockIsHeldInCpuTimeFromTheOutermostLockAndNotDuringAWait) {
    auto const objects = survey(example()).profile.objects;
    ASSERT_EQ(objects.size(), 3U);
    auto const mutex = objects[0];
    EXPECT_EQ(mutex.object, ObjectId(0));
    EXPECT_EQ(mutex.held_total, Duration{(5 + 1 + 8) + 20});
    EXPECT_EQ(mutex.held_longest, Duration{20});
}

TEST(Profile, ObjectsCountWhatBlockedAndComeMostContendedThenMostUsedFirst) {
    auto const objects = survey(example()).profile.objects;
    EXPECT_EQ(objects[0].operations, 2) << "two locks; unlocks are no operations of their own";
    EXPECT_EQ(objects[0].contended, 1);
    EXPECT_EQ(objects[0].waiting, Duration{5});
    EXPECT_EQ(objects[1].object, ObjectId(1));
    EXPECT_EQ(objects[2].object, ObjectId(2));
}

TEST(Profile, ObjectsWithoutOperationsAreLeftOut) {
    Timeline timeline = example();
    timeline.catalogue.objects.emplace_back();
    EXPECT_EQ(survey(timeline).profile.objects.size(), 3U);
}

}  // namespace
}  // namespace parcast::analysis
