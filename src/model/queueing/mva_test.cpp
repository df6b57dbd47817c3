// Exact and approximate mean value analysis, by example and by law.

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "model/queueing/approximate_mva.h"
#include "model/queueing/exact_mva.h"
#include "model/queueing/finite_source.h"

namespace parcast::model {
namespace {

Station queue(double service, double visits) {
    return {service, visits, StationKind::queue, 1};
}

struct Case {
    char const* name;
    ClosedNetwork network;
    std::uint32_t customers;
    double throughput, response;
    std::vector<double> present, utilisation;
};

std::vector<Case> const networks{{"three queues",
                                  {0, {queue(0.05, 1), queue(0.08, 0.5), queue(0.04, 2)}},
                                  8,
                                  12.25559739,
                                  0.6527629576,
                                  {1.4582654, 0.92951865, 5.6122159},
                                  {0.61277987, 0.4902239, 0.98044779}},
                                 {"three queues and thinking",
                                  {2, {queue(0.05, 1), queue(0.08, 0.5), queue(0.04, 2)}},
                                  12,
                                  5.349418767,
                                  0.2432343628,
                                  {0.35174961, 0.26512244, 0.68429041},
                                  {0.26747094, 0.21397675, 0.4279535}},
                                 {"a processor and two disks",
                                  {5, {queue(0.2, 1), queue(0.35, 0.6), queue(0.3, 0.3)}},
                                  25,
                                  3.810183613,
                                  1.561363583,
                                  {2.5162414, 2.9215603, 0.51128025},
                                  {0.76203672, 0.80013856, 0.34291653}},
                                 {"a queue and a delay",
                                  {0, {queue(1, 1), {3, 1, StationKind::delay, 1}}},
                                  10,
                                  0.9991896119,
                                  10.00811045,
                                  {7.0024312, 2.9975688},
                                  {0.99918961, 2.9975688}},
                                 {"four equal queues",
                                  {0, {queue(0.25, 1), queue(0.25, 1), queue(0.25, 1), queue(0.25, 1)}},
                                  6,
                                  2.666666667,
                                  2.25,
                                  {1.5, 1.5, 1.5, 1.5},
                                  {2.0 / 3, 2.0 / 3, 2.0 / 3, 2.0 / 3}}};

// All digits by octave-queueing's qncsmva.
TEST(ExactMva, AgreesWithAnotherSolver) {
    for (Case const& row : networks) {
        auto const solved = exact_mva(row.network, row.customers);
        ASSERT_TRUE(solved) << row.name;
        EXPECT_NEAR(solved->throughput, row.throughput, 2e-10 * row.throughput + 1e-9) << row.name;
        EXPECT_NEAR(solved->response, row.response, 1e-8) << row.name;
        for (std::size_t k = 0; k < row.present.size(); ++k) {
            EXPECT_NEAR(solved->stations[k].customers, row.present[k], 1e-7) << row.name;
            EXPECT_NEAR(solved->stations[k].utilisation, row.utilisation[k], 1e-7) << row.name;
        }
    }
}

// Little's law for the stations and the network: customers are somewhere.
TEST(ExactMva, CustomersAreThinkingOrAtAStation) {
    for (Case const& row : networks) {
        auto const solved = exact_mva(row.network, row.customers);
        ASSERT_TRUE(solved);
        double present = solved->throughput * row.network.think;
        for (StationSolution const& station : solved->stations)
            present += station.customers;
        EXPECT_NEAR(present, row.customers, 1e-9 * row.customers) << row.name;
    }
}

// A network of one station with c servers and thinking is M/M/c//n, which has a solution of its own.
TEST(ExactMva, SeveralServersAgreeWithTheFiniteSource) {
    for (std::uint32_t const servers : {2U, 3U, 8U, 40U}) {
        for (std::uint32_t const customers : {1U, 2U, 7U, 16U, 100U, 1000U}) {
            for (double const think : {0.0, 1.0, 20.0, 400.0}) {
                auto const queueing = exact_mva({think, {{20, 1, StationKind::queue, servers}}}, customers);
                auto const chain = solve(FiniteSource{servers, customers, think, 20});
                ASSERT_TRUE(queueing && chain);
                EXPECT_NEAR(queueing->throughput, chain->throughput, 1e-11 * chain->throughput)
                    << servers << " servers, " << customers << " customers, think " << think;
                EXPECT_NEAR(queueing->stations[0].response, chain->wait + 20, 1e-9 * (chain->wait + 20));
            }
        }
    }
}

// The recursion that takes p(0) as the rest of 1 goes negative here and returns utilisations above 1.
TEST(ExactMva, SeveralServersAtSaturationStayWithinTheirCapacity) {
    ClosedNetwork const network{
        5, {{1, 1, StationKind::queue, 8}, queue(0.1, 1), {0.5, 1, StationKind::queue, 3}}};
    auto const solved = exact_mva(network, 100'000);
    ASSERT_TRUE(solved);
    EXPECT_NEAR(solved->throughput, 6, 1e-9) << "three servers of 0.5";
    EXPECT_LE(solved->stations[2].utilisation, 1 + 1e-12);
    EXPECT_NEAR(solved->stations[0].utilisation, 6.0 / 8, 1e-9);
    double present = solved->throughput * network.think;
    for (StationSolution const& station : solved->stations) {
        EXPECT_GE(station.customers, 0);
        present += station.customers;
    }
    EXPECT_NEAR(present, 100'000, 1e-6);
}

TEST(ExactMva, StationsThatNobodyVisitsChangeNothing) {
    auto network = networks[0].network;
    network.stations.push_back(queue(7, 0));
    network.stations.push_back({0, 3, StationKind::queue, 4});
    auto const solved = exact_mva(network, 8);
    ASSERT_TRUE(solved);
    EXPECT_NEAR(solved->throughput, networks[0].throughput, 1e-8);
    EXPECT_EQ(solved->stations[3].customers, 0);
    EXPECT_EQ(solved->stations[3].response, 7);
}

TEST(ExactMva, RefusesWhatIsNoNetwork) {
    EXPECT_EQ(exact_mva(networks[0].network, 0).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(exact_mva({1, {queue(-1, 1)}}, 2).error().message,
              "the service time of station 1 is negative or not a finite number");
    EXPECT_EQ(exact_mva({1, {queue(1, std::nan(""))}}, 2).error().message,
              "the number of visits to station 1 is negative or not a finite number");
    EXPECT_FALSE(exact_mva({0, {}}, 2)) << "a cycle of no time";
    EXPECT_FALSE(exact_mva({1, {{1, 1, StationKind::queue, 0}}}, 2)) << "no server";
    ClosedNetwork const many{1, std::vector<Station>(7, Station{1, 1, StationKind::queue, 2})};
    EXPECT_EQ(exact_mva(many, 9).error().code, ErrorCode::unsupported);
    EXPECT_TRUE(approximate_mva(many, 9));
}

// One class in two halves is the same network.
TEST(ExactMva, AClassSplitInTwoIsTheSameNetwork) {
    std::vector<double> const demands{0.05, 0.04, 0.08};
    ClassesNetwork const halves{
        {2, 2}, {5, 7}, {demands, demands}, std::vector<StationKind>(3, StationKind::queue)};
    auto const classes = exact_mva(halves);
    auto const single = exact_mva({2, {queue(0.05, 1), queue(0.04, 1), queue(0.08, 1)}}, 12);
    ASSERT_TRUE(classes && single);
    EXPECT_NEAR((*classes)[0].throughput + (*classes)[1].throughput, single->throughput, 1e-12);
    EXPECT_NEAR((*classes)[0].response, single->response, 1e-12);
}

// Two classes of one customer each, one queue: by hand. A alone: 1 / (1 + 2); B alone: 1 / (3 + 4).
TEST(ExactMva, TwoClassesByHand) {
    ClassesNetwork const pair{{1, 3}, {1, 1}, {{2}, {4}}, {StationKind::queue}};
    auto const solved = exact_mva(pair);
    ASSERT_TRUE(solved);
    double const queue_of_a = 2.0 / 3;
    double const queue_of_b = 4.0 / 7;
    EXPECT_DOUBLE_EQ((*solved)[0].response, 2 * (1 + queue_of_b));
    EXPECT_DOUBLE_EQ((*solved)[1].response, 4 * (1 + queue_of_a));
}

TEST(ExactMva, RefusesTooManyCombinationsOfClasses) {
    ClassesNetwork const large{{1, 1}, {5000, 5000}, {{2}, {4}}, {StationKind::queue}};
    EXPECT_EQ(exact_mva(large).error().code, ErrorCode::out_of_range);
    auto const approximate = approximate_mva(large);
    ASSERT_TRUE(approximate);
    EXPECT_NEAR((*approximate)[0].throughput * 2 + (*approximate)[1].throughput * 4, 1, 1e-6) << "saturated";
}

// Bard and Schweitzer: exact for one customer and in the limit; worst for few of them near saturation.
TEST(ApproximateMva, IsNearTheExactOne) {
    for (Case const& row : networks) {
        auto const one = approximate_mva(row.network, 1);
        auto const exact_one = exact_mva(row.network, 1);
        ASSERT_TRUE(one && exact_one);
        EXPECT_NEAR(one->throughput, exact_one->throughput, 1e-8 * exact_one->throughput) << row.name;
        auto const some = approximate_mva(row.network, row.customers);
        ASSERT_TRUE(some);
        EXPECT_NEAR(some->throughput, row.throughput, 0.05 * row.throughput) << row.name;
        auto const many = approximate_mva(row.network, 100'000);
        auto const exact_many = exact_mva(row.network, 100'000);
        ASSERT_TRUE(many && exact_many);
        EXPECT_NEAR(many->throughput, exact_many->throughput, 1e-6 * exact_many->throughput) << row.name;
    }
}

TEST(ApproximateMva, OfSeveralClassesIsNearTheExactOne) {
    ClassesNetwork const network{{10, 4},
                                 {6, 9},
                                 {{1, 0.5, 2}, {0.3, 1, 0}},
                                 {StationKind::queue, StationKind::queue, StationKind::delay}};
    auto const exact = exact_mva(network);
    auto const approximate = approximate_mva(network);
    ASSERT_TRUE(exact && approximate);
    for (std::size_t c = 0; c < 2; ++c)
        EXPECT_NEAR((*approximate)[c].throughput, (*exact)[c].throughput, 0.07 * (*exact)[c].throughput);
}

TEST(ApproximateMva, SaysWhenItDoesNotConverge) {
    auto const stopped = approximate_mva(networks[0].network, 8, {1e-12, 2});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::not_converged);
}

TEST(ApproximateMva, SeveralServersAreNearTheFiniteSource) {
    auto const approximate = approximate_mva({100, {{20, 1, StationKind::queue, 3}}}, 16);
    auto const chain = solve(FiniteSource{3, 16, 100, 20});
    ASSERT_TRUE(approximate && chain);
    EXPECT_NEAR(approximate->throughput, chain->throughput, 0.06 * chain->throughput);
}

}  // namespace
}  // namespace parcast::model
