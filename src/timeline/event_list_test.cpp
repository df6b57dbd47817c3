#include "timeline/event_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <random>
#include <vector>

namespace {
std::size_t allocations = 0;
}

[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size))
        return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace parcast {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

Event plain() {
    Event event;
    event.wall_ns = 1'000'000'000'003;
    event.cpu_ns = 17;
    event.kind = EventKind::unlock;
    event.object = ObjectId(std::size_t{5});
    event.site = SiteId(std::size_t{9});
    event.switched = true;
    return event;
}

template <class Change>
Event changed(Change change) {
    Event event = plain();
    change(event);
    return event;
}

struct Case {
    Event event;
    char const* because;
};

class EventListHolds : public testing::TestWithParam<Case> {};

TEST_P(EventListHolds, WhatWasAppended) {
    EventList list;
    list.push_back(plain());
    list.push_back(GetParam().event);
    list.push_back(plain());
    EXPECT_EQ(list[1], GetParam().event) << GetParam().because;
    EXPECT_EQ(list[0], plain());
    EXPECT_EQ(list.back(), plain());
}

TEST_P(EventListHolds, WhatItWasChangedTo) {
    EventList list(3);
    list.set(1, GetParam().event);
    EXPECT_EQ(list[1], GetParam().event) << GetParam().because;
    EXPECT_EQ(list[0], Event{});
    EXPECT_EQ(list[2], Event{});
    *list.edit(1) = plain();
    EXPECT_EQ(list[1], plain()) << "and back: " << GetParam().because;
    list.set(1, GetParam().event);
    EXPECT_EQ(list[1], GetParam().event) << "once more: " << GetParam().because;
    list.set_object(1, ObjectId(std::size_t{3}));
    Event renamed = GetParam().event;
    renamed.object = ObjectId(std::size_t{3});
    EXPECT_EQ(list[1], renamed) << GetParam().because;
    EXPECT_EQ(list.object_of(1), renamed.object) << GetParam().because;
}

INSTANTIATE_TEST_SUITE_P(
    Fields, EventListHolds,
    testing::Values(
        Case{plain(), "nothing beyond a row"}, Case{Event{}, "no object, no site"},
        Case{changed([](Event& e) { e.cpu_ns = (std::int64_t{1} << 32) - 1; }), "the most CPU time of a row"},
        Case{changed([](Event& e) { e.cpu_ns = std::int64_t{1} << 32; }), "four seconds of work"},
        Case{changed([](Event& e) { e.cpu_ns = -1; }), "a damaged file"},
        Case{changed([](Event& e) { e.cpu_ns = largest; }), "a damaged file"},
        Case{changed([](Event& e) { e.wall_ns = smallest; }), "a damaged file"},
        Case{changed([](Event& e) { e.wall_ns = largest; }), "a damaged file"},
        Case{changed([](Event& e) { e.wall_ns += (std::int64_t{1} << 32) - 1; }),
             "the furthest arrival of a row"},
        Case{changed([](Event& e) { e.wall_ns += std::int64_t{1} << 32; }), "four seconds later"},
        Case{changed([](Event& e) { e.wall_ns -= 1; }), "before the first one"},
        Case{changed([](Event& e) { e.span_ns = 1; }), "a call that took time"},
        Case{changed([](Event& e) { e.span_ns = (std::int64_t{1} << 32) - 1; }), "the longest narrow wait"},
        Case{changed([](Event& e) { e.span_ns = std::int64_t{1} << 32; }), "four seconds of waiting"},
        Case{changed([](Event& e) { e.value = std::int64_t{1} << 32; }), "four gigabytes read"},
        Case{changed([](Event& e) { e.cpu_inside_ns = smallest; }), "a damaged file"},
        Case{changed([](Event& e) { e.value = -1; }), "a value"},
        Case{changed([](Event& e) { e.related = 0; }), "a related thread"},
        Case{changed([](Event& e) { e.site = SiteId(std::size_t{(1u << 19) - 2}); }),
             "the last site of a row"},
        Case{changed([](Event& e) { e.site = SiteId(std::size_t{(1u << 19) - 1}); }),
             "not to be taken for none"},
        Case{changed([](Event& e) { e.site = SiteId(std::size_t{1u << 19}); }), "half a million sites"},
        Case{changed([](Event& e) { e.site = SiteId::none(); }), "no site"},
        Case{changed([](Event& e) { e.object.value = 0xfffffffe; }), "the last object"},
        Case{changed([](Event& e) { e.blocked = true; }), "blocked"},
        Case{changed([](Event& e) { e.unmeasured = true; }), "not measured"},
        Case{changed([](Event& e) { e.outcome = Outcome::cut_off; }), "cut off"},
        Case{changed([](Event& e) { e.kind = static_cast<EventKind>(event_kind_count); }),
             "an unknown kind, for check() to find"}));

// Chunks end at 2^16 events.
TEST(EventList, ReadsBackManyEventsInOrderForwardsAndByIndex) {
    std::mt19937_64 random(4);
    std::vector<Event> events;
    for (std::int64_t i = 0; i < 200'000; ++i) {
        Event event = plain();
        event.wall_ns = i;
        event.span_ns = random() % 3 == 0 ? static_cast<std::int64_t>(random()) : 0;
        events.push_back(event);
    }
    EventList const list = events;
    ASSERT_EQ(list.size(), events.size());
    EXPECT_TRUE(std::equal(list.begin(), list.end(), events.begin()));
    for (std::size_t i : {0u, 65'535u, 65'536u, 131'072u, 199'999u})
        EXPECT_EQ(list[i], events[i]) << i;
    EventList shorter = list;
    shorter.resize(65'536);
    EXPECT_EQ(shorter.back(), events[65'535]);
    shorter.push_back(events[7]);
    EXPECT_EQ(shorter.back(), events[7]);
    EXPECT_FALSE(shorter == list);
}

TEST(EventList, KeepsWaitsOfWhatFollowsWhatWasReleasedInWhateverOrderTheyWereSet) {
    constexpr std::size_t count = 300'000;
    Event waits = plain();
    waits.span_ns = 7;
    Event carries = waits;
    carries.value = 9;
    Event wide = carries;
    wide.span_ns = 1'000'000'000'007;
    std::array<Event, 3> const forms = {waits, carries, wide};
    EventList list(count);
    list.set(200'000, waits);  // and gives up that place when it becomes a wide one
    for (std::size_t i = count; i-- > 0;)
        list.set(i, forms[i % 3]);
    for (std::size_t first = 0; first <= count; first += 50'000) {
        list.release_before(first);
        for (std::size_t i = first; i < count; i += 9'999)
            EXPECT_EQ(list[i], forms[i % 3]) << i;
    }
}

// What is thrown by the end of an edit ends the program.
TEST(EventList, AnEventThatGrowsByAnEditIsWrittenBackWithoutAllocating) {
    EventList list(1);
    std::size_t before = 0;
    {
        auto edit = list.edit(0);
        edit->span_ns = 1'000'000'000'007;
        before = allocations;
    }
    EXPECT_EQ(allocations, before);
    EXPECT_EQ(list[0].span_ns, 1'000'000'000'007);
}

// Numbers of a damaged file, before they are checked.
TEST(EventList, KeepsArrivalsThatWrapAround) {
    EventList list;
    for (auto const wall_ns : {largest, smallest, std::int64_t{0}, largest, smallest + 1})
        list.push_back(changed([&](Event& e) { e.wall_ns = wall_ns; }));
    EXPECT_EQ(list[0].wall_ns, largest);
    EXPECT_EQ(list[1].wall_ns, smallest);
    EXPECT_EQ(list[2].wall_ns, 0);
    EXPECT_EQ(list[3].wall_ns, largest);
    EXPECT_EQ(list[4].wall_ns, smallest + 1);
}

TEST(EventList, KeepsArrivalsThatAreSecondsFromEachOther) {
    EventList list;
    for (std::int64_t i = 0; i < 100; ++i)
        list.push_back(changed([&](Event& e) { e.wall_ns = i * 700'000'000; }));
    list.resize(64);
    list.push_back(changed([&](Event& e) { e.wall_ns = 50; }));
    for (std::int64_t i = 0; i < 64; ++i)
        EXPECT_EQ(list[static_cast<std::size_t>(i)].wall_ns, i * 700'000'000);
    EXPECT_EQ(list.back().wall_ns, 50);
}

TEST(EventList, KeepsWhatFollowsWhatWasReleased) {
    EventList list(150'000);
    list.set(149'999, plain());
    list.set(140'000, plain());
    list.release_before(140'000);
    EXPECT_EQ(list.size(), 150'000u);
    EXPECT_EQ(list[140'000], plain());
    EXPECT_EQ(list.back(), plain());
}

}  // namespace
}  // namespace parcast
