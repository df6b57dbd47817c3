#include "forecast/recorded_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "forecast/varied_replays.h"
#include "machine/machine.h"

namespace parcast::forecast {
namespace {

using testing::HasSubstr;

Provenance recorded_where_waking_takes(double latency_ns, double call_ns) {
    Provenance recorded;
    recorded.host = "slowpoke";
    recorded.wake_ups =
        WakeUpTimes{{latency_ns, latency_ns / 2, latency_ns * 2}, {call_ns, 0, call_ns}, 6'000};
    return recorded;
}

TargetMachine usual_target() {
    TargetMachine target{linux_machine(4)};
    target.is_usual = true;
    return target;
}

TEST(RecordedCosts, OfWakingAreThoseOfTheHostWhereNoMachineIsNamed) {
    auto const recorded = recorded_where_waking_takes(45'000, 8'000);
    auto const target = with_recorded_wake_ups(usual_target(), recorded);
    EXPECT_EQ(target.shape.costs.wake_up, Duration{45'000});
    EXPECT_EQ(target.shape.costs.wake_waiter, Duration{8'000});
    EXPECT_EQ(target.shape.costs.wake_up_soon, Duration{22'500});
    EXPECT_EQ(target.shape.costs.create_thread, Duration{6'000});
    EXPECT_EQ(target.shape.costs.context_switch, linux_machine(4).costs.context_switch);
    EXPECT_THAT(wake_up_assumption(target, &recorded).value_or(""),
                HasSubstr("takes 45.0 µs, 8.00 µs of them of the thread that wakes it, and 22.5 µs and"));
}

TEST(RecordedCosts, GiveWayToAMachineThatIsNamed) {
    auto const recorded = recorded_where_waking_takes(45'000, 8'000);
    TargetMachine const named{linux_machine(4)};
    auto const target = with_recorded_wake_ups(named, recorded);
    EXPECT_EQ(target.shape, named.shape);
    EXPECT_EQ(wake_up_assumption(target, &recorded), std::nullopt);
}

TEST(RecordedCosts, AreTheUsualOnesOfARecordingThatDoesNotKnow) {
    Provenance const recorded;
    auto const target = with_recorded_wake_ups(usual_target(), recorded);
    EXPECT_EQ(target.shape, linux_machine(4));
    EXPECT_EQ(wake_up_assumption(target, &recorded), std::nullopt);
}

TEST(RecordedCosts, AreSurerThanThoseThatNobodyMeasured) {
    auto const known = with_recorded_wake_ups(usual_target(), recorded_where_waking_takes(10'000, 0)).shape;
    EXPECT_LT(moved_costs(known, 1), moved_costs(linux_machine(4), 1));
    EXPECT_GT(moved_costs(known, 1), 0);
}

}  // namespace
}  // namespace parcast::forecast
