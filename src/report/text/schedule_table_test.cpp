#include "report/text/parts.h"

#include <list>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// On 2 and 4 CPUs, of 120 ms of work. The rows are lent: they stay until the program ends.
ScheduledRows scheduled(std::string const& name, double on_two_ms, double on_four_ms) {
    static std::list<std::vector<Row>> kept;
    auto& rows = kept.emplace_back();
    for (auto const& [cpus, time_ms] : {std::pair(2U, on_two_ms), std::pair(4U, on_four_ms)}) {
        auto& row = rows.emplace_back();
        row.cpus = cpus;
        row.time_ns = time_ms * 1e6;
        row.speed_up = 120 / time_ms;
        row.efficiency = row.speed_up / cpus;
    }
    return {name, true, rows};
}

TEST(ScheduleTable, MarksTheBestOfEachNumberOfCpus) {
    std::vector const schedules = {scheduled("fifo", 60, 48), scheduled("lpt", 62, 40)};
    EXPECT_TRUE(is_best(schedules, 0, 0));
    EXPECT_FALSE(is_best(schedules, 1, 0));
    EXPECT_TRUE(is_best(schedules, 1, 1));
    auto const text = schedule_table(schedules, {});
    EXPECT_THAT(text, HasSubstr("   2  60.0 ms *      2.00  62.0 ms        1.94\n"));
    EXPECT_THAT(text, HasSubstr("   4  48.0 ms        2.50  40.0 ms *      3.00\n"));
    EXPECT_THAT(text, HasSubstr("* the least time on that number of CPUs\n"));
}

TEST(ScheduleTable, OfEqualTimesEachIsTheBest) {
    std::vector const schedules = {scheduled("fifo", 60, 48), scheduled("list", 60, 50)};
    EXPECT_TRUE(is_best(schedules, 0, 0) && is_best(schedules, 1, 0));
    EXPECT_THAT(schedule_table(schedules, {}), HasSubstr("   2  60.0 ms        2.00  60.0 ms        2.00\n"))
        << "no mark tells them apart";
}

TEST(ScheduleTable, OfManySchedulesHasTimesAndSpeedUpsWithEfficiencies) {
    std::vector<ScheduledRows> schedules;
    for (auto const* name : {"fifo", "lpt", "list", "block", "ps"})
        schedules.push_back(scheduled(name, 60, 48));
    auto const text = schedule_table(schedules, {});
    EXPECT_THAT(text, HasSubstr("  block  60.0 ms    48.0 ms\n"));
    EXPECT_THAT(text, HasSubstr("  block     2.00 100 %  2.50  62 %\n"));
}

TEST(Gains, SayWhereLptGainsMostAndWhereItLoses) {
    EXPECT_THAT(gains({scheduled("fifo", 60, 48), scheduled("lpt", 62, 40)}),
                ElementsAre("The largest gain of lpt over fifo is on 4 CPUs: 40.0 ms instead of 48.0 ms, 17 "
                            "% less. On 2 CPUs "
                            "it takes longer."));
    EXPECT_THAT(
        gains({scheduled("fifo", 60, 48), scheduled("lpt", 60, 45), scheduled("ps", 60, 40)}),
        ElementsAre("The largest gain of ps over fifo is on 4 CPUs: 40.0 ms instead of 48.0 ms, 17 % less.",
                    "The largest gain of lpt over fifo is on 4 CPUs: 45.0 ms instead of 48.0 ms, 6 % less."));
    EXPECT_THAT(gains({scheduled("fifo", 60, 48), scheduled("lpt", 60, 48)}), IsEmpty());
}

}  // namespace
}  // namespace parcast::report
