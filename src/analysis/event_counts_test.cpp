#include "analysis/event_counts.h"

#include <gtest/gtest.h>

#include "support/recording_builder.h"

namespace parcast::analysis {
namespace {

using extract::Call;
using extract::Recording;

TEST(EventCounts, AThreadBeginsAndEndsWithAnEvent) {
    Recording recording(1);
    recording.begin(0, 0).end(0, 100, 100);
    auto const counts = count_events(recording.timeline());
    EXPECT_EQ(counts.threads[0].events, 2);
    EXPECT_EQ(counts.threads[0].calls, 0);
    EXPECT_DOUBLE_EQ(counts.threads[0].active_ns, 100);
    EXPECT_EQ(counts.places.size(), 1U) << "begins and ends";
    EXPECT_EQ(counts.places[0].events, 2);
}

TEST(EventCounts, AThreadWithoutARecordedEventHasNone) {
    Recording recording(2);
    recording.begin(0, 0).end(0, 100, 100);
    EXPECT_EQ(count_events(recording.timeline()).threads[1].events, 0);
}

TEST(EventCounts, AThreadThatNeverEndsHasItsLastEventAtTheEndOfTheRecording) {
    Recording recording(1);
    auto const mutex = recording.object(ObjectKind::mutex);
    recording.begin(0, 0)
        .add(0, {.kind = EventKind::lock, .at = 10, .cpu = 10, .object = mutex})
        .end(0, 50, 40, Outcome::cut_off);
    auto const thread = count_events(recording.timeline()).threads[0];
    EXPECT_EQ(thread.events, 3);
    EXPECT_DOUBLE_EQ(thread.active_ns, 50);

    Recording without_end(1);
    without_end.begin(0, 0).add(0, {.kind = EventKind::lock, .at = 10, .cpu = 10, .object = mutex});
    EXPECT_EQ(count_events(without_end.timeline()).threads[0].events, 3);
}

TEST(EventCounts, ReadsWaitAndWritesDoNot) {
    Recording recording(1);
    auto const mutex = recording.object(ObjectKind::mutex);
    auto const condition = recording.object(ObjectKind::condition);
    recording.begin(0, 0)
        .add(0, {.kind = EventKind::lock, .at = 10, .cpu = 10, .object = mutex})
        .add(0, {.kind = EventKind::condition_wait, .at = 20, .cpu = 10, .object = condition})
        .add(0, {.kind = EventKind::unlock, .at = 30, .cpu = 10, .object = mutex})
        .add(0, {.kind = EventKind::condition_signal, .at = 40, .cpu = 10, .object = condition})
        .add(0, {.kind = EventKind::yield, .at = 50, .cpu = 10})  // the program's own work
        .end(0, 60, 10);
    auto const thread = count_events(recording.timeline()).threads[0];
    EXPECT_EQ(thread.events, 6);
    EXPECT_EQ(thread.reads, 2);
    EXPECT_EQ(thread.writes, 2);
    EXPECT_DOUBLE_EQ(thread.active_ns, 60);
}

TEST(EventCounts, CallsWithLessWorkBetweenThemThanAskedForAreOneEvent) {
    Recording recording(1);
    auto const mutex = recording.object(ObjectKind::mutex);
    recording.begin(0, 0)
        .add(0, {.kind = EventKind::lock, .at = 100, .cpu = 100, .object = mutex})
        .add(0, {.kind = EventKind::unlock, .at = 105, .cpu = 5, .object = mutex})
        .add(0, {.kind = EventKind::lock, .at = 205, .cpu = 100, .object = mutex})
        .end(0, 305, 100);
    EXPECT_EQ(count_events(recording.timeline(), Duration{5}).threads[0].events, 5);
    auto const thread = count_events(recording.timeline(), Duration{6}).threads[0];
    EXPECT_EQ(thread.events, 4);
    EXPECT_EQ(thread.calls, 3);
    EXPECT_EQ(thread.reads, 2) << "lock and unlock together wait";
    EXPECT_EQ(thread.writes, 0);
    EXPECT_DOUBLE_EQ(thread.active_ns, 300);
    EXPECT_DOUBLE_EQ(thread.communicating_ns, 5) << "work inside an event";
}

TEST(EventCounts, CpuTimeInInputIsCommunicationAndOnTheWayIntoAWaitIsNotTheThreads) {
    Recording recording(1);
    auto const file = recording.object(ObjectKind::descriptor);
    auto const mutex = recording.object(ObjectKind::mutex);
    recording.begin(0, 0)
        .add(0, {.kind = EventKind::input,
                 .at = 10,
                 .cpu = 10,
                 .span = 30,
                 .object = file,
                 .value = 4096,
                 .cpu_inside = 7})
        .add(0, {.kind = EventKind::lock, .at = 50, .cpu = 10, .span = 20, .object = mutex, .cpu_inside = 9})
        .end(0, 80, 10);
    auto const thread = count_events(recording.timeline()).threads[0];
    EXPECT_DOUBLE_EQ(thread.communicating_ns, 7);
    EXPECT_DOUBLE_EQ(thread.active_ns, 30);
    EXPECT_EQ(thread.data_bytes, 4096);
    EXPECT_EQ(thread.read_wait_ns, 23);
}

TEST(EventCounts, TheCostOfRecordingIsNoWork) {
    Recording recording(1);
    auto const mutex = recording.object(ObjectKind::mutex);
    recording.timeline().provenance.event_cost_ns = 20;
    recording.begin(0, 0)
        .add(0, {.kind = EventKind::lock, .at = 100, .cpu = 120, .object = mutex})
        .add(0, {.kind = EventKind::unlock, .at = 200, .cpu = 15, .object = mutex})  // less than it cost
        .end(0, 300, 125);
    // 20 for the begin, which is in the work after it.
    EXPECT_DOUBLE_EQ(count_events(recording.timeline()).threads[0].active_ns, 120 + 15 + 125 - 4 * 20);
}

TEST(EventCounts, ObjectsOfOneNameAreOnePlace) {
    Recording recording(1);
    auto const first = recording.object(ObjectKind::mutex);
    auto const second = recording.object(ObjectKind::mutex);
    auto const other = recording.object(ObjectKind::mutex);
    for (auto const object : {first, second})
        recording.timeline().catalogue.objects[object].name = "rows";
    recording.timeline().catalogue.objects[other].name = "columns";
    auto const site = recording.site();
    recording.begin(0, 0);
    for (auto const object : {first, second, other, first})
        recording.add(0, {.kind = EventKind::lock, .at = 10, .cpu = 10, .object = object, .site = site});
    recording.end(0, 100, 10);
    auto const counts = count_events(recording.timeline());
    ASSERT_EQ(counts.places.size(), 3U);
    EXPECT_EQ(counts.places[1].object, ObjectId(first));
    EXPECT_EQ(counts.places[1].events, 3);
    EXPECT_EQ(counts.places[2].events, 1);
}

}  // namespace
}  // namespace parcast::analysis
