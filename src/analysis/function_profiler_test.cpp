#include "analysis/function_profiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace parcast::analysis {
namespace {

// main calls walk, which calls itself once and visit.
Catalogue catalogue() {
    Catalogue catalogue;
    for (auto const* name : {"main", "walk", "visit"})
        catalogue.sites.push_back({0, 0, "", {{name, "/src/walk.c", 1}}});
    auto const stack = [&](StackId caller, std::size_t site) {
        catalogue.stacks.push_back({caller, SiteId(site)});
    };
    stack(StackId::none(), 0);
    stack(StackId(std::size_t{0}), 1);
    stack(StackId(std::size_t{1}), 1);
    stack(StackId(std::size_t{2}), 2);
    return catalogue;
}

WorkShare share(std::size_t stack, std::int64_t ns, std::uint32_t calls) {
    return {0, StackId(stack), ns, calls, 0};
}

TEST(FunctionProfiler, CountsRecursionOnceAndTakesOutWhatCallsCost) {
    FunctionProfiler profiler;
    for (auto const& each : {share(0, 1'000, 1), share(1, 200, 2), share(2, 300, 4), share(3, 500, 10)})
        profiler.add(each);
    Provenance provenance;
    provenance.call_probes = CallProbes{16, 10, 5, 0, 0};
    auto const functions = profiler.finish(catalogue(), provenance);
    ASSERT_EQ(functions.size(), 3u);
    EXPECT_EQ(functions[0].name, "main");
    EXPECT_DOUBLE_EQ(functions[0].self_ns, 1'000 - 10 - 2 * 5);
    EXPECT_EQ(functions[1].name, "visit");
    EXPECT_DOUBLE_EQ(functions[1].self_ns, 500 - 10 * 10);
    EXPECT_EQ(functions[2].name, "walk");
    EXPECT_EQ(functions[2].calls, 6);
    EXPECT_DOUBLE_EQ(functions[2].self_ns, (200 - 2 * 10 - 4 * 5) + (300 - 4 * 10 - 10 * 5));
    EXPECT_DOUBLE_EQ(functions[2].total_ns, functions[2].self_ns + functions[1].self_ns);
    EXPECT_DOUBLE_EQ(functions[0].total_ns, functions[0].self_ns + functions[2].total_ns);
}

TEST(FunctionProfiler, SamplesHaveAStandardErrorAndNoCalls) {
    FunctionProfiler profiler;
    profiler.add(share(0, 64'000'000, 0));
    profiler.add(share(1, 36'000'000, 0));
    Provenance provenance;
    provenance.sampling = Sampling{1'000'000, 100, 0};
    auto const functions = profiler.finish(catalogue(), provenance);
    EXPECT_FALSE(functions[0].calls);
    EXPECT_NEAR(functions[0].self_error_ns.value_or(0), 1e6 * std::sqrt(100 * 0.64 * 0.36), 0.02e6);
    provenance.sampling->samples = 64;
    EXPECT_GT(profiler.finish(catalogue(), provenance)[0].self_error_ns.value_or(0), 0)
        << "all samples hit it";
}

}  // namespace
}  // namespace parcast::analysis
