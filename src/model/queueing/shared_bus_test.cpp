#include "model/queueing/shared_bus.h"

#include <limits>

#include <gtest/gtest.h>

namespace parcast::model {
namespace {

BusRequests const light{0.00286532951, 0.1, 0.3, 0.2};
BusRequests const heavy{0.0149700599, 0.15, 0.4, 0.3};
BusRequests const saturating{0.04, 0.2, 0.2, 0.1};
BusRequests const no_limit{0.025, 0, 0, 1};

struct Row {
    BusRequests requests;
    std::uint32_t processors;
    double throughput, response, low, high, memory, blocked, wait_if_blocked, utilisation, slowdown;
};

class SharedBus : public testing::TestWithParam<Row> {};

// The four sets of parameters that the model was validated with, against a discrete-event simulation with
// true priorities and a hard limit: its response times are within 2.7 % of these for two and more processors.
INSTANTIATE_TEST_SUITE_P(
    AppendixB, SharedBus,
    testing::Values(Row{light, 1, 0.00280096353, 8.02, 1.54, 2, 5, 0, 0, 0.0093552182, 1.02297994},
                    Row{light, 2, 0.00560117896, 8.06768389, 1.55448004, 2.01672623, 5.02520867, 0, 0,
                        0.0187079377, 1.02311657},
                    Row{light, 4, 0.0111993096, 8.16487324, 1.58425685, 2.05067354, 5.0763718, 9.06712623e-06,
                        2.75804948, 0.0374056941, 1.02339505},
                    Row{light, 8, 0.0223859158, 8.36755565, 1.64729724, 2.12061412, 5.18178162, 0.00031624285,
                        2.89134977, 0.0747689587, 1.0239758},
                    Row{light, 12, 0.0335585984, 8.58346756, 1.71545007, 2.1934152, 5.29150258, 0.00148551377,
                        3.03819612, 0.112085719, 1.02459446},
                    Row{light, 16, 0.0447157705, 8.81559421, 1.7893497, 2.2692446, 5.40578762, 0.00408146371,
                        3.2007273, 0.149350674, 1.02525958},
                    Row{heavy, 1, 0.0133895695, 7.885, 1.68, 2, 5, 0, 0, 0.045256745, 1.11803892},
                    Row{heavy, 2, 0.0267048106, 8.09287329, 1.75780229, 2.08331526, 5.09958492, 0, 0,
                        0.09026226, 1.1211508},
                    Row{heavy, 4, 0.0530875487, 8.5472348, 1.9350151, 2.26006254, 5.30908946, 0.000925538785,
                        2.8705838, 0.179435915, 1.12795262},
                    Row{heavy, 8, 0.104545631, 9.72161033, 2.40637727, 2.6580749, 5.77234335, 0.0296979523,
                        3.61780161, 0.353364231, 1.14553309},
                    Row{heavy, 12, 0.153126081, 11.5667936, 3.12186558, 3.11953658, 6.29516594, 0.12660509,
                        4.81068135, 0.517566154, 1.17315559},
                    Row{heavy, 16, 0.196214255, 14.7435147, 4.25057672, 3.63385331, 6.86022511, 0.307259579,
                        6.86267286, 0.663204183, 1.2207113},
                    Row{saturating, 1, 0.03125, 7, 1.32, 2, 5, 0, 0, 0.09125, 1.28},
                    Row{saturating, 2, 0.0616278704, 7.45284947, 1.44678947, 2.15445, 5.28125, 0, 0,
                        0.179953381, 1.29811398},
                    Row{saturating, 4, 0.119295605, 8.53015391, 1.7694096, 2.49654095, 5.91536206,
                        0.0102481189, 2.98236134, 0.348343167, 1.34120616},
                    Row{saturating, 8, 0.213226408, 12.5188049, 2.84077021, 3.29351461, 7.45581821,
                        0.26747366, 5.58482033, 0.622621112, 1.50075219},
                    Row{saturating, 12, 0.25570853, 21.9284306, 4.42725432, 3.9761565, 8.86920935,
                        0.738706637, 12.6139729, 0.746668907, 1.87713723},
                    Row{saturating, 16, 0.261446969, 36.1978792, 5.35907933, 4.19969614, 9.38243948,
                        0.962322337, 26.2953557, 0.763425148, 2.44791517},
                    Row{no_limit, 1, 0.0204081633, 9, 1, 2, 5, 0, 0, 0.0612244898, 1.225},
                    Row{no_limit, 2, 0.0406786247, 9.1658706, 1.06382979, 2.10204082, 5, 0, 0, 0.122035874,
                        1.22914677},
                    Row{no_limit, 4, 0.0806993493, 9.56669462, 1.21701458, 2.32970695, 5, 0.0065046919,
                        3.07056496, 0.242098048, 1.23916737},
                    Row{no_limit, 8, 0.156147796, 11.233512, 1.67536023, 2.8953135, 5, 0.149550016,
                        4.43221805, 0.468443389, 1.2808378},
                    Row{no_limit, 12, 0.2165286, 15.4199306, 2.4502667, 3.59321335, 5, 0.466076355,
                        7.24441497, 0.649585801, 1.38549826},
                    Row{no_limit, 16, 0.248889255, 24.2856197, 3.4864047, 4.24382769, 5, 0.794618532,
                        13.2835907, 0.746667765, 1.60714049}));

TEST_P(SharedBus, AgreesWithTheReference) {
    Row const& row = GetParam();
    auto const solved = solve_shared_bus({}, row.requests, row.processors);
    ASSERT_TRUE(solved);
    EXPECT_NEAR(solved->throughput, row.throughput, 1e-8 * row.throughput);
    EXPECT_NEAR(solved->response, row.response, 1e-8 * row.response);
    EXPECT_NEAR(solved->low, row.low, 1e-8 * row.low);
    EXPECT_NEAR(solved->high, row.high, 1e-8 * row.high);
    EXPECT_NEAR(solved->memory, row.memory, 1e-8 * row.memory);
    EXPECT_NEAR(solved->blocked, row.blocked, 1e-8 * row.blocked);
    EXPECT_NEAR(solved->wait_if_blocked, row.wait_if_blocked, 1e-7 * row.wait_if_blocked);
    EXPECT_NEAR(solved->utilisation, row.utilisation, 1e-8 * row.utilisation);
    EXPECT_NEAR(1 + row.requests.rate * solved->response, row.slowdown, 1e-8 * row.slowdown);
}

TEST(SharedBusLimits, InvalidationsAloneAreAQueueOfOneServer) {
    auto const solved = solve_shared_bus({}, {0.5, 1, 0, 0}, 12);
    ASSERT_TRUE(solved);
    EXPECT_EQ(solved->blocked, 0) << "no reads, no limit on them";
    EXPECT_NEAR(solved->throughput, 1, 1e-3) << "one invalidation a cycle at most";
}

TEST(SharedBusLimits, RefusesWhatIsNoBus) {
    EXPECT_FALSE(solve_shared_bus({}, light, 0));
    EXPECT_FALSE(solve_shared_bus({}, {0, 0.1, 0.3, 0.2}, 2)) << "without requests there is nothing to solve";
    EXPECT_FALSE(solve_shared_bus({}, {0.1, 1.1, 0.3, 0.2}, 2));
    EXPECT_FALSE(solve_shared_bus({}, {std::numeric_limits<double>::quiet_NaN(), 0, 0, 0}, 2));
}

TEST(SharedBusLimits, AThousandProcessorsStayWithinTheBus) {
    auto const solved = solve_shared_bus({}, heavy, 1000);
    ASSERT_TRUE(solved);
    EXPECT_LE(solved->utilisation, 1);
    EXPECT_NEAR(solved->throughput * (1 / heavy.rate + solved->response), 1000, 1e-6) << "Little's law";
}

}  // namespace
}  // namespace parcast::model
