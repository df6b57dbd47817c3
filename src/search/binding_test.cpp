#include "search/binding.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::search {
namespace {

using testing::ElementsAre;

// Threads that only work: the time is what the fullest processor has.
TestBindings fullest_of(BindingProblem const& problem) {
    return [problem](std::vector<Binding> const& bindings) {
        std::vector<std::int64_t> times;
        for (auto const& binding : bindings) {
            std::vector<std::int64_t> load(*std::ranges::max_element(binding) + 1);
            for (std::size_t thread = 0; thread < binding.size(); ++thread)
                load[binding[thread]] += problem.work_ns[thread];
            times.push_back(*std::ranges::max_element(load));
        }
        return times;
    };
}

FoundBinding found(BindingProblem const& problem, BindingStrategy strategy,
                   BindingLimits const& limits = {}) {
    return find_binding(problem, strategy, limits, fullest_of(problem));
}

TEST(Binding, BinpackGivesTheNextLargestToTheEmptiestProcessor) {
    auto const result = found({{3, 9, 4, 5}, 2}, BindingStrategy::binpack);
    EXPECT_THAT(result.binding, ElementsAre(0, 0, 1, 1)) << "9 3 | 5 4";
    EXPECT_EQ(result.time_ns, 12);
    EXPECT_EQ(result.tests, 1U);
}

// 3 3 2 2 2 on two: binpack has 3 2 2 | 3 2, and 3 3 | 2 2 2 is better.
TEST(Binding, ExhaustiveFindsTheBestAndKnowsIt) {
    BindingProblem const problem{{3, 3, 2, 2, 2}, 2};
    EXPECT_EQ(found(problem, BindingStrategy::binpack).time_ns, 7);
    auto const all = found(problem, BindingStrategy::exhaustive);
    EXPECT_THAT(all.binding, ElementsAre(0, 0, 1, 1, 1));
    EXPECT_EQ(all.time_ns, 6);
    EXPECT_TRUE(all.is_best_of_all);
    EXPECT_EQ(all.tests, 16U);
    EXPECT_EQ(found(problem, BindingStrategy::greedy).time_ns, 6);
}

TEST(Binding, ExhaustiveEndsAtTheLimitAndSaysSo) {
    auto const result =
        found({std::vector<std::int64_t>(12, 1), 4}, BindingStrategy::exhaustive, {.tests = 100});
    EXPECT_FALSE(result.is_best_of_all);
    EXPECT_EQ(result.tests, 100U);
}

TEST(Binding, BindingsAreCountedUpToTheNamesOfProcessors) {
    EXPECT_EQ(binding_count(4, 2, 1000), 8U);
    EXPECT_EQ(binding_count(5, 2, 1000), 16U);
    EXPECT_EQ(binding_count(4, 9, 1000), 15U) << "Bell's number";
    EXPECT_EQ(binding_count(16, 4, 1'000'000'000), 178'973'355U);
    EXPECT_EQ(binding_count(16, 4, 178'973'354), std::nullopt);
    EXPECT_EQ(binding_count(1000, 64, 1'000'000), std::nullopt);
}

// Paper IV: at most P (P + 1) / 2 - 1 + P (T - P) tests.
TEST(Binding, SgaTestsNoMoreThanThePaperSays) {
    struct Row {
        std::size_t threads;
        std::uint32_t processors;
        std::uint64_t most;
    };
    for (auto const& [threads, processors, most] :
         {Row{4, 2, 6}, Row{8, 2, 14}, Row{8, 4, 25}, Row{8, 8, 35}, Row{16, 4, 57}, Row{32, 8, 227}}) {
        BindingProblem problem{{}, processors};
        for (std::size_t thread = 0; thread < threads; ++thread)
            problem.work_ns.push_back(static_cast<std::int64_t>(100 + thread));
        EXPECT_EQ(found(problem, BindingStrategy::sga).tests, most) << threads << " on " << processors;
    }
}

TEST(Binding, StrategiesThatStartFromBinpackAreNeverWorse) {
    std::vector<std::int64_t> work;
    for (std::int64_t thread = 0; thread < 14; ++thread)
        work.push_back(1 + thread * thread * 37 % 101);
    for (std::uint32_t processors = 1; processors <= 6; ++processors) {
        BindingProblem const problem{work, processors};
        auto const base = found(problem, BindingStrategy::binpack).time_ns;
        for (auto const strategy :
             {BindingStrategy::c_sga, BindingStrategy::greedy, BindingStrategy::dynamic_start})
            EXPECT_LE(found(problem, strategy).time_ns, base) << processors;
        EXPECT_LE(found(problem, BindingStrategy::dynamic_start).time_ns,
                  found(problem, BindingStrategy::greedy).time_ns);
    }
}

TEST(Binding, TheGreedyOneEndsWhereEveryNeighbourIsKnown) {
    auto const result = found({{1, 1}, 2}, BindingStrategy::greedy);
    EXPECT_EQ(result.time_ns, 1);
    EXPECT_LE(result.tests, 2U);
}

// Processors that are not alike after all: the binding that was replayed is the one that is written.
TEST(Binding, WhatIsFoundIsWhatWasTested) {
    BindingProblem const problem{{7, 5, 6, 3}, 2};
    auto const first_thread_alone = [](std::vector<Binding> const& bindings) {
        std::vector<std::int64_t> times;
        for (auto const& binding : bindings)
            times.push_back(binding.back() == 1 ? 10 : 20 + binding[1]);
        return times;
    };
    for (std::size_t row = 0; row < binding_strategies.size(); ++row) {
        auto const result = find_binding(problem, static_cast<BindingStrategy>(row), {}, first_thread_alone);
        EXPECT_EQ(first_thread_alone({result.binding}).front(), result.time_ns)
            << binding_strategies[row].word;
    }
}

TEST(Binding, TheSameSeedGivesTheSameBinding) {
    BindingProblem const problem{{5, 8, 13, 21, 34, 55, 89, 7, 9, 11}, 3};
    auto const once = found(problem, BindingStrategy::dynamic_start, {.tests = 300, .seed = 5});
    auto const again = found(problem, BindingStrategy::dynamic_start, {.tests = 300, .seed = 5});
    EXPECT_EQ(once.binding, again.binding);
    EXPECT_LE(once.tests, 300U);
}

TEST(Binding, AThreadAloneIsOnTheFirstProcessor) {
    for (auto const strategy :
         {BindingStrategy::binpack, BindingStrategy::sga, BindingStrategy::c_sga, BindingStrategy::greedy,
          BindingStrategy::dynamic_start, BindingStrategy::exhaustive}) {
        auto const result = found({{4}, 3}, strategy);
        EXPECT_THAT(result.binding, ElementsAre(0));
        EXPECT_EQ(result.time_ns, 4);
    }
}

}  // namespace
}  // namespace parcast::search
