// The two published models, from their text to their numbers: the machine repair model and parallel sorting
// by regular sampling (Gautama and van Gemund, sections 5.2 to 5.4). The values were derived twice by
// independent means from the corrected equations; they come from the same laws, so that the tolerances are
// those of the fits.

#include "model/composition/time_domain.h"
#include "pamela/compile.h"
#include "support/direct_composition.h"
#include "symbolic/notation/notation.h"
#include "symbolic/simplify/simplify.h"
#include "symbolic/tape/expression_tape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace parcast {
namespace {

using symbolic::ExpressionTape;

std::string example(std::string const& name) {
    std::ifstream file(std::string(PARCAST_SOURCE) + "/examples/pamela/" + name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string replaced(std::string text, std::string const& what, std::string const& with) {
    auto const place = text.find(what);
    EXPECT_NE(place, std::string::npos) << what;
    return text.replace(place, what.size(), with);
}

ProcessModel compiled(std::string const& text, std::vector<pamela::Setting> const& settings) {
    auto const no_files = [](std::string_view) -> Result<std::string> {
        return fail(ErrorCode::not_found, "no files");
    };
    auto compilation = pamela::compile(text, "model.pam", settings, no_files);
    EXPECT_TRUE(compilation.succeeded()) << describe(compilation.diagnostics, text);
    return std::move(compilation.model);
}

struct Point {
    Moments phi;
    Moments omega;
    Moments total;
};

std::vector<std::string> names_of(ProcessModel const& model) {
    std::vector<std::string> names;
    for (auto const& parameter : model.parameters)
        names.push_back(parameter.name);
    return names;
}

Moments evaluated(ProcessModel& model, symbolic::Expression expression, std::span<double const> values) {
    auto const names = names_of(model);
    auto const tape =
        ExpressionTape::compile(model.expressions, simplify(model.expressions, expression), names);
    EXPECT_TRUE(tape) << tape.error().message;
    auto const result = tape->moments(values);
    EXPECT_TRUE(result) << result.error().message;
    // Without simplification: the same law, maxima that are not flattened aside.
    auto const plain = ExpressionTape::compile(model.expressions, expression, names);
    auto const unsimplified = plain->moments(values);
    EXPECT_TRUE(unsimplified) << unsimplified.error().message;
    EXPECT_NEAR(result->mean, unsimplified->mean, 1e-9 * result->mean);
    return *result;
}

Point at(ProcessModel& model, std::span<double const> values, model::BoundBy bound_by) {
    auto const root = model.process_equations.front().root;
    auto const times = model::time_domain(model, root, bound_by);
    Point const point{evaluated(model, times.phi, values), evaluated(model, times.omega, values),
                      evaluated(model, times.total, values)};
    auto const direct = model::direct_critical_path<symbolic::MomentTimes>(model, root, values);
    EXPECT_TRUE(direct) << direct.error().message;
    EXPECT_NEAR(direct->mean, point.phi.mean, 1e-9 * point.phi.mean);
    EXPECT_NEAR(direct->variance, point.phi.variance, 1e-6 * point.phi.variance);
    return point;
}

void expect_moments(Moments const& found, Moments const& expected) {
    EXPECT_NEAR(found.mean, expected.mean, 2e-7 * expected.mean);
    EXPECT_NEAR(found.variance, expected.variance, 1e-5 * expected.variance);
    EXPECT_NEAR(found.skewness, expected.skewness, 1e-4);
    EXPECT_NEAR(found.kurtosis, expected.kurtosis, 1e-3);
}

// --- the machine repair model

struct RepairCase {
    double clients;
    double iterations;
    double places;
    Moments phi;
    Moments omega;
    double mean;
    char const* why;
};

class MachineRepairModel : public testing::TestWithParam<RepairCase> {};

TEST_P(MachineRepairModel, HasTheMomentsOfTheCorrectedPaper) {
    auto const& expected = GetParam();
    auto const text = replaced(example("mrm.pam"), "fcfs(0,1)",
                               "fcfs(0," + std::to_string(static_cast<int>(expected.places)) + ")");
    auto model = compiled(text, {{"P", expected.clients, true}, {"N", expected.iterations, true}});
    std::vector<double> values;
    for (auto const& parameter : model.parameters)
        values.push_back(parameter.name == "P" ? expected.clients : expected.iterations);
    auto const point = at(model, values, model::BoundBy::all_resources);
    expect_moments(point.phi, expected.phi);
    expect_moments(point.omega, expected.omega);
    // The independent maximum of both, where their laws overlap, is a little above the larger mean.
    EXPECT_NEAR(point.total.mean, expected.mean, 1e-5 * expected.mean);
}

INSTANTIATE_TEST_SUITE_P(
    Sheet, MachineRepairModel,
    testing::Values(
        RepairCase{
            1, 10, 1, {101, 1000.1, 0.63236131, 3.59988}, {1, 0.1, 0.63245553, 3.6}, 101, "no competitor"},
        RepairCase{5,
                   10,
                   1,
                   {140.12282, 730.96796, 0.58887927, 3.3750719},
                   {5, 0.5, 0.28284271, 3.12},
                   140.122819,
                   "few"},
        RepairCase{100,
                   1e6,
                   1,
                   {10125085, 16884734, 0.47071998, 3.2257329},
                   {1e7, 1e6, 0.0002, 3.0000001},
                   10125085.2,
                   "as published"},
        RepairCase{100,
                   1e6,
                   2,
                   {10125085, 16884734, 0.47071998, 3.2257329},
                   {5e6, 250000, 0.0002, 3.0000001},
                   10125085.2,
                   "two repairers"},
        RepairCase{150,
                   1e6,
                   2,
                   {10126461, 15050008, 0.47683523, 3.2308006},
                   {7.5e6, 375000, 0.00016329932, 3},
                   10126460.5,
                   "below saturation"},
        RepairCase{300,
                   1e6,
                   2,
                   {10128635, 12402816, 0.48373016, 3.2365543},
                   {1.5e7, 750000, 0.00011547005, 3},
                   15000000,
                   "the repairers are the bound"}));

TEST(TheMachineRepairModel, CycleTimesAreThoseOfTableSixAsCorrected) {
    struct Row {
        double clients;
        double cycle;
    };
    auto model = compiled(example("mrm.pam"), {{"P", 1, true}});
    auto const root = model.process_equations.front().root;
    auto const total = simplify(model.expressions, model::time_domain(model, root).total);
    auto const tape = ExpressionTape::compile(model.expressions, total, names_of(model));
    ASSERT_TRUE(tape);
    for (auto const& row :
         {Row{1, 10.1}, Row{2, 10.1056403}, Row{10, 10.1154112}, Row{20, 10.1187183}, Row{90, 10.1247144},
          Row{95, 10.1249054}, Row{105, 10.5}, Row{150, 15}, Row{200, 20}, Row{1000, 100}}) {
        auto const time = tape->moments(std::array{row.clients});
        ASSERT_TRUE(time);
        EXPECT_NEAR(time->mean / 1e6, row.cycle, 2e-7 * row.cycle) << row.clients;
    }
}

TEST(TheMachineRepairModel, IsPrintedAsThePaperDoes) {
    auto model = compiled(example("mrm.pam"), {{"P", 100, true}, {"N", 1e6, true}});
    auto const times = model::time_domain(model, model.process_equations.front().root);
    EXPECT_EQ(text_of(model.expressions, simplify(model.expressions, times.total)),
              "max(max (p = 1, P) { N * moments(10.1,100.01,1.999702037,8.99880024) }, "
              "P * N * moments(0.1,0.01,2,9))");
    EXPECT_TRUE(times.uncontended.empty());
}

// --- parallel sorting by regular sampling

struct SortingCase {
    double length;
    double processors;
    char const* move_time;
    Moments phi;
    std::vector<double> phase_means;
    double greatest_work;  // omega with all resources, by the greatest mean
    char const* why;
};

class ParallelSorting : public testing::TestWithParam<SortingCase> {};

constexpr char const* no_time = "0";
constexpr char const* published_time = "moments(10,100,2,9)";

TEST_P(ParallelSorting, HasTheMomentsOfTheSheet) {
    auto const& expected = GetParam();
    auto const text = replaced(example("psrs.pam"), "t_m = moments(10,100,2,9)",
                               std::string("t_m = ") + expected.move_time);
    auto model = compiled(text, {{"P", expected.processors, true}, {"N", expected.length, true}});
    std::vector<double> values;
    for (auto const& parameter : model.parameters)
        values.push_back(parameter.name == "P" ? expected.processors : expected.length);
    auto const point = at(model, values, model::BoundBy::contended_resources);
    expect_moments(point.phi, expected.phi);
    EXPECT_EQ(point.omega.mean, 0) << "every processor has its own, and the memory a place for each";
    EXPECT_EQ(point.total, point.phi);

    auto const root = model.process_equations.front().root;
    auto const parts = model::phases(model, root);
    ASSERT_EQ(parts.size(), expected.phase_means.size());
    for (std::size_t part = 0; part < parts.size(); ++part) {
        auto const mean = evaluated(model, parts[part].times.phi, values).mean;
        EXPECT_NEAR(mean, expected.phase_means[part], 1e-6 * expected.phase_means[part]) << parts[part].name;
    }

    auto const delta = simplify(model.expressions, model::time_domain(model, root).delta);
    auto const tape = ExpressionTape::compile(model.expressions, delta, names_of(model));
    ASSERT_TRUE(tape) << tape.error().message;
    auto const work = tape->components(values);
    ASSERT_TRUE(work) << work.error().message;
    auto const memory =
        work->element(static_cast<std::uint64_t>(expected.processors)).mean / expected.processors;
    EXPECT_NEAR(std::max(work->element(0).mean, memory), expected.greatest_work,
                1e-7 * expected.greatest_work);
    auto const direct = model::direct_work<symbolic::MomentTimes>(model, root, values);
    ASSERT_TRUE(direct);
    for (auto const& component : direct->components())
        EXPECT_NEAR(work->element(component.index).variance, component.value.variance,
                    1e-9 * component.value.variance);
}

INSTANTIATE_TEST_SUITE_P(Sheet, ParallelSorting,
                         testing::Values(SortingCase{81920,
                                                     2,
                                                     no_time,
                                                     {7629794.5, 4.0094733e+09, 0.1075301, 3.0277954},
                                                     {4217331.6, 0.06, 0, 20560.712, 3391902.1},
                                                     7570042.9,
                                                     "two"},
                                         SortingCase{81920,
                                                     8,
                                                     no_time,
                                                     {518614.42, 1.378568e+08, 0.26230758, 3.0805406},
                                                     {276727.05, 20.16, 0, 9095.3755, 232771.83},
                                                     480793.28,
                                                     "eight"},
                                         SortingCase{81920,
                                                     64,
                                                     no_time,
                                                     {100341.44, 1439476.4, 0.23442206, 3.0750596},
                                                     {7104.0099, 83865.6, 0, 1344.6318, 8027.1959},
                                                     92492.64,
                                                     "counts with a fraction"},
                                         SortingCase{81920,
                                                     128,
                                                     no_time,
                                                     {1348931.0548, 5594799.1, 0.0044875068, 3.0002181},
                                                     {2688.3049, 1342095.4, 0, 702.35128, 3445.0387},
                                                     1344570.7,
                                                     "the samples are the most work"},
                                         SortingCase{81920,
                                                     8,
                                                     published_time,
                                                     {904754.85, 1.3931144e+08, 0.26128539, 3.0800792},
                                                     {379268.11, 650.16, 70, 99920.435, 424846.14},
                                                     480793.28,
                                                     "with memory"},
                                         SortingCase{81920,
                                                     32,
                                                     published_time,
                                                     {163835.5, 5795343.8, 0.31641464, 3.1106761},
                                                     {47710.04, 15467.76, 310, 28328.812, 72018.89},
                                                     101429.38,
                                                     "where it was measured"},
                                         SortingCase{81920,
                                                     128,
                                                     published_time,
                                                     {1541704.8, 7288625.2, 0.0051344635, 3.000183},
                                                     {10508.257, 1505925.4, 1270, 7656.7111, 16344.516},
                                                     1344570.7,
                                                     "many"}));

// By hand: n = 8, m = 2, all conditions true: 118 + 36 + 10 + 44 + 138; the memory works 52 moves of 10.
std::string deterministic_sorting(char const* places) {
    auto text = example("psrs.pam");
    for (auto const& [what, with] : std::vector<std::pair<std::string, std::string>>{
             {"moments(1,1,2,9)", "1"},
             {"moments(10,100,2,9)", "10"},
             {"moments(5e-3, 2e+0, 4e+0, 2e+1)", "1"},
             {"moments(1e-2, 3e-2, 9e+0, 7e+1)", "1"},
             {"moments(4e-3, 5e+0, 2e+0, 6e+0)", "1"},
             {"fcfs(P,P)", std::string("fcfs(P,") + places + ")"}})
        text = replaced(text, what, with);
    return text;
}

TEST(TheParallelSorting, OfSixteenOnTwoIsAsByHand) {
    struct Case {
        char const* places;
        double omega_of_all;
        double total;
    };
    for (auto const& expected : {Case{"P", 260, 346}, Case{"1", 520, 520}}) {
        auto model = compiled(deterministic_sorting(expected.places), {{"P", 2, true}, {"N", 16, true}});
        std::vector<double> values;
        for (auto const& parameter : model.parameters)
            values.push_back(parameter.name == "P" ? 2 : 16);
        auto const root = model.process_equations.front().root;
        auto const point = at(model, values, model::BoundBy::contended_resources);
        EXPECT_EQ(point.phi, deterministic(346));
        EXPECT_EQ(point.total, deterministic(expected.total)) << expected.places;
        EXPECT_EQ(at(model, values, model::BoundBy::all_resources).omega,
                  deterministic(expected.omega_of_all));
        EXPECT_EQ(model::direct_critical_path<symbolic::RealTimes>(model, root, values), 346);
        auto const each =
            model::direct_critical_path<symbolic::RealTimes>(model, root, values, model::Turns::each);
        EXPECT_EQ(each, 346);
    }
}

TEST(TheParallelSorting, WithOneMemoryTheBoundByPhasesIsTighter) {
    auto model = compiled(deterministic_sorting("1"), {{"P", 2, true}, {"N", 16, true}});
    std::vector<double> values;
    for (auto const& parameter : model.parameters)
        values.push_back(parameter.name == "P" ? 2 : 16);
    std::vector<double> totals;
    for (auto const& phase : model::phases(model, model.process_equations.front().root))
        totals.push_back(evaluated(model, phase.times.total, values).mean);
    EXPECT_EQ(totals, (std::vector<double>{180, 36, 10, 80, 220}));  // 526, not 520
}

TEST(TheParallelSorting, NamesWhatIsLeftOutOfTheBoundAndWhy) {
    auto model = compiled(example("psrs.pam"), {});
    auto const times = model::time_domain(model, model.process_equations.front().root);
    ASSERT_EQ(times.uncontended.size(), 2u);
    EXPECT_EQ(times.uncontended[0].name, "cpu");
    EXPECT_EQ(times.uncontended[0].reason, "never used by more than one process at a time");
    EXPECT_EQ(times.uncontended[1].name, "shmem");
    EXPECT_EQ(times.uncontended[1].reason, "its P places are enough for all that use it at a time");
}

}  // namespace
}  // namespace parcast
