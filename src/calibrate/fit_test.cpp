// From made-up samples to a machine: which parameter follows from which measurement.

#include "calibrate/fit.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::calibrate {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

Samples of_two_cpus() {
    Samples samples;
    samples.of(Quantity::context_switch) = {900, 800, 1000};
    samples.of(Quantity::hand_off) = {1'700, 1'750, 90'000};
    samples.of(Quantity::wake_call_same_cpu) = {860};
    samples.of(Quantity::wake_call) = {7'000, 7'100};
    samples.of(Quantity::wake_up) = {24'600.4};
    samples.of(Quantity::wake_up_soon) = {4'000, 4'100, 9'000};
    samples.of(Quantity::wake_call_soon) = {8'000};
    samples.of(Quantity::create_thread) = {8'500};
    samples.of(Quantity::create_thread_elsewhere) = {21'000};
    samples.of(Quantity::hot_handover) = {131.6, -20, 9'000};
    samples.compute[1] = {1000};
    samples.compute[2] = {990, 970, 980};
    samples.memory[1] = {500};
    samples.memory[2] = {350};
    return samples;
}

Machine fitted(Samples const& samples, Machine const& shape = linux_machine(2)) {
    auto machine = fit(samples, shape);
    EXPECT_TRUE(machine.has_value()) << (machine ? "" : describe(machine.error()));
    return machine ? *machine : Machine{};
}

TEST(Fit, TakesMediansAndLeavesOutWhatTheRecordingHolds) {
    Costs const costs = fitted(of_two_cpus()).costs;
    EXPECT_EQ(costs.context_switch.ns, 900);
    EXPECT_EQ(costs.wake_up_same_cpu.ns, 1'750 - 900) << "the switch is charged by itself";
    EXPECT_EQ(costs.wake_up.ns, 24'600);
    EXPECT_EQ(costs.wake_waiter.ns, 7'050 - 860) << "waking on one CPU is in the recorded work";
    EXPECT_EQ(costs.wake_up_soon.ns, 4'100);
    EXPECT_EQ(costs.wake_waiter_soon, costs.wake_waiter) << "more than after 200 us is noise";
    EXPECT_EQ(costs.create_thread.ns, 21'000 - 8'500) << "so is creating a thread there";
    EXPECT_EQ(costs.hot_handover.ns, 132) << "of a sample in which a thread lost its CPU nothing is left";
}

TEST(Fit, OneCpuKeepsTheDefaultsOfWhatItCannotMeasure) {
    Samples samples;
    samples.of(Quantity::context_switch) = {700};
    samples.of(Quantity::hand_off) = {1'500};
    samples.of(Quantity::wake_call_same_cpu) = {860};
    Machine const shape = linux_machine(1);
    Machine const machine = fitted(samples, shape);
    EXPECT_EQ(machine.costs.context_switch.ns, 700);
    EXPECT_EQ(machine.costs.wake_up, shape.costs.wake_up);
    EXPECT_EQ(machine.costs.wake_waiter, shape.costs.wake_waiter);
    EXPECT_EQ(machine.costs.hot_handover, shape.costs.hot_handover);
    EXPECT_THAT(machine.rates.compute, IsEmpty());
}

TEST(Fit, ADifferenceBelowZeroIsNoise) {
    Samples samples = of_two_cpus();
    samples.of(Quantity::wake_call) = {500};
    EXPECT_EQ(fitted(samples).costs.wake_waiter.ns, 0);
}

// On a busy machine yields beside another thread were faster than alone by 18 ms, and waking took as much.
TEST(Fit, APartBelowZeroAddsNothingToTheRest) {
    Samples samples = of_two_cpus();
    samples.of(Quantity::context_switch) = {-18'000'000};
    Costs const costs = fitted(samples).costs;
    EXPECT_EQ(costs.context_switch.ns, 0);
    EXPECT_EQ(costs.wake_up_same_cpu.ns, 1'750);
}

TEST(Fit, RatesAreThoseOfTheSamplesThatNobodySlowedDown) {
    Samples samples = of_two_cpus();
    // For nine tenths of the time the host had both CPUs on one core.
    samples.compute[1] = {1000, 1000, 900, 1000, 1000};
    samples.compute[2] = std::vector<double>(18, 700);
    samples.compute[2].insert(samples.compute[2].end(), 2, 980);
    EXPECT_THAT(fitted(samples).rates.compute, ElementsAre(1, 0.98));
}

TEST(Fit, RatesBetweenMeasuredCountsAreInterpolatedAndNeverRise) {
    Samples samples = of_two_cpus();
    samples.compute[2] = {1010};
    samples.memory = {{1, {100}}, {2, {100}}, {4, {50}}};
    Machine const machine = fitted(samples, linux_machine(4));
    EXPECT_THAT(machine.rates.compute, ElementsAre(1, 1)) << "faster together than alone is noise";
    // Four take twice the time of two; three lie in the middle: 1 / 1.5.
    EXPECT_THAT(machine.rates.memory, ElementsAre(1, 1, DoubleNear(0.667, 1e-12), 0.5));
}

TEST(Fit, RatesOfManyCpusKeepThreeDigitsHoweverSmall) {
    Samples samples = of_two_cpus();
    samples.memory = {{1, {1'000}}, {32, {24.64}}, {64, {12.34}}};
    auto const rates = fitted(samples, linux_machine(64)).rates.memory;
    ASSERT_EQ(rates.size(), 64u);
    EXPECT_EQ(rates[31], 0.0246);
    EXPECT_EQ(rates[63], 0.0123);
    samples.memory = {{1, {1'000}}, {2, {0.45}}};
    EXPECT_THAT(fitted(samples).rates.memory, ElementsAre(1, 0.00045));
}

TEST(Fit, WithoutAMeasurementOfOneAloneThereAreNoRates) {
    Samples samples = of_two_cpus();
    samples.compute.erase(1);
    EXPECT_THAT(fitted(samples).rates.compute, IsEmpty());
}

TEST(Fit, TheSpreadOfEachMeasuredValueStaysWithTheMachine) {
    auto const machine = fitted(of_two_cpus());
    ASSERT_TRUE(machine.calibration.has_value());
    EXPECT_EQ(machine.calibration->range, "quartiles");
    auto const& values = machine.calibration->values;
    EXPECT_EQ(values.at("context_switch_ns"), (MeasuredValue{900, 850, 950, 3}));
    EXPECT_EQ(values.at("compute_rate_2"), (MeasuredValue{0.98, 0.975, 0.985, 3}));
    EXPECT_FALSE(values.contains("lock_ns")) << "it was not measured";
}

TEST(Fit, MessagesInsideANodeAreNotSaidToBeThoseBetweenNodes) {
    auto samples = of_two_cpus();
    EXPECT_FALSE(fitted(samples).network) << "they were not measured";
    samples.of(Quantity::message_one_way) = {120, 110, 100};
    samples.of(Quantity::message_send) = {10};
    samples.of(Quantity::message_send_medium) = {10 + 8191 * 0.02};
    samples.of(Quantity::message_gap) = {48};
    samples.of(Quantity::message_gap_large) = {48 + 65535 * 0.03125};
    auto const network = fitted(samples).network;
    ASSERT_TRUE(network && network->node);
    EXPECT_TRUE(network->is_inside_only);
    EXPECT_EQ(network->node->overhead_ns, 10);
    EXPECT_EQ(network->node->latency_ns, 110 - 2 * 10) << "a message has an overhead at both ends";
    EXPECT_EQ(network->node->gap_ns, 48);
    EXPECT_DOUBLE_EQ(network->node->overhead_per_byte_ns, 0.02);
    EXPECT_NEAR(network->node->gap_per_byte_ns, 0.0313, 1e-4) << "three digits";
}

TEST(Fit, ATimeThatNoMachineCanHaveIsAnError) {
    Samples samples = of_two_cpus();
    samples.of(Quantity::wake_up) = {2e9};
    auto const machine = fit(samples, linux_machine(2));
    ASSERT_FALSE(machine.has_value());
    EXPECT_EQ(machine.error().code, ErrorCode::out_of_range);
    EXPECT_THAT(machine.error().message, testing::HasSubstr("wake_up_ns"));
}

TEST(Quantities, AreDescribedInTheirOrderWithTheUnitInTheKey) {
    for (std::size_t i = 0; i < quantity_count; ++i) {
        EXPECT_EQ(static_cast<std::size_t>(descriptions[i].quantity), i);
        EXPECT_THAT(std::string(descriptions[i].key), testing::EndsWith("_ns"));
    }
}

TEST(CountsOfBusyCpus, AreFewAndEndWithAll) {
    EXPECT_THAT(counts_to_measure(1), ElementsAre(1));
    EXPECT_THAT(counts_to_measure(2), ElementsAre(1, 2));
    EXPECT_THAT(counts_to_measure(4), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(counts_to_measure(6), ElementsAre(1, 2, 3, 4, 6));
    EXPECT_THAT(counts_to_measure(64), ElementsAre(1, 2, 3, 4, 8, 16, 32, 64));
}

}  // namespace
}  // namespace parcast::calibrate
