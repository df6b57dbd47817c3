#include "report/scale.h"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/text.h"

namespace parcast::report {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t second = 1'000'000'000;

Row run_on(std::uint32_t cpus, std::int64_t seconds, double speed_up) {
    Row run;
    run.cpus = cpus;
    run.run.accounts.cpus = cpus;
    run.run.accounts.completion = Duration{seconds * second};
    run.speed_up = speed_up;
    run.bounds = {1, static_cast<double>(cpus)};
    return run;
}

ScaledCount recorded_for(std::uint32_t cpus) {
    ScaledCount count;
    count.cpus = cpus;
    count.prediction.recording().provenance.emplace();
    count.prediction.recording().provenance->cpu_ns = 10 * second;
    count.prediction.recording().work = Duration{10 * second};
    count.prediction.recording().machine.scheduler = "linux";
    count.prediction.recording().machine.name = "linux";
    count.prediction.recording().time_on_one = Duration{10 * second};
    count.prediction.rows.push_back(run_on(1, 10, 1));
    if (cpus > 1)
        count.prediction.rows.push_back(run_on(cpus, 5, 2));
    return count;
}

ScaleAnswer two_counts() {
    ScaleAnswer report;
    report.command = {"tool", "{cpus}"};
    report.has_placeholder = true;
    report.counts = {recorded_for(2), recorded_for(4)};
    return report;
}

TEST(ScaleText, SaysOnceWhatHoldsForAllCounts) {
    ScaleAnswer report = two_counts();
    for (ScaledCount& count : report.counts) {
        count.prediction.recording().machine.source =
            MachineSource{"/etc/build7.toml", "build7", "2026-11-21"};
        count.prediction.recording().machine.name = "build7";
        count.prediction.recording().machine.notes = {"its rates end at 1 busy CPU"};
    }
    EXPECT_THAT(
        scale_text(report, {}),
        HasSubstr(
            "\nreplayed by the direct model · scheduler linux · machine calibrated on build7, 2026-11-21\n"
            "note: its rates end at 1 busy CPU\n\n"));
}

// With ranges, as predict prints it: they stand where the ideal range stands without.
TEST(ScaleText, SaysWhereTheMeasuredMedianLiesInTheRange) {
    ScaleAnswer report = two_counts();
    report.runs = 5;
    for (ScaledCount& count : report.counts) {
        count.prediction.ranges.emplace();
        count.prediction.rows[1].time_ns = 5e9;
        count.prediction.rows[1].range = RowRange{{4.8e9, 5.2e9}, {1.9, 2.1}, {}};
        count.compared_cpus = count.cpus;
        auto& compared = count.same_threads.emplace();
        compared.predicted = 2;
        compared.measured.median = count.cpus == 2 ? 2.0 : 1.7;
        auto& series = count.measured.emplace_back();
        series.cpus = count.cpus;
        series.runs.emplace_back();
    }
    std::string const text = scale_text(report, {});
    EXPECT_THAT(text, HasSubstr("4.80 - 5.20 s"));
    EXPECT_THAT(text, HasSubstr("1.90 - 2.10"));
    EXPECT_THAT(text, HasSubstr("90 % range for 2 CPUs, outside of it for 4 CPUs."));
    EXPECT_THAT(text, Not(HasSubstr("ideal range")));
}

// The model of the first count was printed for all.
TEST(ScaleText, ACountThatAnotherModelReplayedSaysSoAndWhy) {
    ScaleAnswer report = two_counts();
    report.counts[1].prediction.recording().model = "strict";
    report.counts[1].prediction.recording().abandoned = {{"direct", 4, {}}};
    std::string const text = scale_text(report, {});
    EXPECT_THAT(text, HasSubstr("note: recorded for 4 CPUs, every wait gets the wake-up that ended it"));
    EXPECT_THAT(text, HasSubstr("\nfor 2 CPUs: replayed by the direct model"));
    EXPECT_THAT(text, HasSubstr("\nfor 4 CPUs: replayed by the strict model"));
    EXPECT_THAT(text, Not(HasSubstr("recorded for 2 CPUs, every wait")));
}

TEST(ScaleText, ThePriceOfATurnIsSaidWithHowItWasMeasured) {
    ScaleAnswer report = two_counts();
    report.counts[0].turns = Turns{.answer = TurnAnswer::priced,
                                   .pairs = 3,
                                   .slice = Duration{50'000'000},
                                   .share = Spread{0.24, 0.2, 0.3},
                                   .price_ns = Spread{6e5, 5e5, 7e5}};
    report.counts[0].prediction.recording().turns = Duration{2'400'000'000};
    report.counts[1].turns =
        Turns{.answer = TurnAnswer::failed, .problem = "was killed by signal 9 (Killed)"};
    std::string const text = scale_text(report, {.width = 1'000});
    EXPECT_THAT(
        text,
        HasSubstr("\nfor 2 CPUs: threads that take turns on the one CPU refill its caches: 24 % of the CPU "
                  "time, 600 µs (500 µs - 700 µs) a turn, by 3 pairs of unrecorded runs, with the usual "
                  "time slices and with 50.0 ms. The prediction charges 2.40 s for it, and nothing to"));
    EXPECT_THAT(text,
                HasSubstr("\nfor 4 CPUs: the cost of taking turns on the one CPU was not measured: a run "
                          "for it was killed by signal 9"));
}

TEST(ScaleText, WhatAnEventCostIsSaidWithWhatTheRecorderHadMeasured) {
    ScaleAnswer report = two_counts();
    report.counts[0].event_price = EventPrice{
        .recorder_ns = 16.6, .ns = 23.24, .bare_cpu_ns = Spread{4.1e8, 4e8, 4.2e8}, .is_used = true};
    report.counts[1].event_price = EventPrice{.recorder_ns = 16.6, .problem = "ended with status 1"};
    std::string const text = scale_text(report, {.width = 1'000});
    EXPECT_THAT(
        text,
        HasSubstr("\nfor 2 CPUs: recording an event cost 23.2 ns, by unrecorded runs of 410 ms (400 ms - "
                  "420 ms) of CPU time; 16.6 ns by the recorder's own measurement, which knows nothing of "
                  "this program: the former is taken out of the work\n"));
    EXPECT_THAT(
        text,
        HasSubstr("\nfor 4 CPUs: what recording an event costs here was not measured: a run for it ended "
                  "with status 1\n"));
}

TEST(ScaleText, APriceOfEventsThatIsNoneIsNotTakenOut) {
    ScaleAnswer report = two_counts();
    report.counts[0].event_price =
        EventPrice{.recorder_ns = 16, .ns = 60, .bare_cpu_ns = Spread{4e8, 4e8, 4e8}};
    EXPECT_THAT(scale_text(report, {.width = 1'000}), HasSubstr("too far apart to be prices of events"));
}

// What turns cost is replayed all the same, on the CPUs where threads take turns.
TEST(ScaleText, ThePriceOfTurnsIsNoWorkLeftOut) {
    ScaleAnswer report = two_counts();
    report.counts[1].prediction.recording().work = Duration{8 * second};
    report.counts[1].prediction.recording().turns = Duration{2 * second};
    EXPECT_THAT(scale_text(report, {}), Not(HasSubstr("is replayed")));
}

TEST(ScaleText, WorkThatIsNotReplayedIsSaidForItsCount) {
    ScaleAnswer report = two_counts();
    report.counts[1].prediction.recording().work = Duration{8 * second};
    EXPECT_THAT(scale_text(report, {}),
                HasSubstr("\nrecorded for 4 CPUs: 10.0 s of CPU time; 8.00 s of that is replayed;"));
    EXPECT_THAT(scale_text(report, {}), Not(HasSubstr("recorded for 2 CPUs: 10.0 s")));
}

TEST(ScaleText, APredictionOutsideItsBoundsIsMarkedAndTheReasonIsSaid) {
    ScaleAnswer report = two_counts();
    EXPECT_THAT(scale_text(report, {}), Not(HasSubstr("*")));
    report.counts[1].prediction.rows[1].bounds = {2.1, 2.5};
    EXPECT_THAT(scale_text(report, {}), HasSubstr("2.10 - 2.50*"));
    EXPECT_THAT(scale_text(report, {}), HasSubstr("\n  * outside the ideal range, in which scheduling "));
}

// "3.51" stood beside "2.15 - 3.48", which was the range of another column.
TEST(ScaleText, TheRangeIsOfTheSameThreadsAndTheKeySaysSo) {
    ScaleAnswer report = two_counts();
    report.counts[0].cpus = 1;
    report.counts[0].prediction.rows[0].cpus = 1;
    report.counts[0].speed_up = 1;
    report.counts[1].speed_up = 3.51;
    EXPECT_THAT(scale_text(report, {.width = 1'000}),
                HasSubstr("same threads, and their ideal range: against"));
}

// scale alone did not say how far the program scales.
TEST(ScaleText, SaysHowFarTheProgramScales) {
    ScaleAnswer report = two_counts();
    EXPECT_THAT(scale_text(report, {}), Not(HasSubstr("Scales to")));
    report.scaling = Scaling{2, 4};
    EXPECT_THAT(scale_text(report, {}), HasSubstr("\nScales to 2 CPUs: from there to 4, each"));
}

MeasuredSeries measured_series(std::uint32_t cpus) {
    MeasuredSeries series;
    series.cpus = cpus;
    for (std::int64_t const ms : {123, 124, 125})
        series.runs.emplace_back().times.wall = Duration{ms * second / 1000};
    return series;
}

// The table of measurements alone was as wide as a hundred columns, its heads as wide as its ranges or wider.
TEST(ScaleText, NoLineIsWiderThanWhatAFileGets) {
    ScaleAnswer report = two_counts();
    report.machine_cpus = 64;
    for (ScaledCount& count : report.counts) {
        count.cpus = 10 * count.cpus;
        count.compared_cpus = count.cpus;
        count.measured = {measured_series(1), measured_series(count.cpus)};
        count.prediction.rows.push_back(run_on(count.cpus, 5, 12.5));
        Comparison& compared = count.same_threads.emplace();
        compared.predicted = 12.5;
        compared.measured = {12.4, 12.3, 12.6};
        compared.best = 12.6;
        compared.error = 0.123;
        count.recording_cost = 0.012;
    }
    std::istringstream lines(scale_text(report, {}));
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(display_width(line), Layout{}.width) << line;
}

}  // namespace
}  // namespace parcast::report
