// The static analysis of the two examples of the report of 1990, against the tables of corrected values.

#include "forecast/signature_mapping.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generate/messages.h"
#include "generate/task_graph.h"

namespace parcast::forecast {
namespace {

MappingRow row_of(Result<StepProgram> const& program, MappingQuestion const& question = {}) {
    EXPECT_TRUE(program && check(*program));
    auto const mapping = mapped_steps(*program, question);
    EXPECT_TRUE(mapping);
    return mapping->rows.front();
}

struct Product {
    std::uint32_t ranks, side;
    std::uint64_t events;
};

class MatrixProductTable : public testing::TestWithParam<Product> {};

// 5 P - P^(2/3), (3.20) with 2 q - 1 nodes of a binary tree with q leaves.
TEST_P(MatrixProductTable, HasTheEventsOfTheReportAsCorrected) {
    auto const [ranks, side, events] = GetParam();
    auto const row = row_of(generate::matrix_product({.size = 2 * side, .ranks = ranks}));
    EXPECT_EQ(row.events, events);
    EXPECT_EQ(row.events, 5 * ranks - ranks / side);
    // From a start, two blocks and an end to as many sums as a tree is high (3.21).
    std::uint64_t least = ranks;
    std::uint64_t most = 0;
    for (auto const& thread : row.threads) {
        least = std::min(least, thread.events);
        most = std::max(most, thread.events);
    }
    EXPECT_EQ(least, 4U);
    EXPECT_EQ(most, 4U + static_cast<std::uint64_t>(std::log2(side)));
    EXPECT_EQ(row.beta_bytes, 4 * 8.0);  // m^2 elements of 8 bytes
    // P products of 2 m^3 operations and P - P / q sums of m^2.
    EXPECT_EQ(row.work_ns, ranks * 16.0 + (ranks - ranks / side) * 4.0);
}

INSTANTIATE_TEST_SUITE_P(TheSheet, MatrixProductTable,
                         testing::Values(Product{8, 2, 36}, Product{64, 4, 304}, Product{512, 8, 2496}));

struct Decomposition {
    std::uint32_t window, ranks, size;
    double kappa, work, work_per_event, beta;
    std::uint64_t events;
};

class BandedLuTable : public testing::TestWithParam<Decomposition> {};

// M (3 P - 2 sqrt P) + P, with 2 m^2 - 3 m + 2 operations an iteration and m / sqrt P elements an event.
TEST_P(BandedLuTable, IsThatOfTheReportAsCorrected) {
    auto const& at = GetParam();
    auto const row = row_of(generate::banded_lu({.size = at.size, .window = at.window, .ranks = at.ranks}));
    EXPECT_EQ(row.events, at.events);
    EXPECT_EQ(static_cast<double>(row.events - at.ranks) / at.size, at.kappa);
    EXPECT_EQ(row.work_ns / at.size, at.work);
    EXPECT_NEAR(*row.alpha_ns, at.work_per_event, 1e-7);
    EXPECT_EQ(*row.beta_bytes, 8 * at.beta);
}

INSTANTIATE_TEST_SUITE_P(TheSheet, BandedLuTable,
                         testing::Values(Decomposition{16, 16, 1000, 40, 466, 11.65, 4, 40016},
                                         Decomposition{64, 16, 1000, 40, 8002, 200.05, 16, 40016},
                                         Decomposition{21, 9, 500, 21, 821, 39.0952381, 7, 10509}));

ImportedGraph equal_tasks(std::uint32_t count) {
    ImportedGraph imported;
    imported.graph.cpu_ns.assign(count, 10);
    imported.graph.first_task = {0, count};
    imported.graph.first_successor = {0, 0};
    return imported;
}

SignatureMapping mapped(ImportedGraph const& graph, std::vector<std::uint32_t> const& threads,
                        MappingQuestion const& question = {}) {
    auto mapping = mapped_graph(graph, threads, ready::StaticBlock{}, question);
    EXPECT_TRUE(mapping);
    return std::move(*mapping);
}

// As many tasks as threads: the load imbalance is that of the law.
TEST(SignatureMappingTest, ExpectedImbalanceIsThatOfTheLaw) {
    auto const expected = [](char const* law, std::optional<double> cv) {
        MappingQuestion question;
        question.law = *parse_work_law(law);
        question.cv = cv;
        return *mapped(equal_tasks(8), {8}, question).rows.front().expected_imbalance;
    };
    EXPECT_NEAR(expected("exponential", {}), 1.71785714, 5e-9);
    EXPECT_NEAR(expected("uniform", {}), 0.777777778, 5e-9);
    EXPECT_NEAR(expected("normal", 0.25), 0.355900077, 5e-9);
    EXPECT_NEAR(expected("erlang:4", {}), 0.807867088, 5e-9);
    EXPECT_EQ(expected("normal", {}), 0) << "tasks that are all as long do not vary";
}

// Of n independent tasks a thread's deviation is that of one divided by sqrt n, relative to its mean.
TEST(SignatureMappingTest, MoreTasksAThreadBalanceEachOther) {
    MappingQuestion question;
    question.law = model::work_law::Normal{};
    question.cv = 0.25;
    auto const row = mapped(equal_tasks(32), {8}, question).rows.front();
    EXPECT_NEAR(*row.expected_imbalance, 0.355900077 / 2, 5e-9);
    EXPECT_EQ(row.threads[0].tasks, 4U);
    EXPECT_NEAR(row.threads[0].deviation_ns, 2.5 * 2, 1e-12);
    // Tasks that all vary together are long or short on every thread.
    question.correlation = 1;
    EXPECT_NEAR(*mapped(equal_tasks(32), {8}, question).rows.front().expected_imbalance, 0, 1e-9);
}

TEST(SignatureMappingTest, MatricesAreMadeIfAskedFor) {
    MappingQuestion question;
    question.matrices = true;
    question.cv = 0.5;
    question.correlation = 0.5;
    auto const row = mapped(equal_tasks(4), {2}, question).rows.front();
    EXPECT_EQ(row.matrices->thread_of_task, (std::vector<std::uint32_t>{0, 0, 1, 1}));
    EXPECT_EQ(row.matrices->covariance_ns2, (std::vector<std::vector<double>>{{75, 50}, {50, 75}}));
    EXPECT_TRUE(row.matrices->subdomains.empty()) << "a task graph has no data";
}

TEST(SignatureMappingTest, EventsOfSeveralNumbersOfThreadsAreACharacteristicFunction) {
    auto const mapping = mapped(equal_tasks(64), {2, 4, 8, 16});
    ASSERT_TRUE(mapping.characteristic);
    EXPECT_EQ(mapping.characteristic->formula, "2*P");  // a start and an end each
    EXPECT_EQ(mapping.characteristic->growth, "linear");
    EXPECT_TRUE(mapping.notes.empty());
}

// Two numbers of threads had no g, and nothing said why.
TEST(SignatureMappingTest, FewerThanThreeNumbersOfThreadsSayThatNoGCanBeFitted) {
    for (std::vector<std::uint32_t> const& threads : {std::vector{4U}, {2U, 4U}}) {
        auto const mapping = mapped(equal_tasks(64), threads);
        EXPECT_FALSE(mapping.characteristic);
        EXPECT_THAT(mapping.notes,
                    testing::ElementsAre(testing::HasSubstr("it takes three numbers of threads")));
    }
}

TEST(SignatureMappingTest, TasksThatArePinnedToNoThreadAreOnTheFirst) {
    auto graph = equal_tasks(4);
    graph.graph.process = {1, 1, any_process, any_process};
    std::vector<std::uint32_t> const two{2};
    auto const mapping = mapped_graph(graph, two, ready::Explicit{}, {});
    ASSERT_TRUE(mapping);
    EXPECT_EQ(mapping->rows.front().threads[0].tasks, 2U);
    EXPECT_THAT(mapping->notes, testing::Contains(testing::HasSubstr("are on thread 0")));
}

TEST(SignatureMappingTest, WhatCannotBeIsRefused) {
    std::vector<std::uint32_t> const two{2};
    EXPECT_FALSE(mapped_graph(equal_tasks(4), two, ready::Fifo{}, {}));
    MappingQuestion question;
    question.correlation = -0.5;  // four tasks: at least -1/3
    EXPECT_FALSE(mapped_graph(equal_tasks(4), two, ready::StaticBlock{}, question));
    question.correlation = -0.3;
    EXPECT_TRUE(mapped_graph(equal_tasks(4), two, ready::StaticBlock{}, question));
    question.law = model::work_law::Normal{};
    EXPECT_FALSE(mapped_graph(equal_tasks(4), two, ready::StaticBlock{}, question));
    EXPECT_FALSE(mapped_graph(equal_tasks(4), two, ready::Explicit{}, {})) << "no task is pinned";
    EXPECT_FALSE(parse_work_law("erlang:0"));
    EXPECT_FALSE(parse_work_law("gamma"));
}

}  // namespace
}  // namespace parcast::forecast
