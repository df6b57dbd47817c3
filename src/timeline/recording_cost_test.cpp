#include "timeline/recording_cost.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "core/kernel_locks.h"

namespace parcast {
namespace {

struct Case {
    bool blocked;
    bool switched;
    double inside_ns;
    double outside_ns;
    char const* because;
};

class RecordingCost : public testing::TestWithParam<Case> {};

TEST_P(RecordingCost, OfAnEvent) {
    RecordingPrices const prices{.event_ns = 10, .clock_read_ns = 1000, .call_probes = {}};
    Event event;
    event.blocked = GetParam().blocked;
    event.switched = GetParam().switched;
    EventCost const cost = recording_cost(event, prices);
    EXPECT_DOUBLE_EQ(cost.inside_ns, GetParam().inside_ns) << GetParam().because;
    EXPECT_DOUBLE_EQ(cost.outside_ns, GetParam().outside_ns) << GetParam().because;
}

INSTANTIATE_TEST_SUITE_P(Rules, RecordingCost,
                         testing::Values(Case{false, false, 0, 10, "ticks alone"},
                                         Case{false, true, 0, 1010, "one reading before the event"},
                                         Case{true, false, 1000, 10, "one reading as the call returns"},
                                         Case{true, true, 1000, 1010, "one before and one after the call"}));

TEST(RecordingCost, OfTheLastArriverAtABarrierHasNoReadingAsTheCallReturns) {
    RecordingPrices const prices{.clock_read_ns = 1000, .call_probes = {}};
    Event event;
    event.kind = EventKind::barrier_wait;
    event.value = 1;
    event.blocked = true;
    EXPECT_DOUBLE_EQ(recording_cost(event, prices).inside_ns, 0);
}

TEST(RecordingCost, OfAReleaseThatWasNotMeasuredIsLess) {
    RecordingPrices const prices{.event_ns = 10, .unmeasured_ns = 3, .call_probes = {}};
    Event event;
    event.kind = EventKind::unlock;
    event.unmeasured = true;
    EXPECT_DOUBLE_EQ(recording_cost(event, prices).outside_ns, 3);
}

TEST(RecordingCost, CountsEventsThatWereNotMeasuredByTheirPartOfThePrice) {
    Provenance provenance;
    EXPECT_DOUBLE_EQ(priced_events(6, provenance), 6) << "no price";
    provenance.event_cost_ns = 10;
    provenance.unmeasured_cost_ns = 2.5;
    provenance.unmeasured_events = 4;
    EXPECT_DOUBLE_EQ(priced_events(6, provenance), 2 + 1);
    EXPECT_DOUBLE_EQ(priced_events(3, provenance), 0.75) << "not more than there are";
}

TEST(RecordingCost, OfATimelineIsThatOfItsEvents) {
    Timeline recorded;
    recorded.provenance.event_cost_ns = 10;
    recorded.provenance.clock_read_ns = 1000;
    recorded.events.resize(2, EventList(3));
    recorded.events[1].edit(2)->blocked = true;
    EXPECT_DOUBLE_EQ(recording_cost(recorded), 6 * 10 + 1000);
}

TEST(RecordingCost, OfWhatTheKernelNotedIsThatOfItsNotes) {
    KernelLocks map;
    map.set(KernelLock::memory_map, ObjectId(std::size_t{0}));
    RecordingPrices const prices{
        .event_ns = 10, .call_probes = {}, .noted_by_kernel = map, .map_change_ns = 900, .map_fault_ns = 120};
    Event event;
    event.object = ObjectId(std::size_t{0});
    for (auto const& [kind, cost_ns] : {std::pair(EventKind::write_lock, 900.0),
                                        {EventKind::read_lock, 120.0},
                                        {EventKind::read_write_unlock, 0.0}}) {
        event.kind = kind;
        EXPECT_DOUBLE_EQ(recording_cost(event, prices).outside_ns, cost_ns) << name_of(kind);
    }
}

TEST(RecordingCost, OfWhatTheKernelNotedWasThatOfTheRecordersHook) {
    Timeline recorded;
    recorded.provenance.event_cost_ns = 10;
    recorded.catalogue.objects = {{ObjectKind::reader_writer_lock,
                                   0x1000,
                                   std::string(name_of(KernelLock::memory_map)),
                                   SiteId::none(),
                                   {}},
                                  {ObjectKind::reader_writer_lock,
                                   0,
                                   std::string(name_of(KernelLock::memory_map)),
                                   SiteId::none(),
                                   {}}};
    recorded.events.resize(1, EventList(3));
    recorded.events[0].edit(0)->object = ObjectId(std::size_t{0});
    recorded.events[0].edit(1)->object = ObjectId(std::size_t{1});
    EXPECT_DOUBLE_EQ(recording_cost(recorded), 2 * 10) << "a lock of the program may have that name";
}

}  // namespace
}  // namespace parcast
