#include "analysis/scaling.h"

#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

struct ScalingCase {
    std::vector<SpeedUpAt> predictions;
    std::uint32_t scales_to;
    std::optional<std::uint32_t> first_beyond;
    char const* because;
};

TEST(Scaling, StopsWhereAnAddedProcessorReturnsLessThanHalf) {
    ScalingCase const cases[] = {
        {{{1, 1}, {2, 1.98}, {4, 3.85}, {8, 6.6}, {16, 6.97}}, 8, 16, "(6.97 - 6.6) / 8 < 1/2"},
        {{{1, 1}, {2, 2}, {4, 4}}, 4, std::nullopt, "linear: as far as was tried"},
        {{{1, 1}, {2, 1.0}, {4, 1.0}}, 1, 2, "one lock around everything"},
        {{{1, 1}, {2, 1.5}, {4, 2.5}}, 4, std::nullopt, "exactly half is enough"},
        {{{1, 1}, {4, 3.9}, {8, 4.0}}, 4, 8, "an efficiency of 50 % at 8 does not hide four idle processors"},
        {{{1, 1}, {4, 4}, {5, 4}, {6, 4}, {8, 8}, {9, 8}}, 8, 9, "eight equal pieces: 5 and 6 are dips"},
        {{{1, 1}, {4, 4}, {5, 4}, {8, 5.9}},
         4,
         5,
         "(5.9 - 4) / 4 < 1/2: what comes after the dip does not make up"},
        {{{8, 7.5}}, 8, std::nullopt, "one processor is the start, asked for or not"},
        {{{8, 2.0}}, 1, 8, "2 of 8 is no scaling to 8"},
        {{{1, 1}}, 1, std::nullopt, "one processor alone says nothing"},
        {{}, 1, std::nullopt, "nothing predicted"},
        {{{1, 1}, {2, 0.8}}, 1, 2, "a slow-down"},
    };
    for (auto const& row : cases) {
        Scaling const found = scaling(row.predictions);
        EXPECT_EQ(found.scales_to, row.scales_to) << row.because;
        EXPECT_EQ(found.first_beyond, row.first_beyond) << row.because;
    }
}

// `predict --cpus 8 --json` told that a program scales to one CPU that scales to four.
TEST(Scaling, OneDistantCountDoesNotTellHowFarAProgramScales) {
    EXPECT_EQ((Scaling{1, 8}).known_extent(), std::nullopt);
    EXPECT_EQ((Scaling{1, 2}).known_extent(), 1U);
    EXPECT_EQ((Scaling{4, 8}).known_extent(), 4U);
    EXPECT_EQ((Scaling{1, std::nullopt}).known_extent(), 1U);
}

TEST(Scaling, TheLargestLossIsNotTheWorkItself) {
    std::vector<Limit> const limits{
        {Cause::busy, ObjectId::none(), Duration{700}, 0.7},
        {Cause::lock, ObjectId(0), Duration{100}, 0.1},
        {Cause::input_output, ObjectId(1), Duration{200}, 0.2},
    };
    auto const loss = largest_loss(limits);
    ASSERT_TRUE(loss.has_value());
    EXPECT_EQ(loss->cause, Cause::input_output) << "whatever the order of the rows";
    ASSERT_TRUE(loss->main_object.has_value());
    EXPECT_EQ(loss->main_object->object, ObjectId(1));
    EXPECT_FALSE(largest_loss(std::span(limits).first(1)).has_value());
    EXPECT_FALSE(largest_loss(limits, 0.25).has_value()) << "too small to be worth a sentence";
}

TEST(Scaling, ManySmallLocksTogetherAreALargeLossOfNoSingleOne) {
    std::vector<Limit> const limits{
        {Cause::input_output, ObjectId(9), Duration{250}, 0.25},
        {Cause::lock, ObjectId(0), Duration{100}, 0.1},
        {Cause::lock, ObjectId(1), Duration{100}, 0.1},
        {Cause::lock, ObjectId::none(), Duration{300}, 0.3},
    };
    auto const loss = largest_loss(limits);
    ASSERT_TRUE(loss.has_value());
    EXPECT_EQ(loss->cause, Cause::lock);
    EXPECT_EQ(loss->processor_time, Duration{500});
    EXPECT_FALSE(loss->main_object.has_value()) << "the largest single one has a fifth";
}

// "14 % is lost to waiting for condition #2" was said of pigz, where it was 11 % and 3 % for others.
TEST(Scaling, OneObjectHasItsOwnShareAndNotThatOfItsKind) {
    std::vector<Limit> const limits{
        {Cause::condition, ObjectId(2), Duration{110}, 0.11},
        {Cause::condition, ObjectId(3), Duration{20}, 0.02},
        {Cause::condition, ObjectId::none(), Duration{10}, 0.01},
    };
    auto const loss = largest_loss(limits);
    ASSERT_TRUE(loss && loss->main_object);
    EXPECT_DOUBLE_EQ(loss->share, 0.14);
    EXPECT_EQ(loss->main_object->object, ObjectId(2));
    EXPECT_DOUBLE_EQ(loss->main_object->share, 0.11);
}

TEST(Scaling, TheBusiestThreadRunsLongest) {
    Accounts accounts;
    accounts.completion = Duration{1000};
    accounts.threads.resize(3);
    accounts.threads[1][ThreadState::running] = Duration{710};
    accounts.threads[2][ThreadState::running] = Duration{500};
    accounts.threads[0][ThreadState::blocked] = Duration{1000};
    auto const busiest = busiest_thread(accounts);
    ASSERT_TRUE(busiest.has_value());
    EXPECT_EQ(busiest->thread, ThreadId(1));
    EXPECT_DOUBLE_EQ(busiest->share, 0.71);
    EXPECT_FALSE(busiest_thread(Accounts{}).has_value());
}

}  // namespace
}  // namespace parcast::analysis
