#include "model/composition/time_domain.h"

#include "model/composition/resource_contention.h"
#include "support/direct_composition.h"
#include "symbolic/notation/notation.h"
#include "symbolic/simplify/simplify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace parcast::model {
namespace {

using symbolic::Expression;
using testing::ElementsAre;
using testing::IsEmpty;
using enum symbolic::ExpressionKind;

class TheTimeDomain : public testing::Test {
protected:
    Expression number(double value) { return model.expressions.number(value); }
    Expression plus(Expression left, Expression right) { return model.expressions.make(add, {left, right}); }
    Expression times(Expression left, Expression right) {
        return model.expressions.make(multiply, {left, right});
    }
    Expression exponential_law(double mean) {
        return model.expressions.make(moments, {number(mean), number(mean * mean), number(2), number(9)});
    }
    template <class Form>
    ProcessId process(Form form) {
        model.processes.emplace_back(std::move(form));
        return {static_cast<std::uint32_t>(model.processes.size() - 1)};
    }
    ProcessId delay(Expression time) { return process(Delay{time}); }
    ProcessId use(std::string name, Expression index, Expression places, Expression time) {
        return process(Use{{std::move(name), index, places}, time});
    }
    ProcessId sequence(std::vector<ProcessId> parts) { return process(Sequence{std::move(parts)}); }
    ProcessId at_once(std::vector<ProcessId> branches) { return process(Parallel{std::move(branches)}); }
    ProcessId loop(bool parallel, symbolic::IndexId index, Expression first, Expression last,
                   ProcessId body) {
        return process(ProcessLoop{parallel, index, first, last, body});
    }
    ProcessId par(symbolic::IndexId index, Expression count, ProcessId body) {
        return loop(true, index, number(0), plus(count, number(-1)), body);
    }
    ProcessId seq(symbolic::IndexId index, Expression count, ProcessId body) {
        return loop(false, index, number(0), plus(count, number(-1)), body);
    }

    std::string text(Expression expression) {
        return text_of(model.expressions, simplify(model.expressions, expression));
    }
    std::vector<std::string> contended(ProcessId root) {
        std::vector<std::string> names;
        for (auto const& verdict : resource_contention(model, root))
            if (verdict.is_contended)
                names.push_back(verdict.name);
        return names;
    }

    ProcessModel model;
    Expression const P = model.expressions.parameter("P");
    Expression const N = model.expressions.parameter("N");
    symbolic::IndexId const p = model.expressions.new_index("p");
    symbolic::IndexId const q = model.expressions.new_index("q");
    Expression const at_p = model.expressions.index(p);
    Expression const at_q = model.expressions.index(q);
    Expression const one = number(1);
};

TEST_F(TheTimeDomain, SequencesAddAndBranchesTakeTheLongest) {
    auto const root = sequence({delay(N), at_once({delay(P), sequence({delay(one), delay(N)})})});
    auto const times = time_domain(model, root);
    EXPECT_EQ(text(times.phi), "N + max(P, N + 1)");
    EXPECT_EQ(text(times.delta), "[0]");
    EXPECT_EQ(times.total, times.phi) << "no resource, no bound";
}

TEST_F(TheTimeDomain, WhatTakesNoTimeIsNoBranch) {
    auto const nothing = sequence({});
    auto const times = time_domain(model, at_once({nothing, delay(exponential_law(1)), par(p, P, nothing)}));
    EXPECT_EQ(text(times.phi), "moments(1,1,2,9)") << "not the maximum with 0";
    EXPECT_EQ(text(time_domain(model, nothing).total), "0");
}

TEST_F(TheTimeDomain, WorkIsAddedUpByResourceAndSharedByItsPlaces) {
    auto const server = use("server", number(0), number(2), exponential_law(3));
    auto const times = time_domain(model, par(p, P, seq(q, N, server)));
    EXPECT_EQ(text(times.delta), "[P * N * moments(3,9,2,9)]");
    EXPECT_EQ(text(times.omega), "P * N * moments(1.5,2.25,2,9)") << "each draw is shared, not the sum";
    EXPECT_EQ(text(times.phi), "max (p = 1, P) { N * moments(3,9,2,9) }");
}

TEST_F(TheTimeDomain, ConditionsChooseOrMixBothMeasures) {
    auto const bus = use("bus", number(1), one, number(4));
    auto const idle = delay(number(10));
    auto const chosen = process(ProcessChoice{model.expressions.make(less, {P, N}), false, bus, idle});
    EXPECT_EQ(text(time_domain(model, chosen).phi), "if (P < N) { 4 } else { 10 }");
    auto const mixed = process(ProcessChoice{number(0.5), true, bus, idle});
    EXPECT_EQ(text(time_domain(model, mixed).phi), "moments(7,9,0,1)");
    EXPECT_EQ(text(time_domain(model, mixed).delta), "[0, moments(2,4,0,1)]");
}

TEST_F(TheTimeDomain, PhasesAreThePartsOfTheSequenceAtTheTop) {
    auto const inner = sequence({delay(N), delay(P)});
    auto const parts = phases(model, sequence({inner, at_once({inner, inner})}));
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_EQ(parts[1].name, "phase 2");
    EXPECT_EQ(text(parts[1].times.total), "P");
    EXPECT_EQ(text(parts[2].times.total), "P + N");
}

// --- contention

TEST_F(TheTimeDomain, AResourceOfOnePathCannotBeContended) {
    auto const disk = use("disk", number(0), one, N);
    EXPECT_THAT(contended(sequence({disk, disk, seq(p, N, disk)})), IsEmpty());
    EXPECT_THAT(contended(at_once({disk, delay(P)})), IsEmpty());
    EXPECT_THAT(contended(at_once({disk, disk})), ElementsAre("disk"));
    EXPECT_THAT(contended(par(p, P, disk)), ElementsAre("disk"));
    EXPECT_THAT(contended(par(p, one, disk)), IsEmpty()) << "a single branch";
}

TEST_F(TheTimeDomain, EachBranchHasItsOwnOfAnArray) {
    auto const own = use("cpu", at_p, one, N);
    EXPECT_THAT(contended(par(p, P, seq(q, N, own))), IsEmpty());
    EXPECT_THAT(contended(sequence({par(p, P, own), use("cpu", number(0), one, N)})), IsEmpty())
        << "one after the other";
    EXPECT_THAT(contended(par(p, P, sequence({own, use("cpu", number(0), one, N)}))), ElementsAre("cpu"));
    EXPECT_THAT(contended(par(p, P, sequence({own, use("cpu", plus(at_p, one), one, N)}))),
                ElementsAre("cpu"))
        << "the neighbour's";
    EXPECT_THAT(contended(par(q, N, par(p, P, own))), ElementsAre("cpu")) << "N of each";
}

TEST_F(TheTimeDomain, AGridHasARowOfItsOwnForEachBranch) {
    auto const cell = use("cpu", plus(times(at_q, P), at_p), one, N);
    EXPECT_THAT(contended(par(q, N, par(p, P, cell))), IsEmpty());
    auto const shifted = use("cpu", plus(at_q, at_p), one, N);
    EXPECT_THAT(contended(par(q, N, par(p, P, shifted))), ElementsAre("cpu"));
}

TEST_F(TheTimeDomain, PlacesForAllAreEnough) {
    EXPECT_THAT(contended(par(p, P, use("memory", P, P, N))), IsEmpty());
    EXPECT_THAT(contended(par(p, P, use("memory", P, plus(P, number(-1)), N))), ElementsAre("memory"));
    auto const memory = use("memory", P, P, N);
    EXPECT_THAT(contended(sequence({memory, par(p, P, memory)})), IsEmpty())
        << "a resource has one place at least";
    EXPECT_THAT(contended(par(p, P, at_once({memory, memory}))), ElementsAre("memory"));
}

TEST_F(TheTimeDomain, ResourcesWithTheSameIndexAreOne) {
    auto const left = use("left", number(3), one, N);
    auto const right = use("right", number(3), one, N);
    EXPECT_THAT(contended(at_once({left, right})), ElementsAre("left", "right"));
    EXPECT_THAT(contended(at_once({left, use("right", number(4), one, N)})), IsEmpty());
    EXPECT_THAT(contended(at_once({left, use("right", P, one, N)})), ElementsAre("left", "right"))
        << "P may be 3";
    auto const own = use("cpu", at_p, one, N);
    EXPECT_THAT(contended(par(p, P, sequence({own, use("bus", P, P, one)}))), IsEmpty())
        << "P is no index of a branch";
}

// --- the direct composition

TEST_F(TheTimeDomain, ComposedDirectlyItIsTheSame) {
    auto const server = use("server", number(0), one, exponential_law(0.5));
    auto const client = sequence({delay(exponential_law(4)), server, delay(times(at_p, number(2)))});
    auto const root = sequence({par(p, P, seq(q, N, client)), delay(N)});
    model.parameters = {{"P", std::nullopt}, {"N", std::nullopt}};
    std::array const point{3.0, 20.0};
    auto const direct = direct_critical_path<symbolic::MomentTimes>(model, root, point);
    auto const each = direct_critical_path<symbolic::MomentTimes>(model, root, point, Turns::each);
    ASSERT_TRUE(direct && each);
    std::array<std::string, 2> const names{"P", "N"};
    auto const phi = simplify(model.expressions, time_domain(model, root).phi);
    auto const composed = *symbolic::ExpressionTape::compile(model.expressions, phi, names)->moments(point);
    EXPECT_NEAR(composed.mean, direct->mean, 1e-9 * direct->mean);
    EXPECT_NEAR(composed.variance, direct->variance, 1e-6 * direct->variance);
    EXPECT_NEAR(each->mean, direct->mean, 1e-9 * direct->mean);
    auto const means = direct_critical_path<symbolic::RealTimes>(model, root, point);
    EXPECT_DOUBLE_EQ(*means, 20 * (4 + 0.5 + 2 * 2) + 20) << "of the means, the last branch is the longest";
}

}  // namespace
}  // namespace parcast::model
