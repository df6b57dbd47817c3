#include "machine/schedulers.h"

#include <gtest/gtest.h>

#include "machine/machine.h"

namespace parcast {
namespace {

TEST(Schedulers, EachIsFoundByItsWordAndHasASoundMachine) {
    for (auto const& row : schedulers) {
        auto const number = scheduler_named(row.word);
        ASSERT_EQ(number, number_of(row.scheduler)) << "two schedulers are named " << row.word;
        auto const machine = machine_under(*number, 3);
        EXPECT_TRUE(check(machine)) << row.word;
        EXPECT_EQ(machine.cpus, 3U);
        EXPECT_EQ(name_of(machine.scheduler), row.word);
    }
    EXPECT_FALSE(scheduler_named("fastest"));
}

TEST(Schedulers, APresetKeepsItsWordWhateverItsLwps) {
    for (std::string_view const word : {"two-level", "solaris", "fibers"}) {
        auto scheduler = std::get<TwoLevelScheduler>(schedulers[*scheduler_named(word)].scheduler);
        scheduler.lwps = 7;
        EXPECT_EQ(name_of(scheduler), word);
        scheduler.rechoose_interval = {1};
        EXPECT_EQ(name_of(scheduler), "two-level") << "with other values it is none";
    }
}

TEST(Schedulers, EevdfIsLinuxWithAnotherFairClassWhateverWasCalibrated) {
    auto machine = linux_machine(4);
    machine.costs.wake_up = {123};
    machine = with_scheduler(machine, *scheduler_named("eevdf"));
    EXPECT_EQ(name_of(machine.scheduler), "eevdf");
    EXPECT_EQ(machine.costs.wake_up.ns, 123);
    std::get<LinuxScheduler>(machine.scheduler).slice = {1'000'000};
    EXPECT_EQ(name_of(machine.scheduler), "eevdf");
    machine = with_scheduler(machine, *scheduler_named("linux"));
    EXPECT_EQ(name_of(machine.scheduler), "linux");
    EXPECT_EQ(std::get<LinuxScheduler>(machine.scheduler).slice.ns, 1'000'000);
}

// A host before Linux 6.6 is calibrated as one with periods, whose slice is of one CPU and grows with them.
TEST(Schedulers, AnotherFairClassDoesNotTakeOverTheSliceOfPeriods) {
    auto calibrated = linux_machine(4);
    auto& own = std::get<LinuxScheduler>(calibrated.scheduler);
    own.eevdf = 2;
    own.slice = {750'000};
    own.wake_up_granularity = {1'000'000};
    own.idle_pull_percent = 7;
    auto const machine = with_scheduler(calibrated, *scheduler_named("eevdf"));
    auto const& eevdf = std::get<LinuxScheduler>(machine.scheduler);
    auto const& preset = std::get<LinuxScheduler>(schedulers[*scheduler_named("eevdf")].scheduler);
    EXPECT_EQ(eevdf.eevdf, 1);
    EXPECT_EQ(eevdf.slice, preset.slice);
    EXPECT_EQ(eevdf.wake_up_granularity, preset.wake_up_granularity);
    EXPECT_EQ(eevdf.idle_pull_percent, 7) << "what was calibrated besides stays";
}

}  // namespace
}  // namespace parcast
