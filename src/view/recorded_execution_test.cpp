#include "view/recorded.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "support/conserves_time.h"

namespace parcast::view {
namespace {

Event event(EventKind kind, std::int64_t wall_ns, std::int64_t cpu_ns, std::int64_t span_ns = 0) {
    Event made;
    made.kind = kind;
    made.wall_ns = wall_ns;
    made.cpu_ns = cpu_ns;
    made.span_ns = span_ns;
    made.blocked = span_ns > 0;
    return made;
}

Timeline recording(std::vector<EventList> events) {
    Timeline timeline;
    timeline.catalogue.threads.resize(events.size());
    timeline.catalogue.objects.resize(1);
    for (auto const& list : events)
        timeline.length.ns = std::max(timeline.length.ns, list.back().wall_ns + list.back().span_ns);
    timeline.events = std::move(events);
    return timeline;
}

struct Row {
    std::uint32_t thread;
    std::int64_t begin;
    std::int64_t end;
    ThreadState state;
    friend bool operator==(Row const&, Row const&) = default;
};

std::vector<Row> rows_of(IntervalColumns const& columns) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < columns.size(); ++i)
        rows.push_back({columns.thread[i].value, columns.begin[i].ns, columns.end[i].ns, columns.state[i]});
    return rows;
}

using enum ThreadState;

TEST(RecordedIntervals, OfAThreadThatIsNeverSwitchedOutAreExact) {
    auto const timeline = recording({{event(EventKind::lock, 10, 10), event(EventKind::sleep, 25, 15, 100),
                                      event(EventKind::process_exit, 130, 5)}});
    EXPECT_EQ(rows_of(recorded_intervals(timeline)),
              (std::vector<Row>{{0, 0, 25, running}, {0, 25, 125, sleeping}, {0, 125, 130, running}}));
}

// Thread 0 works from 0 to its join at 60, during which thread 1 works 30 of its 40 ns.
TEST(RecordedIntervals, AThreadThatIsSwitchedOutIsReadyWhileTheOtherHasTheProcessor) {
    auto const timeline =
        recording({{event(EventKind::thread_create, 10, 10), event(EventKind::thread_join, 60, 20, 20),
                    event(EventKind::process_exit, 85, 5)},
                   {event(EventKind::thread_begin, 10, 0), event(EventKind::unlock, 40, 30),
                    event(EventKind::thread_end, 70, 10)}});
    EXPECT_EQ(rows_of(recorded_intervals(timeline)), (std::vector<Row>{{0, 0, 10, running},
                                                                       {0, 10, 40, ready},
                                                                       {0, 40, 60, running},
                                                                       {0, 60, 80, blocked},
                                                                       {0, 80, 85, running},
                                                                       {1, 10, 40, running},
                                                                       {1, 40, 60, ready},
                                                                       {1, 60, 70, running}}));
}

TEST(RecordedIntervals, TheSystemsWorkInACallIsRunning) {
    auto write = event(EventKind::output, 10, 10, 50);
    write.cpu_inside_ns = 20;
    write.object = ObjectId(0);
    auto const timeline = recording({{write, event(EventKind::process_exit, 60, 0)}});
    auto const columns = recorded_intervals(timeline);
    EXPECT_EQ(rows_of(columns), (std::vector<Row>{{0, 0, 30, running}, {0, 30, 60, input_output}}));
    EXPECT_EQ(columns.object[1], ObjectId(0));
}

// A random schedule on one processor, recorded: it is found again up to the order within windows.
Timeline random_recording(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::size_t const threads = 1 + random() % 5;
    std::vector<EventList> events(threads);
    std::vector<std::int64_t> cpu_ns(threads);
    std::vector<std::int64_t> asleep_until(threads);
    std::int64_t now = 0;
    for (std::size_t thread = 1; thread < threads; ++thread)
        events[thread].push_back(event(EventKind::thread_begin, 0, 0));
    for (int step = 0; step < 300; ++step) {
        auto const thread = random() % threads;
        if (asleep_until[thread] > now)
            continue;
        auto const slice = static_cast<std::int64_t>(random() % 50);
        now += slice;
        cpu_ns[thread] += slice;
        if (random() % 3 == 0)
            continue;  // preempted
        auto const sleep = random() % 4 == 0 ? static_cast<std::int64_t>(random() % 200) : 0;
        events[thread].push_back(event(sleep > 0 ? EventKind::sleep : EventKind::unlock, now,
                                       std::exchange(cpu_ns[thread], 0), sleep));
        asleep_until[thread] = now + sleep;
    }
    for (std::size_t thread = 0; thread < threads; ++thread) {
        now = std::max(now, asleep_until[thread]);
        events[thread].push_back(
            event(thread == 0 ? EventKind::process_exit : EventKind::thread_end, now, cpu_ns[thread]));
    }
    return recording(std::move(events));
}

TEST(RecordedIntervals, GiveEachThreadItsProcessorTimeOnOneProcessor) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        auto const timeline = random_recording(seed);
        auto const execution = recorded_execution(timeline);
        std::map<std::uint32_t, std::int64_t> running_ns;
        for (auto const& row : rows_of(*execution.run.timeline->intervals))
            running_ns[row.thread] += row.state == running ? row.end - row.begin : 0;
        for (std::size_t thread = 0; thread < timeline.events.size(); ++thread)
            EXPECT_EQ(running_ns[static_cast<std::uint32_t>(thread)],
                      cpu_time_ns(timeline, ThreadId(thread)));

        auto predicted =
            *execution.run.timeline;  // whose intervals are checked: no overlap on the processor, no gaps
        predicted.origin = Origin::predicted;
        auto const checked = check(predicted);
        EXPECT_TRUE(checked.has_value())
            << "seed " << seed << ": " << (checked ? "" : checked.error().message);
        EXPECT_TRUE(conserves_time(execution.run.accounts)) << seed;
    }
}

TEST(RecordedExecution, SaysThatItWasRecordedAndHasItsEvents) {
    auto lock = event(EventKind::lock, 10, 10);
    lock.object = ObjectId(0);
    auto const bytes = recorded_execution_bytes(recording({{lock, event(EventKind::process_exit, 25, 15)}}));
    auto const reader = SectionReader::open(bytes, execution_magic);
    ASSERT_TRUE(reader);
    auto const totals = *reader->column<double>("totals");
    EXPECT_EQ(totals[1], 25);
    EXPECT_EQ(totals[2], 25);
    EXPECT_EQ(totals[25], 0) << "not predicted";
    auto const kinds = *reader->column<std::uint8_t>("event.kind");
    ASSERT_EQ(kinds.size(), 2U);
    EXPECT_EQ(kinds[0], static_cast<std::uint8_t>(OperationKind::lock));
    EXPECT_EQ((*reader->column<std::uint32_t>("event.object"))[0], 0U);
    EXPECT_EQ((*reader->column<double>("object.operations"))[0], 1);
}

}  // namespace
}  // namespace parcast::view
