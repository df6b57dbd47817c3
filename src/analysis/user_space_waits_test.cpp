#include "analysis/user_space_waits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace parcast::analysis {
namespace {

using testing::HasSubstr;

Event event(EventKind kind, std::int64_t wall_ns, std::int64_t cpu_ns, std::int64_t span_ns = 0) {
    Event result;
    result.kind = kind;
    result.wall_ns = wall_ns;
    result.cpu_ns = cpu_ns;
    result.span_ns = span_ns;
    result.blocked = span_ns > 0;
    if (kind == EventKind::futex_wait || kind == EventKind::futex_wake)
        result.object = ObjectId(std::size_t{0});
    return result;
}

// Two threads compute for 4 ms each between five uses of a word of this type, and wait there `waited_ns` each
// time.
Timeline at_word(std::string const& type, std::int64_t waited_ns) {
    Timeline timeline;
    timeline.catalogue.threads.resize(2);
    timeline.catalogue.objects = {{ObjectKind::futex, 0x1000, "", SiteId(std::size_t{0}), {}}};
    timeline.catalogue.sites.resize(1);
    timeline.catalogue.sites[0].library_type = type;
    for (int thread = 0; thread < 2; ++thread) {
        EventList events;
        std::int64_t now_ns = 0;
        events.push_back(event(EventKind::thread_begin, 0, 0));
        for (int i = 0; i < 5; ++i) {
            events.push_back(event(EventKind::futex_wait, now_ns += 1'000'000, 1'000'000, waited_ns));
            now_ns += waited_ns;
        }
        events.push_back(event(EventKind::futex_wake, now_ns, 0));
        events.push_back(event(EventKind::thread_end, now_ns, 0));
        timeline.events.push_back(events);
    }
    return timeline;
}

std::optional<Finding> found_in(Timeline const& timeline) {
    return user_space_synchronisation(timeline, survey(timeline));
}

// A Rust mutex that guards half the work gave 2.17, and can be 2.0 at most.
TEST(UserSpaceWaits, MuchWaitingAtALockMakesPredictionsDoubtful) {
    auto const found = found_in(at_word("Rust Mutex", 1'000'000));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->severity, Severity::warning);
    EXPECT_THAT(found->message, HasSubstr("50 % of their time in 10 waits at Rust Mutex #0"));
    EXPECT_THAT(found->message, HasSubstr("can be too fast."));
    EXPECT_NEAR(found->hidden_serial_share, 0.8, 1e-9) << "from the first use to the last";
    EXPECT_FALSE(found->may_wait_less);
}

// A channel of Rust that workers shared was predicted 1.44 times as fast, measured 1.92; the note said "too
// fast".
TEST(UserSpaceWaits, OfOtherWordsNobodyKnowsWhetherTheyHadToWait) {
    for (char const* const type : {"Rust park", "std::atomic", ""}) {
        auto const found = found_in(at_word(type, 1'000'000));
        ASSERT_TRUE(found);
        EXPECT_EQ(found->severity, Severity::warning) << type;
        EXPECT_THAT(found->message, HasSubstr("too fast or too slow"));
        EXPECT_TRUE(found->may_wait_less);
    }
}

TEST(UserSpaceWaits, WhatIsSeenOfBarriersAndConditionsIsEnough) {
    for (char const* const type : {"std::barrier", "std::latch", "std::future", "Rust Condvar"}) {
        auto const found = found_in(at_word(type, 1'000'000));
        ASSERT_TRUE(found);
        EXPECT_EQ(found->severity, Severity::note) << type;
        EXPECT_EQ(found->hidden_serial_share, 0);
    }
}

TEST(UserSpaceWaits, AWaitNowAndThenIsANote) {
    auto const found = found_in(at_word("Rust Mutex", 50'000));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->severity, Severity::note);
    Timeline timeline = at_word("", 1'000'000);
    timeline.catalogue.objects[0].kind = ObjectKind::mutex;
    timeline.events.clear();
    EXPECT_FALSE(found_in(timeline)) << "no futex at all";
}

// Four threads of a Java program that share a monitor were predicted without a mark.
TEST(UserSpaceWaits, AllParksOfAJavaProgramAreOneWord) {
    auto timeline = at_word(java_park, 1'000'000);
    timeline.catalogue.objects[0].kind = ObjectKind::condition;
    timeline.catalogue.objects.push_back(timeline.catalogue.objects[0]);
    for (std::size_t thread = 0; thread < 2; ++thread) {
        EventList events;
        for (Event each : timeline.events[thread]) {
            if (each.kind == EventKind::futex_wait) {
                each.kind = EventKind::condition_wait;
                each.object = ObjectId(thread);
            }
            events.push_back(each);
        }
        timeline.events[thread] = events;
    }
    auto const found = found_in(timeline);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->severity, Severity::warning);
    EXPECT_THAT(found->message, HasSubstr("in 10 waits at monitors and locks of the Java VM"));
}

// A main thread that waits for the others' ends does not work in between.
TEST(UserSpaceWaits, AThreadOfJavaThatDoesNotWorkBetweenItsWaitsWaitsForNoTurn) {
    auto timeline = at_word(java_park, 1'000'000);
    timeline.catalogue.objects[0].kind = ObjectKind::condition;
    for (auto& list : timeline.events) {
        EventList events;
        for (Event each : list) {
            if (each.kind == EventKind::futex_wait)
                each.kind = EventKind::condition_wait;
            each.cpu_ns = 0;
            events.push_back(each);
        }
        list = events;
    }
    EXPECT_FALSE(found_in(timeline));
}

}  // namespace
}  // namespace parcast::analysis
