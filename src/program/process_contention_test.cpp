#include "program/process_contention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/process_model_builder.h"

namespace parcast {

namespace {

using Kind = symbolic::ExpressionKind;

auto need(double index, double paths, double servers) {
    return testing::AllOf(testing::Field("index", &ResourceNeed::index, index),
                          testing::Field("paths", &ResourceNeed::paths, paths),
                          testing::Field("servers", &ResourceNeed::servers, servers));
}

class Contention : public testing::Test {
protected:
    std::vector<ResourceNeed> needs(ProcessId root, std::vector<double> const& parameters = {}) {
        auto const found = resource_needs(build.model(), root, parameters);
        EXPECT_TRUE(found) << (found ? "" : found.error().message);
        return found ? *found : std::vector<ResourceNeed>{};
    }
    Error error(ProcessId root) {
        auto const found = resource_needs(build.model(), root, {});
        EXPECT_FALSE(found);
        return found ? Error{} : found.error();
    }

    ProcessModelBuilder build;
    Resource const memory = build.resource("memory", 0, 1);
    ProcessId const access = build.use(memory, build.number(1));
};

TEST_F(Contention, OneSequentialPathNeverWaits) {
    auto const found = needs(build.repeat(1000, build.sequence({access, build.delay(1), access})));
    EXPECT_THAT(found, testing::ElementsAre(need(0, 1, 1)));
    EXPECT_FALSE(found.front().contended());
}

TEST_F(Contention, ParallelBranchesContend) {
    auto const found = needs(build.parallel({access, build.sequence({access, access}), build.delay(1)}));
    EXPECT_THAT(found, testing::ElementsAre(need(0, 2, 1)));
    EXPECT_TRUE(found.front().contended());
}

TEST_F(Contention, PhasesOfASequenceDoNotContendWithEachOther) {
    EXPECT_THAT(needs(build.sequence({build.copies(3, access), build.copies(5, access)})),
                testing::ElementsAre(need(0, 5, 1)));
}

TEST_F(Contention, ServersForAllBranchesAreNotContendedFor) {
    auto const P = build.parameter("P");
    auto const wide = build.use(build.resource("shmem", build.number(3), P), build.number(1));
    auto const found = needs(build.copies(P, wide), {64});
    EXPECT_THAT(found, testing::ElementsAre(need(3, 64, 64)));
    EXPECT_FALSE(found.front().contended());
}

TEST_F(Contention, AResourceOfEachBranchIsItsOwn) {
    auto const p = build.new_index("p");
    auto const flop = build.use(build.resource("cpu", build.index(p), build.number(1)), build.number(1));
    auto const main = build.loop(true, p, build.number(0), build.number(2), build.sequence({flop, access}));
    // cpu(0) is the memory: what has one index is one resource, and no path uses it twice at a time.
    EXPECT_THAT(needs(main), testing::ElementsAre(need(0, 3, 1), need(1, 1, 1), need(2, 1, 1)));
}

TEST_F(Contention, OnlyTheBranchOfANumericConditionIsSeen) {
    auto const main = build.copies(2, build.decision(build.number(0), access, build.delay(1)));
    EXPECT_THAT(needs(main), testing::IsEmpty());
}

TEST_F(Contention, BothBranchesOfAStochasticConditionCount) {
    auto const other = build.use(build.resource("disk", 1, 2), build.number(1));
    EXPECT_THAT(needs(build.copies(2, build.choice(0.5, access, other))),
                testing::ElementsAre(need(0, 2, 1), need(1, 2, 2)));
}

TEST_F(Contention, AFractionOfABranchMayBeABranch) {
    EXPECT_THAT(needs(build.copies(1.5, access)), testing::ElementsAre(need(0, 2, 1)));
}

TEST_F(Contention, ARandomNumberOfBranchesMayBeAny) {
    auto const found = needs(build.copies(build.moments({2, 1, 0, 3}), access));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found.front().contended());
}

TEST_F(Contention, ALoopWithoutTurnsNeedsNothing) {
    EXPECT_THAT(needs(build.copies(0, access)), testing::IsEmpty());
}

TEST_F(Contention, TwoMultiplicitiesOfOneResourceAreAnError) {
    auto const other = build.use(build.resource("bus", 0, 2), build.number(1));
    auto const found = error(build.parallel({access, other}));
    EXPECT_EQ(found.code, ErrorCode::inconsistent);
    EXPECT_THAT(found.message, testing::HasSubstr("multiplicities"));
}

TEST_F(Contention, AnIndexIsAWholeNumber) {
    auto const found = error(build.use(build.resource("half", 0.5, 1), build.number(1)));
    EXPECT_EQ(found.code, ErrorCode::out_of_range);
    EXPECT_THAT(found.message, testing::HasSubstr("resource half"));
}

}  // namespace

}  // namespace parcast
