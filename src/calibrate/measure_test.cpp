// The probes on the machine that runs the tests: they end, and give samples of every quantity that can be
// measured there. How long something takes is not tested: nobody knows what else runs.

#include "calibrate/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "calibrate/pressure.h"
#include "measure/affinity.h"

namespace parcast::calibrate {
namespace {

constexpr std::size_t small_cache = 1 << 20;
constexpr Duration budget{2'000'000'000};

void expect_samples_of_what_is_measurable(Samples const& samples, std::size_t cpus) {
    for (auto const& description : descriptions) {
        auto const& found = samples.of(description.quantity);
        EXPECT_EQ(found.empty(), description.needs_two_cpus && cpus < 2) << description.title;
        // Differences may be noise around zero; what is read off a clock is above it.
        bool const is_difference = description.quantity == Quantity::context_switch ||
                                   description.quantity == Quantity::wake_each_waiter ||
                                   description.quantity == Quantity::contended_lock ||
                                   description.quantity == Quantity::hot_handover ||
                                   description.quantity == Quantity::hot_read_handover ||
                                   description.quantity == Quantity::hot_word_handover;
        EXPECT_TRUE(is_difference ||
                    std::all_of(found.begin(), found.end(), [](double ns) { return ns > 0; }))
            << description.title;
    }
}

TEST(Measurement, OnOneCpuMeasuresWhatNeedsNoOther) {
    auto const cpus = measure::allowed_cpus();
    ASSERT_FALSE(cpus.empty());
    auto const samples = Measurement({{cpus.front()}, small_cache}).round(budget);
    ASSERT_TRUE(samples.has_value()) << describe(samples.error());
    expect_samples_of_what_is_measurable(*samples, 1);
    EXPECT_FALSE(samples->compute.contains(2));
}

TEST(Measurement, OnSeveralCpusMeasuresEverything) {
    auto cpus = measure::allowed_cpus();
    if (cpus.size() < 2)
        GTEST_SKIP() << "needs two CPUs";
    cpus.resize(2);
    auto const samples = Measurement({cpus, small_cache}).round(budget);
    ASSERT_TRUE(samples.has_value()) << describe(samples.error());
    expect_samples_of_what_is_measurable(*samples, 2);
    // A loop that others kept from its CPU gives no sample.
    for (auto const* speeds : {&samples->compute, &samples->memory}) {
        for (auto const& [count, of_count] : *speeds) {
            EXPECT_LE(count, 2u);
            EXPECT_GT(of_count.front(), 0);
        }
    }
}

// On a busy machine a round took most of a minute: each yield was a time slice of somebody else.
TEST(Measurement, WithoutTimeTakesAFewSamplesOfEverythingAndSaysSo) {
    auto const cpus = measure::allowed_cpus();
    ASSERT_FALSE(cpus.empty());
    auto const samples = Measurement({{cpus.front()}, small_cache}).round(Duration{0});
    ASSERT_TRUE(samples.has_value()) << describe(samples.error());
    expect_samples_of_what_is_measurable(*samples, 1);
    EXPECT_EQ(samples->of(Quantity::thread_life).size(), 10u) << "one portion";
    EXPECT_TRUE(samples->is_cut_short);
}

// Its rate was rounds over no time: no number, and it counted as one that had its CPU all the time.
TEST(Throughput, ALoopThatCameTooLateHadNoPartOfItsCpu) {
    auto const cpus = measure::allowed_cpus();
    ASSERT_FALSE(cpus.empty());
    Arrays arrays(1, small_cache);
    auto const late = throughput(LoopKind::memory, std::span(cpus).first(1), Duration{0}, arrays);
    EXPECT_EQ(late.each_per_second, 0);
    EXPECT_EQ(late.least_cpu_share, 0);
}

TEST(Measurement, GivesTheCallingThreadItsCpusBack) {
    auto const before = measure::allowed_cpus();
    ASSERT_TRUE(Measurement({before, small_cache}).round(budget).has_value());
    EXPECT_EQ(measure::allowed_cpus(), before);
}

TEST(Measurement, OnACpuThatCannotBeUsedIsAnErrorAndNoMeasurementOfAnother) {
    auto cpus = measure::allowed_cpus();
    cpus.push_back(8191);
    auto const samples = Measurement({cpus, small_cache}).round(budget);
    ASSERT_FALSE(samples.has_value());
    EXPECT_EQ(samples.error().code, ErrorCode::not_permitted);
    EXPECT_NE(samples.error().message.find("CPU 8191"), std::string::npos);
    EXPECT_NE(measure::allowed_cpus().back(), 8191u);
}

TEST(SpeedSamples, OfWhichNoneWasKeptAreKnown) {
    EXPECT_TRUE(without_samples({{1, {100}}, {2, {98}}}, 2).empty());
    EXPECT_EQ(without_samples({{1, {100}}}, 4), (std::vector<std::size_t>{2, 3, 4}));
    EXPECT_EQ(without_samples({{2, {98}}}, 2), (std::vector<std::size_t>{1}));
}

TEST(MemoryPressure, IsThereFromTheBeginningAndTellsHowItGetsOn) {
    auto const cpus = measure::allowed_cpus();
    ASSERT_FALSE(cpus.empty());
    Arrays arrays(2, small_cache);
    MemoryPressure pressure({cpus.back()}, arrays);
    EXPECT_GT(loop_round_ns(LoopKind::memory, cpus.front(), {20'000'000}, arrays, 1), 0);
    auto const reading = pressure.read();
    EXPECT_GT(reading.round_ns, 0);
    EXPECT_GT(reading.cpu_share, 0);
    EXPECT_LT(reading.cpu_share, 1.1);
}

}  // namespace
}  // namespace parcast::calibrate
