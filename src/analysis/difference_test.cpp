#include "analysis/difference.h"

#include <cmath>

#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

constexpr std::int64_t ms = 1'000'000;

// A lock that three of four threads wait for on 4 CPUs.
Answer with_lock(std::string const& name, std::int64_t lost_ms, std::int64_t busy_ms = 40) {
    Answer answer;
    RecordingBasis basis;
    basis.catalogue.threads.resize(4);
    basis.catalogue.threads[0].function = "main";
    for (std::size_t i = 1; i < 4; ++i)
        basis.catalogue.threads[i].function = "work(int)";
    Object lock;
    lock.name = name;
    basis.catalogue.objects.push_back(lock);
    answer.basis = basis;
    Row row;
    row.cpus = 4;
    auto& accounts = row.run.accounts;
    accounts.cpus = 4;
    accounts.busy = {busy_ms * ms};
    accounts.idle.locks = {lost_ms * ms};
    accounts.completion = {(busy_ms + lost_ms) * ms / 4};
    accounts.threads.resize(4);
    for (auto& thread : accounts.threads)
        thread[ThreadState::running] = {busy_ms * ms / 4};
    ObjectAccount account;
    account.operations = 8;
    account.waiting = account.idle_processors = {lost_ms * ms};
    accounts.objects.push_back(account);
    row.time_ns = to_real(accounts.completion).ns;
    answer.rows.push_back(row);
    return answer;
}

CountDifference compared(Answer const& a, Answer const& b, SplitBy split = SplitBy::causes) {
    return difference_on({a.rows.front(), a}, {b.rows.front(), b}, std::nullopt, split);
}

TEST(Difference, IsTheSumOfItsCauses) {
    auto const difference = compared(with_lock("q", 60), with_lock("r", 8, 36));
    double sum = 0;
    for (auto const& cause : difference.causes)
        sum += cause.time.change_ns();
    EXPECT_NEAR(sum, difference.second.time_ns - difference.first.time_ns, 1) << "whole nanoseconds";
    EXPECT_NEAR(difference.ratio, 44.0 / 100, 1e-9);
    EXPECT_EQ(difference.causes.front().cause, Cause::lock) << "60 - 8 ms is more than 40 - 36 ms";
}

TEST(Difference, IsTheSumOfItsPartsWhereOneSideIsMeasured) {
    auto const difference = compared(with_lock("q", 60), with_lock("q", 8), SplitBy::parts);
    double sum = 0;
    for (auto const& part : difference.parts)
        sum += part.time.change_ns();
    EXPECT_NEAR(sum, difference.second.time_ns - difference.first.time_ns, 1);
    EXPECT_EQ(difference.parts.front().part, RunPart::waiting);
    EXPECT_TRUE(difference.objects.empty()) << "a measurement does not know what is waited for";
}

TEST(Difference, NamesTheLockThatIsGone) {
    auto const objects = compared(with_lock("q", 60), with_lock("r", 8)).objects;
    ASSERT_EQ(objects.size(), 2u) << "without a place nobody takes r for q";
    EXPECT_EQ(objects[0].object.alignment, Alignment::gone);
    EXPECT_EQ(objects[0].object.first.name, "mutex q");
    EXPECT_NEAR(objects[0].lost.first_ns, 15.0 * ms, 1) << "60 ms of 4 CPUs";
    EXPECT_NEAR(objects[0].waiting.first_ns, 60.0 * ms, 1);
    EXPECT_EQ(objects[1].object.alignment, Alignment::added);
}

TEST(Difference, TakesElementsOfAnArrayForOneThing) {
    auto a = with_lock("table+0", 60);
    auto& second = a.recording().catalogue.objects.emplace_back(a.recording().catalogue.objects.front());
    second.name = "table+40";
    a.rows.front().run.accounts.objects.emplace_back().operations = 2;
    auto const objects = compared(a, with_lock("table", 8)).objects;
    ASSERT_EQ(objects.size(), 1u);
    EXPECT_EQ(objects[0].object.first.count, 2u);
    EXPECT_EQ(objects[0].object.second.count, 1u);
}

TEST(Difference, TakesThreadsOfOneFunctionTogether) {
    auto const threads = compared(with_lock("q", 60), with_lock("q", 8)).threads;
    ASSERT_EQ(threads.size(), 2u);
    EXPECT_EQ(threads[0].threads.first.name, "work");
    EXPECT_EQ(threads[0].threads.first.count, 3u);
    EXPECT_NEAR(threads[0].running.first_ns, 30.0 * ms, 1);
}

TEST(Difference, OfAnAnswerAndItselfIsNone) {
    auto const answer = with_lock("q", 60);
    auto const difference = compared(answer, answer);
    EXPECT_EQ(difference.ratio, 1);
    EXPECT_FALSE(difference.is_beyond());
    for (auto const& cause : difference.causes)
        EXPECT_EQ(cause.time.change_ns(), 0);
    EXPECT_EQ(telling_count({&difference, 1}), std::nullopt);
}

// Half widths of 10 % and none: the ratio's is that of the first; twice 10 %: sqrt(2) as wide in logarithms.
TEST(RangeOfARatio, TakesTheSidesAsIndependent) {
    auto a = with_lock("q", 60);
    auto b = a;
    double const time = a.rows.front().time_ns;
    auto const within = [&](double share) {
        RowRange range;
        range.time_ns = {time / (1 + share), time * (1 + share)};
        return range;
    };
    a.rows.front().range = within(0.1);
    b.rows.front().range = within(0);
    auto const one = *compared(a, b).ratio_range;
    EXPECT_NEAR(one.low, 1 / 1.1, 1e-9);
    EXPECT_NEAR(one.high, 1.1, 1e-9);
    b.rows.front().range = within(0.1);
    auto const two = *compared(a, b).ratio_range;
    EXPECT_NEAR(two.high, std::exp(std::sqrt(2.0) * std::log(1.1)), 1e-9);
    EXPECT_NEAR(two.low * two.high, 1, 1e-9);
}

TEST(TellingCount, IsTheLowestThatDiffersNearlyMost) {
    auto const on = [](std::uint32_t cpus, double ratio) {
        CountDifference count;
        count.cpus = cpus;
        count.ratio = ratio;
        count.ratio_range = Range{ratio * 0.95, ratio * 1.05};
        return count;
    };
    std::vector const eight_threads{on(1, 1), on(4, 0.99), on(8, 0.51), on(16, 0.5)};
    EXPECT_EQ(telling_count(eight_threads), 2u) << "16 adds nearly nothing";
    std::vector const within{on(1, 1), on(2, 0.96)};
    EXPECT_EQ(telling_count(within), std::nullopt) << "1 lies in 0.91 - 1.01";
    std::vector const slower{on(1, 1.2), on(2, 0.9)};
    EXPECT_EQ(telling_count(slower), 0u) << "slower is a difference, too";
}

TEST(Sides, AreComparedWithTheFirstOrInAHistoryWithTheOneBefore) {
    auto const sides = [] {
        std::vector<SideAnswers> made(3);
        for (std::size_t i = 0; i < 3; ++i) {
            made[i].side.letter = std::string(1, static_cast<char>('A' + i));
            made[i].answers.push_back(with_lock("q", 60 - 20 * static_cast<std::int64_t>(i)));
        }
        return made;
    };
    auto const first_of = [](ComparedSides const& compared) {
        std::vector<std::size_t> first;
        for (auto const& difference : compared.differences)
            first.push_back(difference.first);
        return first;
    };
    EXPECT_EQ(first_of(compare_sides(sides(), Against::the_first)), (std::vector<std::size_t>{0, 0}));
    EXPECT_EQ(first_of(compare_sides(sides(), Against::the_one_before)), (std::vector<std::size_t>{0, 1}));
}

TEST(Sides, HadASpeedUpOfOneWhereTheTimeOnOneCpuIsNotKnown) {
    auto measured = with_lock("q", 60);
    auto predicted = with_lock("q", 8);
    predicted.recording().time_on_one = Duration{48 * ms};
    predicted.rows.front().speed_up = 4;
    auto const difference = compared(predicted, measured, SplitBy::parts);
    EXPECT_EQ(difference.first.speed_up, 4);
    EXPECT_EQ(difference.second.speed_up, std::nullopt);
}

TEST(Sides, ThatAreWorthlessHaveNoTellingCount) {
    std::vector<SideAnswers> sides(2);
    sides[0].answers.push_back(with_lock("q", 60));
    sides[1].answers.push_back(with_lock("q", 8));
    sides[1].side.is_worthless = true;
    EXPECT_EQ(compare_sides(std::move(sides), Against::the_first).differences.front().telling, std::nullopt);
}

TEST(Sides, ThatDeadlockOnACountHaveNoDifferenceThere) {
    std::vector<SideAnswers> sides(2);
    sides[0].answers.push_back(with_lock("q", 60));
    sides[1].answers.push_back(with_lock("q", 60));
    sides[1].answers.front().rows.front().run.deadlock.emplace();
    auto const compared = compare_sides(std::move(sides), Against::the_first);
    EXPECT_TRUE(compared.differences.front().counts.empty());
    EXPECT_EQ(compared.differences.front().deadlocked, std::vector<std::uint32_t>{4});
}

}  // namespace
}  // namespace parcast::analysis
