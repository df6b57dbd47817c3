#include "study/event_price.h"

#include <gtest/gtest.h>

#include "timeline/recording_cost.h"

namespace parcast::study {
namespace {

// Six events, one of which blocked; 50 us of CPU time.
Timeline six_events() {
    Timeline recorded;
    recorded.provenance.event_cost_ns = 10;
    recorded.provenance.clock_read_ns = 1000;
    recorded.provenance.cpu_ns = 50'000;
    recorded.events.resize(2, EventList(3));
    recorded.events[1].edit(2)->blocked = true;
    return recorded;
}

EventPrice price_beside(Timeline const& recorded, std::vector<double> bare_cpu_ns) {
    return event_price(recorded.provenance, {6, recording_cost(recorded)}, std::move(bare_cpu_ns));
}

TEST(EventPrice, MakesUpTheDifferenceToTheFastestRunWithoutTheRecorder) {
    auto recorded = six_events();
    auto const price = price_beside(recorded, {48'900, 48'880, 49'000});
    EXPECT_DOUBLE_EQ(price.ns, 20);
    EXPECT_DOUBLE_EQ(price.recorder_ns, 10);
    ASSERT_TRUE(price.is_used);
    use(price, recorded.provenance);
    EXPECT_DOUBLE_EQ(recording_cost(recorded), 50'000 - 48'880);
    EXPECT_DOUBLE_EQ(recorded.provenance.event_cost_uncertainty, 120.0 / 1'120)
        << "as far as the runs lie apart";
}

// The price of events that were not measured rises and falls with that of the others.
TEST(EventPrice, OfReleasesThatWereNotMeasuredIsAlwaysTheSamePartOfIt) {
    auto recorded = six_events();
    recorded.provenance.unmeasured_cost_ns = 5;
    recorded.provenance.unmeasured_events = 2;
    recorded.events[0].edit(1)->unmeasured = true;
    recorded.events[0].edit(2)->unmeasured = true;
    auto const price = event_price(
        recorded.provenance, {priced_events(6, recorded.provenance), recording_cost(recorded)}, {48'925});
    EXPECT_DOUBLE_EQ(price.ns, 15);
    use(price, recorded.provenance);
    EXPECT_DOUBLE_EQ(recorded.provenance.unmeasured_cost_ns, 7.5);
    EXPECT_DOUBLE_EQ(recording_cost(recorded), 50'000 - 48'925);
}

TEST(EventPrice, IsNotUsedWhereSomethingElseDiffersBetweenTheRuns) {
    auto recorded = six_events();
    auto const before = recorded.provenance;
    for (double const bare_ns : {40'000.0, 60'000.0}) {
        auto const price = price_beside(recorded, {bare_ns});
        EXPECT_FALSE(price.is_used);
        use(price, recorded.provenance);
        EXPECT_EQ(recorded.provenance, before);
    }
}

}  // namespace
}  // namespace parcast::study
