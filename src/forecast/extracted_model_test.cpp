// Task graphs written as models, compiled, and composed again: the critical path must be the graph's.

#include "forecast/extracted_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/moments.h"
#include "pamela/compile.h"
#include "program/task_graph_builder.h"
#include "support/direct_composition.h"
#include "symbolic/time_algebra.h"

namespace parcast::forecast {
namespace {

using testing::HasSubstr;

Result<std::string> no_file(std::string_view) {
    return fail(ErrorCode::not_found, "no file");
}

pamela::Compilation compiled(std::string const& text) {
    auto compilation = pamela::compile(text, "model.pam", {}, no_file);
    EXPECT_TRUE(compilation.succeeded()) << pamela::describe(compilation.diagnostics, text) << text;
    EXPECT_TRUE(compilation.diagnostics.empty()) << pamela::describe(compilation.diagnostics, text);
    return compilation;
}

std::vector<double> parameters_of(ProcessModel const& model) {
    std::vector<double> values;
    for (auto const& parameter : model.parameters)
        values.push_back(parameter.value.value_or(0));
    return values;
}

ProcessId main_of(ProcessModel const& model) {
    EXPECT_EQ(model.process_equations.back().name, "main");
    return model.process_equations.back().root;
}

// In ns, with every time that has moments as its mean.
double critical_path_ns(ExtractedModel const& extracted) {
    auto const compilation = compiled(extracted.model.text);
    auto const path = model::direct_critical_path<symbolic::RealTimes>(
        compilation.model, main_of(compilation.model), parameters_of(compilation.model));
    EXPECT_TRUE(path.has_value());
    return *path * extracted.model.unit_ns;
}

ExtractedModel extracted(TaskGraph const& graph, bool closest = false) {
    auto model = model_of_graph(graph, "graph.json", closest);
    EXPECT_TRUE(model.has_value()) << (model ? "" : model.error().message);
    return std::move(*model);
}

// A series or parallel composition of random depth, of tasks that take a few different times. Says what goes
// first and last in it.
struct Ends {
    std::vector<TaskGroupId> first;
    std::vector<TaskGroupId> last;
};

class RandomGraph {
public:
    explicit RandomGraph(std::uint32_t seed) : random_(seed) {}

    TaskGraph graph(int depth) {
        composed(depth);
        return std::move(builder_).finish();
    }

private:
    Ends composed(int depth) {
        if (depth == 0)
            return tasks();
        return random_() % 2 == 0 ? series(depth) : parallel(depth);
    }

    Ends tasks() {
        std::vector<double> const times(1 + random_() % 4, random_() % 2 == 0 ? 16e6 : 64e6);
        auto const group = builder_.add_group(times);
        return {{group}, {group}};
    }

    Ends series(int depth) {
        auto ends = composed(depth - 1);
        for (auto parts = random_() % 4; parts > 0; --parts) {
            auto const next = composed(depth - 1);
            for (auto const before : ends.last)
                for (auto const after : next.first)
                    builder_.precede(before, after);
            ends.last = next.last;
        }
        return ends;
    }

    Ends parallel(int depth) {
        Ends ends;
        for (auto branches = 1 + random_() % 4; branches > 0; --branches) {
            auto const next = composed(depth - 1);
            ends.first.insert(ends.first.end(), next.first.begin(), next.first.end());
            ends.last.insert(ends.last.end(), next.last.begin(), next.last.end());
        }
        return ends;
    }

    std::mt19937 random_;
    TaskGraphBuilder builder_;
};

// Law. Times are the same, or differ by a factor of four and more than a two-hundredth of the path, so that
// only equal ones are taken together.
TEST(ExtractedModel, HasTheCriticalPathOfTheGraphWhereWhatRepeatsItselfTakesTheSameTime) {
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        auto const graph = RandomGraph(seed).graph(1 + static_cast<int>(seed % 3));
        auto const model = extracted(graph);
        EXPECT_NEAR(critical_path_ns(model), span_ns(graph), 1e-8 * span_ns(graph)) << "seed " << seed << "\n"
                                                                                    << model.model.text;
    }
}

TEST(ExtractedModel, TheClosestStructureHasTheCriticalPathThatIsSaid) {
    TaskGraphBuilder builder;
    for (double const time : {9e6, 1e6, 1e6, 9e6})
        builder.add_task(time);
    builder.precede(TaskGroupId(0), TaskGroupId(2));
    builder.precede(TaskGroupId(1), TaskGroupId(2));
    builder.precede(TaskGroupId(1), TaskGroupId(3));
    auto const graph = std::move(builder).finish();
    auto const refused = model_of_graph(graph, "graph.json", false);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().message, HasSubstr("not a series-parallel graph"));
    auto const model = extracted(graph, true);
    EXPECT_FALSE(model.is_series_parallel);
    EXPECT_DOUBLE_EQ(model.span_ns, 11e6);
    EXPECT_NEAR(critical_path_ns(model), 11e6, 1);
    EXPECT_THAT(model.model.text, HasSubstr("its critical path is 11.0 ms, 10 % longer"));
}

// A loop of eight tasks of 8 to 12 ms, twenty times: with moments the path is the mean of the longest of
// eight, which the graph has as its own.
TEST(ExtractedModel, MomentsGiveTheCriticalPathOfRepeatedRandomSegments) {
    std::mt19937 random(7);
    TaskGraphBuilder builder;
    auto last = builder.add_task(1e6);
    for (int phase = 0; phase < 200; ++phase) {
        std::vector<double> times;
        for (int task = 0; task < 8; ++task)
            times.push_back(8e6 + static_cast<double>(random() % 4'000'001));
        auto const group = builder.add_group(times);
        builder.precede(last, group);
        last = group;
    }
    auto const graph = std::move(builder).finish();
    auto const model = extracted(graph);
    EXPECT_THAT(model.model.text, HasSubstr("seq (i1 = 1, N) par (p2 = 1, P) delay(t1)"));
    auto const compilation = compiled(model.model.text);
    auto const path = model::direct_critical_path<symbolic::MomentTimes>(
        compilation.model, main_of(compilation.model), parameters_of(compilation.model));
    ASSERT_TRUE(path.has_value());
    // The longest of eight has a deviation of 0.4 ms; the sum of two hundred of 5.6 ms, of some 2,320.
    EXPECT_NEAR(path->mean * model.model.unit_ns, span_ns(graph), 5 * 5.6e6);
}

// A reader had to predict to see that a model was far from its recording.
TEST(ExtractedModel, SaysHowFarTheFormulaIsFromTheRecording) {
    TaskGraphBuilder builder;
    builder.add_group(std::vector<double>{20e6, 20e6, 15e6, 15e6});
    auto const model = extracted(std::move(builder).finish());
    // Two points of deviation sqrt(4/3) * 2.5 ms around 17.5; of four the greatest is the higher one in
    // 15/16.
    double const off = std::sqrt(4.0 / 3) * 2.5;
    double const mean = 17.5 + off * (1 - 2.0 / 16);
    ASSERT_TRUE(model.formula.has_value());
    EXPECT_NEAR(model.formula->mean_ns, mean * 1e6, 1);
    EXPECT_THAT(
        model.model.text,
        HasSubstr("\n% the formula gives 20.0 ms at the recorded parameters, the recording's critical "
                  "path is 20.0 ms (+0.1 %)\n"));
    EXPECT_TRUE(model.formula->bound_by.empty());
}

TEST(ExtractedModel, TheFormulaMayBeTheWorkUnderALock) {
    TaskGraphBuilder builder;
    auto const loop = builder.add_group(std::vector<double>(4, 10e6));
    builder.use(loop, "lock.rate", 4 / 10e6);
    builder.use(loop, "lock.hold_ns", 2e6);
    auto const model = extracted(std::move(builder).finish());
    ASSERT_TRUE(model.formula.has_value());
    EXPECT_NEAR(model.formula->mean_ns, 32e6, 1);
    EXPECT_EQ(model.formula->bound_by, "lock");
    EXPECT_THAT(model.model.text,
                HasSubstr("\n% the formula gives 32.0 ms at the recorded parameters: lock is in use for that "
                          "long. The recording's critical path, without waiting for it, is 10.0 ms\n"));
}

TEST(ExtractedModel, WorkUnderALockIsInTheWorkOfTheResource) {
    TaskGraphBuilder builder;
    std::vector<double> const times(4, 10e6);
    auto const loop = builder.add_group(times);
    builder.use(loop, "lock.rate", 4 / 10e6);
    builder.use(loop, "lock.hold_ns", 0.5e6);
    auto const graph = std::move(builder).finish();
    auto const model = extracted(graph);
    EXPECT_NEAR(critical_path_ns(model), 10e6, 1);
    auto const compilation = compiled(model.model.text);
    auto const work = model::direct_work<symbolic::RealTimes>(compilation.model, main_of(compilation.model),
                                                              parameters_of(compilation.model));
    ASSERT_TRUE(work.has_value());
    EXPECT_THAT(model.model.text, HasSubstr("resource lock = fcfs(0,1)"));
    EXPECT_NEAR(work->element(0) * model.model.unit_ns, 4 * 4 * 0.5e6, 1);
}

}  // namespace
}  // namespace parcast::forecast
