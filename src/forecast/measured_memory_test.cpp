// What shared memory took from a program on several CPUs, as rates of the target.

#include "forecast/measured_memory.h"

#include <gtest/gtest.h>

#include "machine/rates.h"
#include "machine/schedulers.h"

namespace parcast::forecast {
namespace {

constexpr std::int64_t ms = 1'000'000;

Accounts replayed(std::uint32_t cpus, std::int64_t time_ms, std::int64_t busy_ms,
                  std::int64_t spinning_ms = 0) {
    Accounts accounts;
    accounts.cpus = cpus;
    accounts.completion = Duration{time_ms * ms};
    accounts.busy = Duration{busy_ms * ms};
    accounts.spinning = Duration{spinning_ms * ms};
    return accounts;
}

MeasuredSpeedUp measured_on_two(std::int64_t wall_ms, std::int64_t user_ms, std::int64_t one_ms = 400) {
    Provenance provenance;
    provenance.measured = {{1, {{one_ms * ms, one_ms * ms, 0, 0}, {one_ms * ms, one_ms * ms, 0, 0}}},
                           {2, {{wall_ms * ms, user_ms * ms, 0, 0}, {wall_ms * ms, user_ms * ms, 0, 0}}}};
    return measured_speed_ups(provenance).front();
}

// All of it parallel: 400 ms on one CPU, 200 on two.
std::optional<MemoryGrowth> growth_of(MeasuredSpeedUp const& measured) {
    return memory_growth(measured, replayed(1, 400, 400), replayed(2, 200, 400));
}

TargetMachine target_with(Rates rates = {}) {
    TargetMachine target{linux_machine(4)};
    target.shape.rates = std::move(rates);
    return target;
}

double unit_on(std::uint32_t cpus, Sensed growth, Rates rates = {}) {
    auto const target = with_measured_memory(target_with(std::move(rates)), {2, growth});
    EXPECT_TRUE(target.has_value());
    return target ? 1 / speed(target->shape.rates, cpus) : 0;
}

TEST(MeasuredMemory, IsTheGrowthOfTheProgramsOwnCode) {
    auto const growth = growth_of(measured_on_two(280, 560));
    ASSERT_TRUE(growth.has_value());
    EXPECT_NEAR(growth->growth.value, 1.4, 0.01);
    EXPECT_LT(growth->growth.low, 1.4);
    EXPECT_GT(growth->growth.high, 1.4);
}

TEST(MeasuredMemory, OfAProgramThatScalesIsNothing) {
    EXPECT_FALSE(may_have_memory_growth(target_with(), measured_on_two(200, 404)));
    EXPECT_FALSE(growth_of(measured_on_two(200, 404)).has_value());
}

// Two counters in one cache line: four times the CPU time is no want of bandwidth, and on 8 CPUs it is not
// what a queue would give.
TEST(MeasuredMemory, OfFalseSharingIsNotExtrapolated) {
    EXPECT_FALSE(growth_of(measured_on_two(760, 1520)).has_value());
}

// Threads that spin at a barrier, where the replay has them wait: their time is gone either way.
TEST(MeasuredMemory, IsNotThatOfThreadsThatSpinWhereTheyWait) {
    auto const spinning = measured_on_two(300, 600);
    EXPECT_FALSE(memory_growth(spinning, replayed(1, 400, 400), replayed(2, 300, 400)).has_value());
    EXPECT_FALSE(memory_growth(spinning, replayed(1, 400, 400), replayed(2, 250, 400, 200)).has_value())
        << "the replay has it";
}

// A quarter of the work is serial: what grows is the rest.
TEST(MeasuredMemory, IsOfTheWorkThatIsDoneInParallel) {
    auto const growth =
        memory_growth(measured_on_two(250, 400 - 300 + 600), replayed(1, 400, 400), replayed(2, 250, 400));
    EXPECT_FALSE(growth.has_value()) << "it took no longer";
    auto const slower =
        memory_growth(measured_on_two(325, 100 + 450), replayed(1, 400, 400), replayed(2, 250, 400));
    ASSERT_TRUE(slower.has_value());
    EXPECT_NEAR(slower->growth.value, 1.5, 0.01);
}

TEST(MeasuredMemory, GrowsAsAQueueDoes) {
    EXPECT_NEAR(unit_on(2, {1.25, 1.2, 1.3}), 1.25, 0.001);
    // By the machine-repair model: half the time at the memory, 1 + m^2 on two.
    EXPECT_NEAR(unit_on(3, {1.25, 1.2, 1.3}), 1.6, 0.001);
    EXPECT_NEAR(unit_on(4, {2, 1.9, 2.1}), 4, 0.001) << "a triad: four CPUs are as fast as one";
    EXPECT_NEAR(unit_on(64, {1.25, 1.2, 1.3}), 32, 0.1) << "half of 64 CPUs' time, one after the other";
}

// The host was calibrated: busy memory costs a loop 1/0.8 there on two CPUs, 1/0.4 on four.
TEST(MeasuredMemory, FollowsTheHostsOwnRatesIfItHasSome) {
    Rates const rates{.compute = {1, 1, 1, 1}, .memory = {1, 0.8, 0.5, 0.4}};
    EXPECT_NEAR(unit_on(2, {1.125, 1.1, 1.15}, rates), 1.125, 1e-9);
    EXPECT_NEAR(unit_on(4, {1.125, 1.1, 1.15}, rates), 0.5 + 0.5 * 2.5, 1e-9);
}

TEST(MeasuredMemory, IsLessSureTheMoreCpus) {
    auto const target = with_measured_memory(target_with(), {2, {1.25, 1.2, 1.3}});
    ASSERT_TRUE(target.has_value());
    auto const& deviations = target->speed_deviations;
    EXPECT_EQ(deviations[0], 0);
    EXPECT_LT(deviations[1], 0.04);
    EXPECT_GT(deviations[7], deviations[1]);
    EXPECT_LT(deviations[63], 0.6);
}

}  // namespace
}  // namespace parcast::forecast
