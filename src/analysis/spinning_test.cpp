#include "analysis/spinning.h"

#include "analysis/survey.h"

#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

constexpr std::int64_t us = 1'000;
constexpr std::int64_t ms = 1'000'000;

// The events of one thread of a recording with nothing else in it.
class Recorded {
public:
    // The thread computes for `cpu`, is switched out for `others` of it, and calls; the call takes `inside`.
    Recorded& then(EventKind kind, std::int64_t cpu, std::uint32_t site = 0, std::int64_t inside = 0,
                   std::int64_t others = 0) {
        Event event;
        event.kind = kind;
        event.wall_ns = now_ += cpu + others;
        event.cpu_ns = cpu;
        event.cpu_inside_ns = inside;
        event.site = SiteId(site);
        event.switched = others > 0;
        now_ += inside;
        events_.push_back(event);
        return *this;
    }
    Recorded& failed_try(std::int64_t cpu, std::uint32_t site = 0) {
        then(EventKind::try_lock, cpu, site);
        events_.back().outcome = Outcome::failed;
        return *this;
    }
    // A yield that returns when the others have run for `others`.
    Recorded& yield(std::int64_t cpu, std::int64_t others, std::uint32_t site = 0) {
        then(EventKind::yield, cpu, site, 500);
        now_ += others;
        return *this;
    }
    std::vector<Spinning> spinning() const {
        Timeline timeline;
        timeline.catalogue.threads.resize(1);
        timeline.catalogue.sites.resize(3);
        timeline.events.push_back(events_);
        return survey(timeline).spinning;
    }

private:
    std::int64_t now_ = 0;
    std::vector<Event> events_;
};

struct RowCase {
    int rows;
    int yields;  // in each row
    std::int64_t cpu_between;
    int sites;
    std::int64_t others;  // that each yield but the first of its row let run
    bool is_found;
    char const* because;
};

class RowsOfYields : public testing::TestWithParam<RowCase> {};

TEST_P(RowsOfYields, AreWaitingIfTheyAreManyOrGaveTheCpuAway) {
    RowCase const& test = GetParam();
    Recorded thread;
    for (int row = 0; row < test.rows; ++row) {
        for (int i = 0; i < test.yields; ++i) {
            thread.yield(test.cpu_between, i == 0 ? 0 : test.others,
                         static_cast<std::uint32_t>(i % test.sites));
        }
        thread.then(EventKind::unlock, 10 * us);
    }
    auto const found = thread.spinning();
    ASSERT_EQ(!found.empty(), test.is_found) << test.because;
    if (test.is_found) {
        EXPECT_EQ(found[0].evidence, SpinEvidence::rows_of_yields);
        EXPECT_EQ(found[0].count, test.rows * test.yields);
        EXPECT_EQ(found[0].others, Duration{std::int64_t{test.rows} * (test.yields - 1) * test.others});
    }
}

INSTANTIATE_TEST_SUITE_P(
    Spinning, RowsOfYields,
    testing::Values(RowCase{1, 200, 400, 1, 0, true, "a loop, with nobody else to run"},
                    RowCase{1, 50, 400, 1, 0, true, "the least"},
                    RowCase{100, 16, 400, 1, 0, false, "locks that yield a few times before they block"},
                    RowCase{1, 11, 40, 1, 4 * ms, true,
                            "each yield gave a slice away: 10 are 40 ms of waiting"},
                    RowCase{5, 3, 40, 1, 4 * ms, true, "a spin lock that is held five times"},
                    RowCase{4, 3, 40, 1, 4 * ms, false, "eight slices may be chance"},
                    RowCase{400, 1, 400, 1, 4 * ms, false, "one yield between pieces of work is courtesy"},
                    RowCase{1, 200, 6 * us, 1, 4 * ms, false, "work between the yields is cooperation"},
                    RowCase{1, 200, 400, 2, 4 * ms, false, "two places in turn are no loop that waits"}));

// StringTie signals a thread, yields, and looks under a lock whether it has come: 1.23 times as fast was
// predicted on two CPUs without a mark, measured 0.72.
TEST(SingleYields, WithALookAfterThemMayBeWaits) {
    Recorded thread;
    for (std::int64_t i = 0; i < least_single_yields; ++i)
        thread.then(EventKind::condition_signal, 100 * us).yield(100, 300 * us, 1).then(EventKind::lock, 50);
    auto const found = thread.spinning();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].evidence, SpinEvidence::single_yields);
    EXPECT_EQ(found[0].count, least_single_yields);
    EXPECT_EQ(found[0].others, Duration{least_single_yields * 300 * us});
}

TEST(SingleYields, WithWorkAfterThemAreCourtesy) {
    Recorded thread;
    for (std::int64_t i = 0; i < 2 * least_single_yields; ++i)
        thread.then(EventKind::condition_signal, 100).yield(100, 300 * us, 1).then(EventKind::lock, 100 * us);
    EXPECT_TRUE(thread.spinning().empty());
}

// A protected entry of Ada yields once before it blocks.
TEST(SingleYields, AfterWhichAThreadWouldBlockAreNoDoubt) {
    Recorded thread;
    for (std::int64_t i = 0; i < 2 * least_single_yields; ++i)
        thread.then(EventKind::unlock, 100 * us).yield(100, 300 * us, 1).then(EventKind::lock, 50);
    EXPECT_TRUE(thread.spinning().empty());
}

TEST(Yields, TenThousandBetweenLockOperationsArePolling) {
    Recorded thread;
    for (std::int64_t i = 0; i <= many_yields; ++i)
        thread.then(EventKind::lock, 300).yield(100, 5 * us).then(EventKind::unlock, 100);
    auto const found = thread.spinning();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].evidence, SpinEvidence::polling);
    EXPECT_EQ(found[0].count, many_yields + 1);
}

TEST(Yields, BetweenManyOtherCallsAreNoPolling) {
    Recorded thread;
    for (std::int64_t i = 0; i <= many_yields; ++i) {
        thread.yield(100, 0);
        for (int k = 0; k < 4; ++k)
            thread.then(EventKind::unlock, 100);
    }
    EXPECT_TRUE(thread.spinning().empty());
}

// Stretches of these lengths, as a thread has them that shares the CPU with another.
std::vector<Spinning> of_stretches(std::vector<std::int64_t> const& lengths) {
    Recorded thread;
    for (std::int64_t const cpu : lengths)
        thread.then(EventKind::lock, cpu, 1, 0, cpu).then(EventKind::unlock, 1 * us, 2);
    return thread.spinning();
}

TEST(Slices, WholeOnesOfASpinningConsumerAreAHint) {
    // Measured: a consumer spins with `pause` on a flag that is set every 10 ms, on a kernel with ticks of 4
    // ms.
    auto const found = of_stretches({12'007'532, 11'990'889, 7'996'741, 11'993'631, 7'992'364, 9'224'604,
                                     7'991'015, 15'837'564, 11'996'028, 3'999'023, 11'994'346, 12'742'785});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].evidence, SpinEvidence::whole_slices);
    EXPECT_EQ(found[0].site, SiteId(1));
    EXPECT_EQ(found[0].count, 9);
}

struct HonestCase {
    std::vector<std::int64_t> lengths;
    char const* because;
};

class HonestWork : public testing::TestWithParam<HonestCase> {};

TEST_P(HonestWork, IsNotTakenForSpinning) {
    EXPECT_TRUE(of_stretches(GetParam().lengths).empty()) << GetParam().because;
}

INSTANTIATE_TEST_SUITE_P(
    Slices, HonestWork,
    testing::Values(HonestCase{{6'241'000, 6'169'000, 6'144'000, 6'160'000, 6'236'000, 6'190'000, 6'210'000},
                               "measured: equal work, a lock after it"},
                    HonestCase{std::vector<std::int64_t>(40, 8 * ms), "equal work of two ticks each"},
                    HonestCase{{8 * ms, 12 * ms, 4 * ms, 16 * ms, 8 * ms}, "too few"},
                    HonestCase{
                        {4 * ms, 8 * ms, 12 * ms, 4 * ms, 8 * ms, 12 * ms, 3'400'000, 5'300'000, 6'200'000,
                         7'700'000, 9'100'000, 10'600'000, 11'300'000, 13'500'000, 14'800'000, 17'400'000},
                        "six of sixteen are whole slices"},
                    HonestCase{{3'000'000'000}, "seconds without a call"}));

TEST(Slices, OfAThreadThatWasAloneAreWork) {
    Recorded thread;
    for (std::int64_t const cpu : {8, 12, 4, 16, 8, 12, 4, 8})
        thread.then(EventKind::lock, cpu * ms);
    EXPECT_TRUE(thread.spinning().empty());
}

TEST(Spinning, OnATryThatFailsIsWaiting) {
    Recorded recorded;
    for (int i = 0; i < least_row; ++i)
        recorded.failed_try(100, 1);
    auto const found = recorded.spinning();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].evidence, SpinEvidence::rows_of_tries);
    EXPECT_EQ(found[0].count, least_row);
    EXPECT_EQ(found[0].site, SiteId(1));
}

TEST(Spinning, OnTriesWithYieldsBetweenThemIsOneRow) {
    Recorded recorded;
    for (int i = 0; i < least_row; ++i)
        recorded.failed_try(100, 1).yield(100, 0, 2);
    auto const found = recorded.spinning();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].evidence, SpinEvidence::rows_of_tries);
    EXPECT_EQ(found[0].count, least_row) << "the yields are not counted as tries";
}

TEST(Spinning, IsNotATryNowAndThen) {
    Recorded recorded;
    for (int i = 0; i < 10 * least_row; ++i)
        recorded.failed_try(50 * us, 1);
    EXPECT_TRUE(recorded.spinning().empty());
}

}  // namespace
}  // namespace parcast::analysis
