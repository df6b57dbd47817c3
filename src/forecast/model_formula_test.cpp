#include "forecast/model_formula.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pamela/compile.h"

namespace parcast::forecast {
namespace {

using testing::IsEmpty;

constexpr double rounding = 1e-12;  // relative: a few operations on doubles

struct Model {
    ProcessModel model;
    ModelFormula formula;
};

Model model_of(std::string const& text, FormulaOptions const& options = {"main", {}, false}) {
    auto compiled = pamela::compile(text, "model.pam", {}, [](std::string_view) -> Result<std::string> {
        return fail(ErrorCode::not_found, "no file");
    });
    EXPECT_TRUE(compiled.succeeded()) << pamela::describe(compiled.diagnostics, text);
    auto formula = ModelFormula::of(compiled.model, options);
    EXPECT_TRUE(formula.has_value()) << (formula ? "" : formula.error().message);
    return {std::move(compiled.model), std::move(*formula)};
}

struct Work {
    std::string resource;
    double work = 0;
    double servers = 0;

    friend bool operator==(Work const&, Work const&) = default;
};

std::vector<Work> work_of(Model const& model, std::vector<double> const& values) {
    auto const found = model.formula.resource_work(values);
    EXPECT_TRUE(found.has_value()) << (found ? "" : found.error().message);
    std::vector<Work> all;
    for (auto const& [resource, work, servers] : *found)
        all.push_back({model.formula.resources()[resource], work, servers});
    return all;
}

// Each of P processes uses the lock for 3 and a place of the pool for 10.
std::string const two_resources =
    "numeric parameter P\n"
    "resource lock = fcfs(0, 1)\n"
    "resource pool = fcfs(1, 2)\n"
    "process main = par (p = 1, P) { use(lock, 3) ; use(pool, 10) }\n";

TEST(ResourceWork, IsOfAllServersTogetherTheResourceThatBoundsMostFirst) {
    // By hand: P * 10 of two places are 5 P for each, more than the 3 P of the lock.
    EXPECT_EQ(work_of(model_of(two_resources), {4}), (std::vector<Work>{{"pool", 40, 2}, {"lock", 12, 1}}));
}

TEST(ResourceWork, IsDividedAsTimesAre) {
    EXPECT_EQ(work_of(model_of(two_resources, {"main", "P", false}), {4}),
              (std::vector<Work>{{"pool", 10, 2}, {"lock", 3, 1}}));
}

TEST(ResourceWork, OfTheOnlyResourceIsItsBoundTimesItsServers) {
    auto const model = model_of(
        "numeric parameter P\n"
        "numeric parameter K\n"
        "resource pool = fcfs(0, K)\n"
        "process main = par (p = 1, P) use(pool, 6)\n");
    EXPECT_EQ(work_of(model, {10, 3}), (std::vector<Work>{{"pool", 60, 3}}));
}

TEST(ResourceWork, OfAModelWithoutResourcesIsNone) {
    auto const model = model_of("numeric parameter P\nprocess main = par (p = 1, P) delay(2)\n");
    EXPECT_THAT(work_of(model, {4}), IsEmpty());
}

// What the page shows as busy is what bounds the time.
TEST(ResourceWork, OfTheFirstByItsServersIsTheBusiestOfThePoint) {
    auto const model = model_of(
        "numeric parameter P\n"
        "numeric parameter t\n"
        "resource lock = fcfs(0, 1)\n"
        "resource pool = fcfs(1, 3)\n"
        "process main = par (p = 1, P) seq (i = 1, 7) { delay(9) ; use(lock, t) ; use(pool, 5) }\n");
    for (double const processes : {1.0, 4.0, 31.0})
        for (double const time : {0.1, 1.0, 5.0}) {
            std::vector<double> const values{processes, time};
            auto const work = work_of(model, values);
            auto const point = model.formula.point(values);
            ASSERT_TRUE(point.has_value());
            ASSERT_FALSE(work.empty());
            double const busiest = work.front().work / work.front().servers;
            EXPECT_NEAR(busiest, point->busiest.mean, rounding * busiest) << processes << ", " << time;
            ASSERT_TRUE(point->resource.has_value());
            EXPECT_EQ(work.front().resource, model.formula.resources()[*point->resource]);
        }
}

TEST(ResourceWork, WithoutADivisorIsRefusedAsThePointIs) {
    auto const model = model_of(two_resources, {"main", "P", false});
    std::vector<double> const none{0};
    EXPECT_FALSE(model.formula.point(none).has_value());
    EXPECT_FALSE(model.formula.resource_work(none).has_value());
}

}  // namespace
}  // namespace parcast::forecast
