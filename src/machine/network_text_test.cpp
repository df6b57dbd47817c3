#include "machine/network_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/network_parameter.h"

namespace parcast {
namespace {

using testing::HasSubstr;

TEST(NetworkText, ReadsPresetsAndValues) {
    EXPECT_EQ((*parse_network("meiko-cs2"))->values.gap_ns, 14000);
    auto const typed = **parse_network("loggops:L=9us,o=2us,G=0.5ns,S=8192");
    EXPECT_EQ(typed.values, (NetworkValues{9000, 2000, 0, 0, 0.5, 8192}));
    EXPECT_FALSE(parse_network("machine.toml")->has_value()) << "it may be a file";
    EXPECT_FALSE(parse_network("loggp")->has_value());
}

TEST(NetworkText, ReplacesValuesOfAPresetAlsoInsideANode) {
    auto const network = **parse_network("infiniband-qdr:G=0.1ns,node.L=300ns");
    auto const preset = **parse_network("infiniband-qdr");
    EXPECT_EQ(network.kind, preset.kind);
    EXPECT_EQ(network.name, "") << "it is no longer the preset";
    EXPECT_EQ(network.values.gap_per_byte_ns, 0.1);
    EXPECT_EQ(network.values.latency_ns, preset.values.latency_ns);
    ASSERT_TRUE(network.node);
    EXPECT_EQ(network.node->latency_ns, 300);
    EXPECT_EQ(network.node->overhead_ns, preset.values.overhead_ns) << "left out: as between nodes";
    EXPECT_EQ(network.node->gap_per_byte_ns, 0.1);
}

TEST(NetworkText, SaysWhatAValueIs) {
    for (auto const* const bad : {"loggp:L=9", "loggp:X=1us", "loggp:L=-1us", "loggops:S=8k",
                                  "loggp:node=1us", "loggp:node.X=1us", "infiniband-qdr:L", "loggp:L=2000s"})
        EXPECT_FALSE(parse_network(bad)) << bad;
    EXPECT_THAT(parse_network("loggp:G=9").error().message, HasSubstr("a time for each byte"));
}

TEST(NetworkParameter, HasTheNamesThatPeopleType) {
    auto network = **parse_network("loggopsim");
    EXPECT_EQ(parameters_of(network).size(), 6u);
    EXPECT_EQ(parameters_of(**parse_network("meiko-cs2")).size(), 4u) << "no O and no S";
    network.node = network.values;
    EXPECT_EQ(parameters_of(network).size(), 12u);
    for (auto const& parameter : parameters_of(network)) {
        EXPECT_EQ(*network_parameter(network, name_of(parameter)), parameter);
        EXPECT_EQ(*parameter_named(name_of(parameter)), parameter);
        auto const changed = *with_value(network, parameter, 7);
        EXPECT_EQ(value_of(changed, parameter), 7) << name_of(parameter);
        EXPECT_NE(changed, network);
    }
    EXPECT_EQ(meaning_of(*parameter_named("node.G")), "gap of a byte inside a node");
    EXPECT_FALSE(parameter_named("X"));
}

}  // namespace
}  // namespace parcast
