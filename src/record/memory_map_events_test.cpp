#include "record/memory_map_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include <linux/perf_event.h>

namespace parcast::record {
namespace {

using Section = MemoryMapEvents::Section;

Event event_at(std::int64_t wall_ns, std::int64_t cpu_ns) {
    Event event;
    event.kind = EventKind::barrier_wait;
    event.wall_ns = wall_ns;
    event.cpu_ns = cpu_ns;
    return event;
}

std::vector<Event> with_sections(Event const& event, std::vector<Section> const& sections,
                                 std::int64_t end_ns = 0) {
    std::vector<Event> events;
    append_with_sections(event, sections, end_ns, {ObjectId(0), ObjectId(1)}, events);
    return events;
}

std::vector<std::int64_t> cpu_times(std::vector<Event> const& events) {
    std::vector<std::int64_t> times;
    for (Event const& event : events)
        times.push_back(event.cpu_ns);
    return times;
}

TEST(MemoryMapEvents, AChangeHoldsTheLockForItselfAndAFaultSharesIt) {
    auto const events = with_sections(event_at(10'000, 10'000), {{3'000, 1'000, false}, {5'000, 500, true}});
    ASSERT_EQ(events.size(), 5u);
    EXPECT_EQ(events[0].kind, EventKind::write_lock);
    EXPECT_EQ(events[1].kind, EventKind::read_write_unlock);
    EXPECT_EQ(events[2].kind, EventKind::read_lock);
    EXPECT_EQ(events[3].kind, EventKind::read_write_unlock);
    EXPECT_EQ(cpu_times(events), (std::vector<std::int64_t>{2'000, 1'000, 2'000, 500, 4'500}))
        << "a change is noted at its end, a fault at its beginning";
    EXPECT_EQ(events[1].object, ObjectId(0));
    EXPECT_EQ(events[2].object, ObjectId(1));
    EXPECT_EQ(events[3].object, ObjectId(1));
}

// The time for it was taken for that of the change before, and the lock seemed to be free meanwhile.
TEST(MemoryMapEvents, AFaultRightAfterAChangeHoldsTheLockForItsWholeTime) {
    auto const events =
        with_sections(event_at(20'000, 20'000), {{10'000, 6'000, false}, {11'000, 3'000, true}});
    EXPECT_EQ(cpu_times(events), (std::vector<std::int64_t>{4'000, 6'000, 1'000, 3'000, 6'000}));
    EXPECT_EQ(events[3].wall_ns, 14'000);
}

TEST(MemoryMapEvents, AFaultIsOverWhenItsThreadComesToAnotherUse) {
    auto const events =
        with_sections(event_at(20'000, 20'000), {{10'000, 3'000, true}, {12'000, 3'000, true}});
    EXPECT_EQ(cpu_times(events), (std::vector<std::int64_t>{10'000, 2'000, 0, 3'000, 5'000}));
}

TEST(MemoryMapEvents, OfAThreadThatWasSwitchedOutTheLongestGapIsShortened) {
    // 3 of its 10 us it ran, and between the second use and the event others did.
    auto const events = with_sections(event_at(10'000, 3'000), {{1'000, 200, false}, {2'000, 200, false}});
    EXPECT_EQ(cpu_times(events), (std::vector<std::int64_t>{800, 200, 800, 200, 1'000}));
}

TEST(MemoryMapEvents, OfEquallyLongGapsTheFirstIsShortened) {
    auto const events =
        with_sections(event_at(4'000, 2'500), {{1'000, 0, true}, {2'000, 0, true}, {3'000, 0, true}});
    EXPECT_EQ(cpu_times(events), (std::vector<std::int64_t>{0, 0, 500, 0, 1'000, 0, 1'000}));
}

// It was seconds for a thread that allocates between two calls.
TEST(MemoryMapEvents, ShortenedEachOfManyGapsByASearchOfAllOfThem) {
    std::vector<Section> sections;
    for (std::int64_t i = 1; i <= 100'000; ++i)
        sections.push_back({i * 1'000, 500, i % 2 == 0});
    auto const times = cpu_times(with_sections(event_at(100'001'000, 70'000), sections));
    EXPECT_EQ(std::accumulate(times.begin(), times.end(), std::int64_t{0}), 70'000);
}

TEST(MemoryMapEvents, NoCpuTimeIsLostOrAdded) {
    for (std::int64_t const cpu_ns : {0, 1, 999, 5'000, 10'000, 12'345}) {
        auto const times = cpu_times(with_sections(
            event_at(10'000, cpu_ns),
            {{-5, 700, false}, {100, 700, true}, {100, 700, true}, {9'999, 700, false}, {20'000, 1, false}}));
        EXPECT_EQ(std::accumulate(times.begin(), times.end(), std::int64_t{0}), cpu_ns);
        EXPECT_GE(*std::ranges::min_element(times), 0);
    }
}

// Two threads, numbers 12 and 13, of a process 11 that began at 100 ms.
struct Recorded {
    Timeline timeline;
    std::vector<std::vector<Event>> events{2};
};

Recorded recorded(MemoryMapUses const& uses) {
    Recorded recorded;
    recorded.timeline.catalogue.threads.resize(2);
    recorded.timeline.catalogue.threads[0].kernel_id = 12;
    recorded.timeline.catalogue.threads[1].kernel_id = 13;
    recorded.timeline.provenance.cpu_ns = 1'000'000;
    wire::Header header{};
    header.process = 11;
    header.begin.monotonic_ns = 100'000'000;
    MemoryMapEvents map;
    map.add(uses, header, recorded.timeline);
    RecordingSink const keep{[&](ThreadId thread, std::span<Event const> some) {
        auto& own = recorded.events[thread.index()];
        own.insert(own.end(), some.begin(), some.end());
    }};
    auto const sink = map.inserted(keep);
    for (std::size_t thread = 0; thread < 2; ++thread) {
        std::vector const events = {event_at(0, 0), event_at(400'000, 400'000)};
        sink.events(ThreadId(thread), events);
    }
    return recorded;
}

MemoryMapUse change(std::uint32_t thread, std::int64_t at_ns, std::uint32_t process = 11) {
    return {100'000'000 + at_ns, process, thread, false};
}

TEST(MemoryMapEvents, OfTwoThreadsThatChangeTheMapGetALockOfThatName) {
    auto const found = recorded({{2'000, 500, 0, 0}, true, 0, {change(12, 10'000), change(13, 20'000)}});
    ASSERT_EQ(found.timeline.catalogue.objects.size(), 1u);
    EXPECT_EQ(found.timeline.catalogue.objects[0].name, "memory map");
    EXPECT_EQ(found.events[0].size(), 4u);
    EXPECT_EQ(found.events[1].size(), 4u);
}

// A thread that made sixty others had no lock, and the others, which touched their stacks, did not wait for
// it.
TEST(MemoryMapEvents, AThreadThatChangesTheMapMeetsThoseThatTouchTheirPages) {
    auto touch = change(13, 20'000);
    touch.is_fault = true;
    auto const found = recorded({{2'000, 500, 0, 0}, true, 0, {change(12, 10'000), touch}});
    ASSERT_EQ(found.timeline.catalogue.objects.size(), 1u);
    EXPECT_EQ(found.events[0].front().kind, EventKind::barrier_wait);
    EXPECT_EQ(found.events[1].at(1).kind, EventKind::read_lock);
}

// Whoever came first had the page faults of all, and nothing told.
TEST(MemoryMapEvents, PageFaultsAreThereThoughNobodyChangesTheMap) {
    auto touch = change(13, 20'000);
    touch.is_fault = true;
    auto another = touch;
    another.kernel_thread = 12;
    EXPECT_EQ(recorded({{2'000, 500, 0, 0}, true, 0, {another, touch}}).events[0].at(1).kind,
              EventKind::read_lock);
}

TEST(MemoryMapEvents, WhereTheKernelLocksAreasPageFaultsDoNotTakeTheMapsLock) {
    auto touch = change(13, 20'000);
    touch.is_fault = true;
    auto const found = recorded({{2'000, 500, 0, 0}, false, 0, {change(12, 10'000), touch}});
    ASSERT_EQ(found.timeline.catalogue.objects.size(), 2u);
    EXPECT_EQ(found.timeline.catalogue.objects[1].name, "memory areas");
    EXPECT_EQ(found.events[0].at(1).object, ObjectId(0));
    EXPECT_EQ(found.events[1].at(1).object, ObjectId(1));
}

TEST(MemoryMapEvents, TellWhatTheKernelsNotesTook) {
    auto const found = recorded({{2'000, 500, 900, 100}, true, 0, {change(12, 10'000), change(13, 20'000)}});
    EXPECT_EQ(found.timeline.provenance.map_change_note_ns, 900);
    EXPECT_EQ(found.timeline.provenance.map_fault_note_ns, 100);
}

// A program that only touches pages paid for the notes of that, and its work was as much too long.
TEST(MemoryMapEvents, AreThereWhereTheirNotesTookMuchThoughNobodyCouldWait) {
    auto touch = change(12, 10'000);
    touch.is_fault = true;
    EXPECT_EQ(recorded({{2'000, 500, 900, 3'000}, true, 0, {touch}}).timeline.catalogue.objects.size(), 1u);
    EXPECT_TRUE(recorded({{2'000, 500, 900, 1'000}, true, 0, {touch}}).timeline.catalogue.objects.empty());
}

TEST(MemoryMapEvents, WhereThreadsCannotMeetThereAreNone) {
    auto const is_as_before = [](Recorded const& found) {
        return found.timeline.catalogue.objects.empty() && found.events[0].size() == 2;
    };
    EXPECT_TRUE(is_as_before(recorded({{2'000, 500, 0, 0}, true, 0, {}})));
    EXPECT_TRUE(is_as_before(recorded({{2'000, 500, 0, 0}, true, 0, {change(12, 10), change(12, 20)}})))
        << "one thread alone";
    EXPECT_TRUE(is_as_before(recorded({{2, 1, 0, 0}, true, 0, {change(12, 10), change(13, 20)}})))
        << "too short to matter";
    EXPECT_TRUE(is_as_before(recorded({{2'000, 500, 0, 0}, true, 0, {change(12, 10), change(13, 20, 99)}})))
        << "another process";
}

TEST(MemoryMapEvents, ThatTheKernelLostWereMissingWithoutAFinding) {
    auto const found = recorded({{2'000, 500, 0, 0}, true, 3, {}});
    EXPECT_EQ(found.timeline.provenance.lost_events, 3);
}

TEST(MemoryMapEvents, TellWhichPageFaultsAreNearOneOfTheLastEight) {
    auto const touch = [](std::uint32_t thread, std::int64_t at_ns, std::uint64_t page) {
        auto use = change(thread, at_ns);
        use.is_fault = true;
        use.address = 0x7f0000000000 + 4096 * page;
        return use;
    };
    auto const found =
        recorded({{2'000, 500, 0, 0},
                  true,
                  0,
                  {touch(12, 1'000, 10), touch(13, 2'000, 500), touch(12, 3'000, 11), touch(12, 4'000, 90),
                   touch(12, 5'000, 15), touch(12, 6'000, 20), touch(13, 7'000, 11)}});
    auto const near = [&](std::size_t thread) {
        std::vector<std::int64_t> values;
        for (Event const& event : found.events[thread])
            if (event.kind == EventKind::read_lock)
                values.push_back(event.value);
        return values;
    };
    EXPECT_EQ(near(0), (std::vector<std::int64_t>{0, 1, 0, 1, 0})) << "two arrays may be filled in turn";
    EXPECT_EQ(near(1), (std::vector<std::int64_t>{0, 0})) << "of the same thread";
}

// As the kernel writes them: the thread and the time at the end.
std::vector<std::byte> record_of(std::uint32_t type, std::size_t between, std::uint32_t process,
                                 std::uint32_t thread, std::uint64_t time) {
    std::vector<std::byte> record(sizeof(perf_event_header) + between + 16);
    perf_event_header const header{type, 0, static_cast<std::uint16_t>(record.size())};
    std::memcpy(record.data(), &header, sizeof header);
    std::byte* const end = record.data() + record.size() - 16;
    std::memcpy(end, &process, sizeof process);
    std::memcpy(end + 4, &thread, sizeof thread);
    std::memcpy(end + 8, &time, sizeof time);
    return record;
}

// The address at its end.
std::vector<std::byte> page_fault_of(std::uint32_t process, std::uint32_t thread, std::uint64_t time,
                                     std::uint64_t address) {
    auto record = record_of(PERF_RECORD_SAMPLE, 0, process, thread, time);
    auto const size = record.size();
    record.resize(size + sizeof address);
    std::memcpy(record.data() + size, &address, sizeof address);
    return record;
}

TEST(MemoryMapWatch, TakesChangesAndFaultsAndNothingElse) {
    MemoryMapUses uses;
    add_use(record_of(PERF_RECORD_MMAP, 40, 11, 12, 1'000), uses);
    add_use(page_fault_of(11, 13, 2'000, 0x7fff1000), uses);
    add_use(record_of(PERF_RECORD_THROTTLE, 24, 11, 12, 3'000), uses);
    add_use(record_of(4'711, 8, 11, 12, 4'000), uses);
    ASSERT_EQ(uses.uses.size(), 2u);
    EXPECT_FALSE(uses.uses[0].is_fault);
    EXPECT_EQ(uses.uses[0].process, 11u);
    EXPECT_EQ(uses.uses[0].kernel_thread, 12u);
    EXPECT_EQ(uses.uses[0].monotonic_ns, 1'000);
    EXPECT_TRUE(uses.uses[1].is_fault);
    EXPECT_EQ(uses.uses[1].kernel_thread, 13u);
    EXPECT_EQ(uses.uses[1].monotonic_ns, 2'000);
    EXPECT_EQ(uses.uses[1].address, 0x7fff1000u);
}

TEST(MemoryMapWatch, PassesOverARecordThatIsTooShort) {
    auto const whole = record_of(PERF_RECORD_MMAP, 0, 11, 12, 1'000);
    auto const fault = page_fault_of(11, 13, 2'000, 0x7fff1000);
    MemoryMapUses uses;
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
        add_use(std::span(whole).first(bytes), uses);
    for (std::size_t bytes = 0; bytes < fault.size(); ++bytes)
        add_use(std::span(fault).first(bytes), uses);
    EXPECT_TRUE(uses.uses.empty());
}

TEST(MemoryMapWatch, KnowsFromWhichLinuxOnPageFaultsTakeNoLock) {
    EXPECT_TRUE(faults_share_lock("6.1.0-18-amd64"));
    EXPECT_TRUE(faults_share_lock("5.15.0"));
    EXPECT_FALSE(faults_share_lock("6.4.0"));
    EXPECT_FALSE(faults_share_lock("6.12.1-cloud"));
    EXPECT_FALSE(faults_share_lock("7.0"));
}

TEST(MemoryMapWatch, MeasuresWhatAChangeAndAFaultCost) {
    auto const costs = memory_map_costs();
    EXPECT_GT(costs.change_ns, 0);
    EXPECT_GT(costs.fault_ns, 0);
}

}  // namespace
}  // namespace parcast::record
