#include "timeline/recording_cost.h"

#include <gtest/gtest.h>

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
    Provenance provenance;
    provenance.event_cost_ns = 10;
    provenance.clock_read_ns = 1000;
    Event event;
    event.blocked = GetParam().blocked;
    event.switched = GetParam().switched;
    EventCost const cost = recording_cost(event, provenance);
    EXPECT_DOUBLE_EQ(cost.inside_ns, GetParam().inside_ns) << GetParam().because;
    EXPECT_DOUBLE_EQ(cost.outside_ns, GetParam().outside_ns) << GetParam().because;
}

INSTANTIATE_TEST_SUITE_P(Rules, RecordingCost,
                         testing::Values(Case{false, false, 0, 10, "ticks alone"},
                                         Case{false, true, 0, 1010, "one reading before the event"},
                                         Case{true, false, 1000, 10, "one reading as the call returns"},
                                         Case{true, true, 1000, 1010, "one before and one after the call"}));

TEST(RecordingCost, OfTheLastArriverAtABarrierHasNoReadingAsTheCallReturns) {
    Provenance provenance;
    provenance.clock_read_ns = 1000;
    Event event;
    event.kind = EventKind::barrier_wait;
    event.value = 1;
    event.blocked = true;
    EXPECT_DOUBLE_EQ(recording_cost(event, provenance).inside_ns, 0);
}

TEST(RecordingCost, OfATimelineIsThatOfItsEvents) {
    Timeline recorded;
    recorded.provenance.event_cost_ns = 10;
    recorded.provenance.clock_read_ns = 1000;
    recorded.events.resize(2, EventList(3));
    recorded.events[1].edit(2)->blocked = true;
    EXPECT_DOUBLE_EQ(recording_cost(recorded), 6 * 10 + 1000);
}

}  // namespace
}  // namespace parcast
