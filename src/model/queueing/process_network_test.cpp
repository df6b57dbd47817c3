#include "model/queueing/process_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/ensure.h"
#include "model/queueing/finite_source.h"
#include "support/process_model_builder.h"

namespace parcast::model {

namespace {

class ProcessNetworks : public testing::Test {
protected:
    LongRun solved(ProcessId main, std::vector<double> const& parameters = {}) {
        auto found = long_run(build.model(), main, parameters);
        EXPECT_TRUE(found) << (found ? "" : found.error().message);
        ensure(found.has_value(), "a closed network");
        return std::move(*found);
    }
    Error error(ProcessId main) {
        auto const found = long_run(build.model(), main, {});
        EXPECT_FALSE(found);
        return found ? Error{} : found.error();
    }
    ProcessId request(double mean) { return build.use(server, build.exponential(mean)); }
    ProcessId turn(double think, double service) {
        return build.sequence({build.delay(build.exponential(think)), request(service)});
    }

    ProcessModelBuilder build;
    Resource const server = build.resource("s", 0, 1);
};

struct Row {
    double clients;
    double cycle;
};

class MachineRepair : public ProcessNetworks, public testing::WithParamInterface<Row> {};

// Gautama and van Gemund, table 6, recomputed exactly (octave-queueing): t_l = 10, t_s = 0.1, N = 1e6.
TEST_P(MachineRepair, HasTheExactCycleTime) {
    auto const P = build.parameter("P");
    auto const main = build.copies(P, build.repeat(1e6, turn(10, 0.1)));
    auto const found = solved(main, {GetParam().clients});
    EXPECT_NEAR(found.turn, GetParam().cycle, 6e-9);  // eight digits are given
    EXPECT_NEAR(found.total, 1e6 * GetParam().cycle, 6e-3);
    EXPECT_THAT(found.assumptions, testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Table6, MachineRepair,
                         testing::Values(Row{1, 10.1}, Row{2, 10.10099010}, Row{10, 10.10965997},
                                         Row{20, 10.12277613}, Row{90, 10.53984552}, Row{95, 10.65901776},
                                         Row{101, 10.85700453}, Row{105, 11.03243376}, Row{150, 15.00000977},
                                         Row{200, 20}, Row{1000, 100}));

TEST_F(ProcessNetworks, TheMultiplicityIsTheNumberOfServers) {
    auto const pair = build.resource("pair", 0, 2);
    auto const body =
        build.sequence({build.delay(build.exponential(3)), build.use(pair, build.exponential(2))});
    auto const queue = solve(FiniteSource{2, 5, 3, 2});
    ASSERT_TRUE(queue);
    EXPECT_NEAR(solved(build.copies(5, build.repeat(100, body))).turn, 5 / queue->throughput, 1e-10);
}

TEST_F(ProcessNetworks, LoopsAndConditionsInATurnAreMeanVisits) {
    auto const visits = build.repeat(4, build.choice(0.5, request(1), build.nothing()));
    auto const found = process_network(
        build.model(), build.copies(3, build.repeat(10, build.sequence({build.delay(5), visits}))), {});
    ASSERT_TRUE(found);
    ASSERT_EQ(found->network.stations.size(), 1u);
    EXPECT_EQ(found->network.stations.front().visits, 2);
    EXPECT_EQ(found->network.stations.front().service, 1);
    EXPECT_EQ(found->network.think, 5);
    EXPECT_EQ(found->names.front(), "s");
}

TEST_F(ProcessNetworks, AProcessorOfEachClientIsThinking) {
    auto const p = build.new_index("p");
    auto const own = build.use(
        build.resource("cpu", build.make(symbolic::ExpressionKind::add, {build.index(p), build.number(1)}),
                       build.number(1)),
        build.exponential(10));
    auto const body = build.repeat(1e6, build.sequence({own, request(0.1)}));
    auto const main = build.loop(true, p, build.number(0), build.number(9), body);
    EXPECT_NEAR(solved(main).turn, 10.10965997, 6e-9);
}

TEST_F(ProcessNetworks, TimesThatAreNotExponentialAreSaid) {
    auto const body = build.sequence({build.delay(10), build.use(server, build.number(0.1))});
    EXPECT_THAT(solved(build.copies(20, build.repeat(100, body))).assumptions,
                testing::ElementsAre(testing::HasSubstr("s are taken as exponential")));
    // Thinking may have any law.
    auto const fine = build.sequence({build.delay(10), request(0.1)});
    EXPECT_THAT(solved(build.copies(20, build.repeat(100, fine))).assumptions, testing::IsEmpty());
}

TEST_F(ProcessNetworks, UsesOfUnlikeMeanAreSaid) {
    auto const body = build.sequence({build.delay(10), request(1), request(2)});
    EXPECT_THAT(solved(build.copies(3, build.repeat(100, body))).assumptions,
                testing::ElementsAre(testing::HasSubstr("unlike mean times")));
}

TEST_F(ProcessNetworks, OtherModelsAreRefusedWithTheReason) {
    auto const p = build.new_index("p");
    auto const fork = build.parallel({request(1), request(1)});
    auto const unlike =
        build.loop(true, p, build.number(1), build.number(3),
                   build.repeat(5, build.sequence({build.delay(build.index(p)), request(1)})));
    EXPECT_THAT(error(request(1)).message, testing::HasSubstr("not a parallel loop"));
    EXPECT_THAT(error(build.copies(3, request(1))).message, testing::HasSubstr("not a sequential loop"));
    EXPECT_THAT(error(build.copies(3, build.repeat(5, fork))).message, testing::HasSubstr("forks"));
    EXPECT_THAT(error(unlike).message, testing::HasSubstr("clients differ"));
    EXPECT_EQ(error(unlike).code, ErrorCode::unsupported);
}

}  // namespace

}  // namespace parcast::model
