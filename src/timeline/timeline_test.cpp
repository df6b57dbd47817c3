#include "timeline/timeline.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>
#include <string>

namespace parcast {
namespace {

Timeline recorded() {
    Timeline timeline;
    timeline.catalogue.threads.resize(2);
    timeline.catalogue.objects.resize(1);
    timeline.events.resize(2);
    for (auto& events : timeline.events) {
        Event lock;
        lock.kind = EventKind::lock;
        lock.object = ObjectId(std::size_t{0});
        lock.cpu_ns = 30;
        lock.cpu_inside_ns = 5;
        Event end;
        end.kind = EventKind::thread_end;
        end.wall_ns = 100;
        end.cpu_ns = 7;
        events = {lock, end};
    }
    timeline.length.ns = 100;
    return timeline;
}

Timeline predicted() {
    Timeline timeline;
    timeline.origin = Origin::predicted;
    timeline.catalogue.threads.resize(2);
    IntervalColumns& rows = timeline.intervals.emplace();
    rows.begin = {{0}, {10}, {10}};
    rows.end = {{10}, {20}, {20}};
    rows.thread = {ThreadId(std::size_t{0}), ThreadId(std::size_t{0}), ThreadId(std::size_t{1})};
    rows.cpu = {CpuId(std::size_t{0}), CpuId::none(), CpuId(std::size_t{0})};
    rows.state = {ThreadState::running, ThreadState::ready, ThreadState::running};
    rows.object.assign(3, ObjectId::none());
    rows.releaser.assign(3, ThreadId::none());
    rows.site.assign(3, SiteId::none());
    return timeline;
}

TEST(Timeline, CountsEventsAndCpuTime) {
    EXPECT_EQ(event_count(recorded()), 4);
    EXPECT_EQ(cpu_time_ns(recorded(), ThreadId(std::size_t{1})), 42);
}

TEST(Timeline, SoundOnesPass) {
    EXPECT_TRUE(check(recorded()));
    EXPECT_TRUE(check(predicted()));
}

TEST(Timeline, EveryBrokenInvariantIsNamed) {
    struct Case {
        Timeline (*whole)();
        std::function<void(Timeline&)> break_it;
        char const* message;
    };
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    Case const cases[] = {
        {recorded, [](auto& t) { t.catalogue.threads.clear(); }, "no initial thread"},
        {recorded, [](auto& t) { t.catalogue.threads[1].start_site = SiteId(std::size_t{5}); },
         "thread 1 refers"},
        {recorded, [](auto& t) { t.catalogue.objects[0].first_site = SiteId(std::size_t{5}); },
         "object 0 refers"},
        {recorded, [](auto& t) { t.events.pop_back(); }, "list of events for every thread"},
        {recorded, [](auto& t) { t.events[1].edit(0)->wall_ns = 101; }, "event 1 of thread 1 happens before"},
        {recorded, [](auto& t) { t.events[0].edit(0)->cpu_ns = -1; }, "negative time"},
        {recorded, [](auto& t) { t.events[0].edit(0)->span_ns = -1; }, "negative time"},
        {recorded, [](auto& t) { t.events[0].edit(1)->span_ns = largest; }, "ends beyond"},
        {recorded, [](auto& t) { t.events[0].edit(0)->cpu_ns = largest; }, "beyond the range"},
        {recorded, [](auto& t) { t.events[0].edit(0)->object = ObjectId(std::size_t{1}); }, "does not exist"},
        {recorded, [](auto& t) { t.events[0].edit(0)->related = 0; }, "does not exist"},
        {recorded, [](auto& t) { t.events[0].edit(0)->kind = static_cast<EventKind>(event_kind_count); },
         "unknown kind"},
        {recorded, [](auto& t) { t.events[0].pop_back(); }, "do not end with its end"},
        {recorded, [](auto& t) { t.length.ns = 99; }, "ends after the timeline"},
        {predicted, [](auto& t) { t.intervals->site.pop_back(); }, "differ in length"},
        {predicted, [](auto& t) { t.intervals->end[0].ns = 0; }, "interval 0 has no length"},
        {predicted, [](auto& t) { t.intervals->begin[1].ns = 11; }, "leaves a gap"},
        {predicted, [](auto& t) { t.intervals->thread[1] = ThreadId(std::size_t{1}); }, "interval 2"},
        {predicted, [](auto& t) { t.intervals->cpu[1] = CpuId(std::size_t{0}); },
         "processor 0 runs two threads"},
        {predicted, [](auto& t) { t.intervals->cpu[1] = CpuId(std::size_t{1}); }, "does not exist"},
    };
    for (Case const& item : cases) {
        Timeline timeline = item.whole();
        item.break_it(timeline);
        auto const checked = check(timeline);
        ASSERT_FALSE(checked) << item.message;
        EXPECT_NE(checked.error().message.find(item.message), std::string::npos)
            << checked.error().message << " instead of " << item.message;
    }
}

TEST(Timeline, NamesAreDistinct) {
    std::set<std::string> states;
    for (std::size_t i = 0; i < thread_state_count; ++i)
        states.insert(name_of(static_cast<ThreadState>(i)));
    EXPECT_EQ(states.size(), thread_state_count);
    std::set<std::string> kinds;
    for (std::size_t i = 0; i < event_kind_count; ++i)
        kinds.insert(name_of(static_cast<EventKind>(i)));
    EXPECT_EQ(kinds.size(), event_kind_count);
}

// The names say what a kind does: "timed read lock", "read write unlock".
TEST(EventKinds, AcquireOrReleaseALockAsTheirNamesSay) {
    for (std::size_t i = 0; i < event_kind_count; ++i) {
        auto const kind = static_cast<EventKind>(i);
        std::string const name = name_of(kind);
        std::string const last_word = name.substr(name.rfind(' ') + 1);
        EXPECT_EQ(acquires_lock(kind), last_word == "lock") << name;
        EXPECT_EQ(releases_lock(kind), last_word == "unlock") << name;
    }
}

}  // namespace
}  // namespace parcast
