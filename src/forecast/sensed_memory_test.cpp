// What a recording knows of its program and busy memory, as rates of the machine that is asked about.

#include "forecast/sensed_memory.h"

#include <gmock/gmock.h>

#include "machine/rates.h"

namespace parcast::forecast {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Provenance sensed(double sensitivity, double pressure) {
    Provenance recorded;
    recorded.memory = MemorySensing{.sensitivity = {sensitivity, sensitivity - 0.05, sensitivity + 0.05},
                                    .pressure = {pressure, pressure, pressure},
                                    .pressing_cpus = 1,
                                    .runs = 5};
    return recorded;
}

TargetMachine machine_with(Rates rates) {
    TargetMachine target{linux_machine(4)};
    target.shape.rates = std::move(rates);
    target.file = "host.toml";
    return target;
}

// Two busy CPUs: 1/memory is 1.25; three 2; four 2.5.
Rates const rates{.compute = {1, 1, 1, 1}, .memory = {1, 0.8, 0.5, 0.4}};

double speed_of(Provenance const& recorded, std::uint32_t busy, Rates const& of_machine = rates) {
    return speed(with_sensed_memory(machine_with(of_machine), recorded).shape.rates, busy);
}

TEST(SensedMemory, OfALoopThatMovesMemoryIsTheRateLaw) {
    for (std::uint32_t const busy : {1U, 2U, 3U, 4U})
        EXPECT_DOUBLE_EQ(speed_of(sensed(1, 1), busy), rates.memory[busy - 1]) << busy;
}

TEST(SensedMemory, OfAProgramThatComputesChangesNothing) {
    EXPECT_EQ(speed_of(sensed(0, 1), 4), 1);
    EXPECT_EQ(speed_of(sensed(1, 0), 4), 1) << "nobody presses";
}

TEST(SensedMemory, IsTheShareOfTheTimeThatMemoryLimits) {
    EXPECT_DOUBLE_EQ(speed_of(sensed(0.4, 1), 2), 1 / (0.6 + 0.4 * 1.25));
}

// Four CPUs that press half as much: as 2.5 loops, between 1.25 and 2.
TEST(SensedMemory, OfLittlePressureSharesMemoryWithFewer) {
    EXPECT_DOUBLE_EQ(speed_of(sensed(1, 0.5), 4), 1 / 1.625);
}

TEST(SensedMemory, MayBeMoreThanThatOfALoop) {
    EXPECT_DOUBLE_EQ(speed_of(sensed(2, 1), 2), 1 / 1.5);
}

// Hardware threads of a core: what they share slows all work, and memory is slower by the rest.
TEST(SensedMemory, ComesOnTopOfWhatComputingSuffers) {
    Rates const siblings{.compute = {1, 0.5}, .memory = {1, 0.4}};
    EXPECT_DOUBLE_EQ(speed_of(sensed(0.5, 1), 2, siblings), 1 / (2 + 0.5 * 0.5));
    EXPECT_DOUBLE_EQ(speed_of(sensed(0.5, 0), 2, siblings), 0.5);
}

TEST(SensedMemory, MakesRangesByItsOwn) {
    auto const target = with_sensed_memory(machine_with(rates), sensed(0.4, 1));
    ASSERT_EQ(target.speed_deviations.size(), 4U);
    EXPECT_EQ(target.speed_deviations[0], 0) << "one CPU shares with nobody";
    // The time of two is 1 + 0.25 s: 0.05 more or less makes about 0.0125 of 1.1, which is 1.645 deviations.
    EXPECT_NEAR(target.speed_deviations[1], 0.0125 / 1.1 / 1.645, 1e-4);
    EXPECT_GT(target.speed_deviations[3], target.speed_deviations[1]);
}

TEST(SensedMemory, GivesWayToWhatTheUserSays) {
    auto own = rates;
    own.memory_share = 0.1;
    auto const target = machine_with(own);
    auto const recorded = sensed(0.9, 1);
    auto const same = with_sensed_memory(target, recorded);
    EXPECT_EQ(same.shape.rates, own);
    EXPECT_THAT(*sensed_memory_assumption(same, &recorded),
                HasSubstr("That is not used, since the machine says itself"));
}

TEST(SensedMemory, IsSaidWithWhatBecomesOfIt) {
    auto const recorded = sensed(0.4, 0.5);
    auto const target = with_sensed_memory(machine_with(rates), recorded);
    EXPECT_THAT(*sensed_memory_assumption(target, &recorded),
                AllOf(HasSubstr("0.40 (0.35 - 0.45)"), HasSubstr("the rates of host.toml")));
    EXPECT_THAT(*sensed_memory_assumption(machine_with({}), &recorded), HasSubstr("parcast calibrate"));
    Provenance const unknown;
    EXPECT_EQ(sensed_memory_assumption(target, &unknown), std::nullopt);
    EXPECT_EQ(sensed_memory_assumption(target, nullptr), std::nullopt) << "it was written down";
}

}  // namespace
}  // namespace parcast::forecast
