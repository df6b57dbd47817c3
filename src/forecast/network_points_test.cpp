#include "forecast/network_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "forecast/sweep_text.h"
#include "machine/network_text.h"

namespace parcast::forecast {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Network network_of(char const* text) {
    return **parse_network(text);
}

std::vector<Sweep> sweeps_of(std::vector<char const*> const& texts) {
    std::vector<Sweep> sweeps;
    for (auto const* const text : texts)
        sweeps.push_back(*parse_sweep(text));
    return sweeps;
}

TEST(NetworkPoints, AreEveryCombinationAndTheLastSweepChangesFirst) {
    auto const points = network_points(network_of("loggopsim"), sweeps_of({"L=1us,2us", "S=0,8192"}), 4);
    ASSERT_TRUE(points);
    ASSERT_EQ(points->points.size(), 4u);
    EXPECT_THAT(points->points[1].values, ElementsAre(1000, 8192));
    EXPECT_EQ(points->points[1].network.values.rendezvous_bytes, 8192u);
    EXPECT_EQ(points->points[2].network.values.latency_ns, 2000);
    EXPECT_EQ(points->points[2].network.values.overhead_ns, 1500) << "what is not swept stays";
    EXPECT_EQ(network_points(network_of("loggopsim"), {}, 4)->points.size(), 1u);
}

struct BadNetworkSweep {
    char const* network;
    char const* sweep;
    char const* message;
};

TEST(NetworkPoints, RefuseWhatTheNetworkDoesNotHave) {
    BadNetworkSweep const cases[] = {
        {"loggopsim", "P=1..3", "no value \"P\""},
        {"loggopsim", "node.L=1us", "no value \"node.L\""},
        {"meiko-cs2", "O=1ns", "no value \"O\""},
        {"loggopsim", "L=1,2", "need a unit"},
        {"loggopsim", "S=1us", "a number of bytes"},
        {"loggopsim", "S=1.5", "a number of bytes"},
        {"loggopsim", "L=-1us", "from 0 to 1e12"},
        {"loggopsim", "L=1us..9us:points=10000", "too many for one answer"},
    };
    for (auto const& each : cases) {
        auto const points = network_points(network_of(each.network), sweeps_of({each.sweep}), 5'000);
        ASSERT_FALSE(points) << each.sweep;
        EXPECT_THAT(points.error().message, HasSubstr(each.message)) << each.sweep;
    }
    auto const twice = network_points(network_of("loggopsim"), sweeps_of({"L=1us", "L=2us"}), 4);
    EXPECT_THAT(twice.error().message, HasSubstr("at once"));
}

Result<Network> changed_by(char const* change) {
    auto network = network_of("loggopsim");
    network.node = NetworkValues{.latency_ns = 100};
    return changed(network, *parse_scenario(change));
}

TEST(NetworkPoints, AreChangedAsAScenarioSays) {
    EXPECT_EQ(changed_by("L=half")->values.latency_ns, 1250);
    EXPECT_EQ(changed_by("G*0.1,rank:3*0.5")->values.gap_per_byte_ns, 6 * 0.1);
    EXPECT_EQ(changed_by("node.L=50ns")->node->latency_ns, 50);
    EXPECT_EQ(changed_by("S=8192")->values.rendezvous_bytes, 8192u);
    EXPECT_EQ(changed_by("S=never")->values.rendezvous_bytes, never_rendezvous);
    EXPECT_EQ(changed_by("g=0")->values.gap_ns, 0);
    for (auto const* const bad : {"L=never", "L=5", "S=1us", "x=half", "L=2000s"})
        EXPECT_FALSE(changed_by(bad)) << bad;
}

// A time that is known: 10 L + 3 G + 1, and what scenario 1 takes off.
Result<std::vector<Row>> known_rows(NetworkTrial const& trial) {
    Row row;
    auto const& values = trial.network.values;
    row.time_ns = 10 * values.latency_ns + 3 * values.gap_per_byte_ns + 1 - (trial.scenario == 1 ? 1 : 0);
    row.messages.emplace();
    return std::vector{row};
}

TEST(NetworkPoints, HaveWhatHalfOfEachValueBrings) {
    Question question;
    question.what_if = {*parse_scenario("rank:0*0.5"), *parse_scenario("L=0")};
    auto const points = network_points(network_of("loggp:L=10ns,G=100ns"), sweeps_of({"L=10ns,100ns"}), 4);
    auto const rows = rows_of_points(*points, question, known_rows);
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->size(), 2u);
    auto const& first = rows->front();
    EXPECT_EQ(first.time_ns, 401);
    EXPECT_THAT(first.what_if_ns, ElementsAre(400, 301));
    ASSERT_EQ(first.messages->effects.size(), 2u) << "half of 0 is nothing";
    EXPECT_EQ(first.messages->effects[0].change, "G=half");
    EXPECT_EQ(first.messages->effects[0].time_ns, 251);
    EXPECT_EQ(first.messages->effects[1].time_ns, 351);
    EXPECT_EQ(rows->back().messages->effects[0].change, "L=half") << "the latency is longer there";
    question.network.effects = false;
    EXPECT_TRUE(rows_of_points(*points, question, known_rows)->front().messages->effects.empty());
}

}  // namespace
}  // namespace parcast::forecast
