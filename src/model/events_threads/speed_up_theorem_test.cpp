// Theorem 2.1 of Marinescu, Rice and Vavalis (1990), as corrected: the optimum of g = P^n in closed form,
// (alpha / (n - 1))^(1/n), and the paper's table 1 with its roundings mended.

#include "model/events_threads/speed_up_theorem.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace parcast::model {
namespace {

Characteristic characteristic(std::string const& formula) {
    return *Characteristic::parse(formula);
}

struct Power {
    char const* g;
    double alpha;
    double p_smax;
    double s_max;
    std::uint64_t whole;
    double whole_speed_up;
    double inflection;
};

class TableOne : public testing::TestWithParam<Power> {};

// All printed digits.
void expect_digits(double value, double expected, double digits) {
    EXPECT_NEAR(value, expected, expected * std::pow(10, -digits));
}

TEST_P(TableOne, has_one_maximum) {
    auto const& row = GetParam();
    auto const found = optimum(characteristic(row.g), row.alpha);
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->maximum);
    expect_digits(found->maximum->threads, row.p_smax, 9);
    expect_digits(found->maximum->speed_up, row.s_max, 9);
    EXPECT_EQ(found->maximum->whole_threads, row.whole);
    expect_digits(found->maximum->whole_speed_up, row.whole_speed_up, 9);
    ASSERT_TRUE(found->maximum->inflection);
    expect_digits(*found->maximum->inflection, row.inflection, 7);
    EXPECT_FALSE(found->limit);
}

TEST_P(TableOne, has_its_least_work_per_thread_at_the_maximum) {
    auto const& row = GetParam();
    auto const g = characteristic(row.g);
    auto const found = optimum(g, row.alpha);
    expect_digits(found->signature.least, 1 / row.s_max, 9);
    auto const flat = *found->signature.flat;
    EXPECT_LT(flat.from, row.p_smax);
    EXPECT_GT(*flat.to, row.p_smax);
    for (double const end : {flat.from, *flat.to})
        expect_digits(efficiency(g, row.alpha, end)->b, 1.05 / row.s_max, 9);
}

TEST_P(TableOne, rises_before_the_maximum_and_falls_after_it) {
    auto const& row = GetParam();
    auto const g = characteristic(row.g);
    auto const speed_up = [&](double threads) { return efficiency(g, row.alpha, threads)->speed_up; };
    for (double const near : {0.5, 0.9, 0.99}) {
        EXPECT_LT(speed_up(near * row.p_smax), row.s_max);
        EXPECT_GT(speed_up(near * row.p_smax), speed_up(near * near * row.p_smax));
        EXPECT_GT(speed_up(row.p_smax / near), speed_up(row.p_smax / near / near));
    }
}

INSTANTIATE_TEST_SUITE_P(
    ThePaper, TableOne,
    testing::Values(Power{"P^1.5", 1e6, 15874.01052, 5291.33684, 15874, 5291.33684, 29240.177},
                    Power{"P^1.5", 1e4, 736.8062997, 245.6020999, 737, 245.6020957, 1357.2088},
                    Power{"P^1.5", 1e2, std::pow(200, 2.0 / 3), std::pow(200, 2.0 / 3) / 3, 34,
                          34 / (1 + std::pow(34, 1.5) / 100), std::pow(500, 2.0 / 3)},
                    Power{"P^2", 1e6, 1000, 500, 1000, 500, 1732.0508},
                    Power{"P^2", 1e4, 100, 50, 100, 50, 173.20508},
                    Power{"P^2", 1e2, 10, 5, 10, 5, 17.320508},
                    Power{"P^2.5", 1e6, 213.5814332, 128.1488599, 214, 128.1484914, 352.52564},
                    Power{"P^2.5", 1e4, 33.85037595, 20.31022557, 34, 20.30992905, 55.871549},
                    Power{"P^3", 1e6, 79.3700526, 52.9133684, 79, 52.91221462, 125.9921},
                    Power{"P^3", 1e4, 17.09975947, 11.39983964, 17, 11.39945014, 27.144176},
                    Power{"P^3", 1e2, std::cbrt(50), std::cbrt(50) * 2 / 3, 4, 4 / 1.64, std::cbrt(200)}));

TEST(SpeedUpTheorem, linear_events_have_no_maximum_but_a_limit) {
    auto const found = optimum(characteristic("3*P + 5"), 1e4);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->maximum);
    EXPECT_NEAR(*found->limit, 1e4 / 3, 1e-6);
    EXPECT_NEAR(found->signature.least, 3e-4, 1e-13);
    EXPECT_FALSE(found->signature.flat->to);
}

TEST(SpeedUpTheorem, constant_events_have_neither) {
    auto const found = optimum(characteristic("100"), 1e4);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->maximum);
    EXPECT_FALSE(found->limit);
    EXPECT_FALSE(found->signature.flat);
}

// P g' - g = P / ln 2, so P* = alpha ln 2.
TEST(SpeedUpTheorem, p_log_p_has_a_maximum) {
    auto const found = optimum(characteristic("P*log2(P)"), 1e4);
    EXPECT_NEAR(found->maximum->threads, 1e4 * std::log(2), 1e-6);
}

// P e^P - e^P = alpha: at P = 1 + W(alpha / e), Lambert's W.
TEST(SpeedUpTheorem, exponential_events_have_a_maximum_of_few_threads) {
    auto const found = optimum(characteristic("exp(P)"), 1e4);
    double const p = found->maximum->threads;
    EXPECT_NEAR((p - 1) * std::exp(p), 1e4, 1e-7);
    EXPECT_EQ(found->maximum->whole_threads, 7);  // S(7) = 6.308, S(8) = 6.163
}

TEST(SpeedUpTheorem, where_an_event_costs_more_than_the_work_one_thread_is_best) {
    auto const found = optimum(characteristic("P^2"), 0.5);
    EXPECT_EQ(found->maximum->threads, 1);
    EXPECT_EQ(found->maximum->whole_threads, 1);
}

struct Refusal {
    char const* g;
    char const* why;
};

class TheoremRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(TheoremRefusal, says_why) {
    auto const checked = check_theorem(characteristic(GetParam().g));
    ASSERT_FALSE(checked);
    EXPECT_NE(checked.error().message.find(GetParam().why), std::string::npos) << checked.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Functions, TheoremRefusal,
    testing::Values(Refusal{"100/P", "falls at P = 1"}, Refusal{"P^2 - 3*P + 10", "falls at P = 1"},
                    Refusal{"P - 5", "negative at P = 1"}, Refusal{"sqrt(P)", "not convex at P = 1"},
                    Refusal{"min(P^2, 100)", "not convex at P = 9.9"}, Refusal{"ceil(P)", "not convex"},
                    Refusal{"1/(P-1)", "no finite value at P = 1"}));

TEST(SpeedUpTheorem, holds_for_functions_with_corners_that_are_convex) {
    for (auto const* const g :
         {"P", "7", "P*log2(P)", "max(P, P^2/8)", "2^P", "P^2 + 3*P", "if(P<8, P, 2*P-8)"})
        EXPECT_TRUE(check_theorem(characteristic(g))) << g;
}

TEST(SpeedUpTheorem, two_maxima_are_refused) {
    auto const found = optimum(characteristic("min(P^2, 1000)"), 100);
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find("rises again"), std::string::npos);
}

TEST(SpeedUpTheorem, alpha_is_above_zero) {
    EXPECT_FALSE(optimum(characteristic("P^2"), 0));
    EXPECT_FALSE(optimum(characteristic("P^2"), INFINITY));
}

// Section 3.2 of the sheet: W(P)/W(1), b, S for a = 1, S/P; alpha = 1e4.
struct EfficiencyRow {
    char const* g;
    double threads, work, b, speed_up, efficiency;
};

class EfficiencyTable : public testing::TestWithParam<EfficiencyRow> {};

TEST_P(EfficiencyTable, is_reproduced) {
    auto const& row = GetParam();
    auto const found = efficiency(characteristic(row.g), 1e4, row.threads);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->a, 1);
    expect_digits(found->work, row.work, 8);
    expect_digits(found->b, row.b, 8);
    expect_digits(found->speed_up, row.speed_up, 8);
    expect_digits(found->efficiency, row.efficiency, 8);
    EXPECT_GE(found->b, 1 / row.threads);  // (2.30) as corrected
}

INSTANTIATE_TEST_SUITE_P(
    TheSheet, EfficiencyTable,
    testing::Values(EfficiencyRow{"P", 1, 1.0001, 1.0001, 0.99990001, 0.99990001},
                    EfficiencyRow{"P", 4, 1.0004, 0.2501, 3.99840064, 0.99960016},
                    EfficiencyRow{"P", 64, 1.0064, 0.015725, 63.5930048, 0.9936407},
                    EfficiencyRow{"P", 256, 1.0256, 0.00400625, 249.609984, 0.975039002},
                    EfficiencyRow{"P^1.5", 4, 1.0008, 0.2502, 3.99680256, 0.999200639},
                    EfficiencyRow{"P^1.5", 64, 1.0512, 0.016425, 60.8828006, 0.95129376},
                    EfficiencyRow{"P^1.5", 256, 1.4096, 0.00550625, 181.611805, 0.709421112},
                    EfficiencyRow{"P^2", 4, 1.0016, 0.2504, 3.99361022, 0.998402556},
                    EfficiencyRow{"P^2", 64, 1.4096, 0.022025, 45.4029512, 0.709421112},
                    EfficiencyRow{"P^2", 256, 7.5536, 0.02950625, 33.8911248, 0.132387206},
                    EfficiencyRow{"P^2.5", 4, 1.0032, 0.2508, 3.98724083, 0.996810207},
                    EfficiencyRow{"P^2.5", 64, 4.2768, 0.066825, 14.9644594, 0.233819678},
                    EfficiencyRow{"P^2.5", 256, 105.8576, 0.41350625, 2.41834313, 0.00944665286},
                    EfficiencyRow{"P^3", 4, 1.0064, 0.2516, 3.9745628, 0.9936407},
                    EfficiencyRow{"P^3", 64, 27.2144, 0.425225, 2.35169616, 0.0367452525},
                    EfficiencyRow{"P^3", 256, 1678.7216, 6.55750625, 0.152496995, 0.000595691388}));

TEST(ScaledExecution, grows_without_limit_for_linear_events) {
    auto const g = characteristic("P");
    EXPECT_EQ(outlook(g, Execution::scaled).paper_class, "sa");
    auto const found = optimum(g, 1e4, Execution::scaled);
    EXPECT_FALSE(found->maximum);
    EXPECT_FALSE(found->limit);
    EXPECT_NEAR(efficiency(g, 1e4, 256, Execution::scaled)->speed_up, 256 / 1.0001, 1e-9);
}

TEST(ScaledExecution, tends_to_a_constant_for_quadratic_events) {
    auto const g = characteristic("P^2");
    EXPECT_EQ(outlook(g, Execution::scaled).paper_class, "sb");
    EXPECT_NEAR(*optimum(g, 1e4, Execution::scaled)->limit, 1e4, 1e-6);
    EXPECT_LT(efficiency(g, 1e4, 1e9, Execution::scaled)->speed_up, 1e4);
}

TEST(ScaledExecution, has_a_maximum_for_cubic_events_and_vanishes) {
    auto const g = characteristic("P^3");
    EXPECT_EQ(outlook(g, Execution::scaled).paper_class, "sc");
    EXPECT_NEAR(optimum(g, 1e4, Execution::scaled)->maximum->threads, 100, 1e-9);  // as P^2 without scaling
    EXPECT_LT(efficiency(g, 1e4, 1e9, Execution::scaled)->speed_up, 1e-4);
}

TEST(FixedSize, classes_of_the_paper) {
    EXPECT_EQ(outlook(characteristic("P"), Execution::fixed_size).paper_class, "a");
    EXPECT_EQ(outlook(characteristic("P^2"), Execution::fixed_size).paper_class, "b");
    EXPECT_EQ(outlook(characteristic("P^2"), Execution::fixed_size).prospect, Prospect::vanishes);
    EXPECT_EQ(outlook(characteristic("9"), Execution::fixed_size).prospect, Prospect::unlimited);
}

// T(P) <= 2 T(1) log2 P / P with T(1) = 1, P = 1024: at least 1024 / 20.
TEST(DivideAndConquer, is_nearly_as_fast_as_independent_work) {
    EXPECT_DOUBLE_EQ(divide_and_conquer_speed_up(1024), 51.2);
}

struct GrowthRow {
    char const* g;
    Growth growth;
};

class GrowthOf : public testing::TestWithParam<GrowthRow> {};

TEST_P(GrowthOf, many_threads) {
    EXPECT_EQ(growth_of(characteristic(GetParam().g)), GetParam().growth);
}

INSTANTIATE_TEST_SUITE_P(
    Functions, GrowthOf,
    testing::Values(GrowthRow{"5", Growth::constant}, GrowthRow{"0", Growth::constant},
                    GrowthRow{"sqrt(P)", Growth::below_linear}, GrowthRow{"log2(P)", Growth::below_linear},
                    GrowthRow{"2*P + 1000", Growth::linear}, GrowthRow{"P*log2(P)", Growth::above_linear},
                    GrowthRow{"P^1.5", Growth::above_linear}, GrowthRow{"P*(P-1)", Growth::quadratic},
                    GrowthRow{"P^2*log2(P)", Growth::polynomial}, GrowthRow{"P^40", Growth::polynomial},
                    GrowthRow{"2^P", Growth::exponential}, GrowthRow{"1.001^P", Growth::exponential},
                    GrowthRow{"exp(P^2)", Growth::exponential}));

TEST(CharacteristicFormula, derivatives_are_those_of_the_text) {
    auto const jet = characteristic("3*P^2*log(P) - P/2 + exp(-P)").at(2);
    EXPECT_NEAR(jet.value, 12 * std::log(2) - 1 + std::exp(-2), 1e-14);
    EXPECT_NEAR(jet.slope, 12 * std::log(2) + 6 - 0.5 - std::exp(-2), 1e-14);
    EXPECT_NEAR(jet.curvature, 6 * std::log(2) + 9 + std::exp(-2), 1e-14);
}

TEST(CharacteristicFormula, derivatives_of_powers_that_depend_on_P) {
    auto const jet = characteristic("P^P").at(3);
    EXPECT_NEAR(jet.slope, 27 * (std::log(3) + 1), 1e-12);
    EXPECT_NEAR(jet.curvature, 27 * ((std::log(3) + 1) * (std::log(3) + 1) + 1.0 / 3), 1e-12);
    EXPECT_NEAR(characteristic("(P-2)^2").at(1).slope, -2, 1e-14);
    EXPECT_NEAR(characteristic("(P-1)^2").at(1).curvature, 2, 1e-14);
}

TEST(CharacteristicFormula, other_names_have_no_value) {
    auto const g = Characteristic::parse("n^2");
    ASSERT_FALSE(g);
    EXPECT_NE(g.error().advice.find("P^2"), std::string::npos);
    symbolic::Parameters parameters;
    parameters.set("n", 3);
    EXPECT_EQ((*Characteristic::parse("n*P", parameters))(5), 15);
}

}  // namespace
}  // namespace parcast::model
