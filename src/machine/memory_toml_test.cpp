// The file of what processors share, version 1 (docs/formats/memory.md).

#include "machine/memory_toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast {
namespace {

using testing::HasSubstr;

std::string complaint_about(std::string_view text) {
    auto const read = shared_resources_from_toml(text, "m.toml");
    return read ? "" : describe(read.error());
}

TEST(MemoryFile, EveryKeyIsRead) {
    auto const read = shared_resources_from_toml(R"(version = 1
name = "a server"
[memory]
bandwidth_gb_per_s = 40
channels = 4
line_bytes = 128
latency_ns = 90.5
uncontended = "added"
accesses_per_us = 5
[[station]]
name = "disk"
service_ns = 100_000
servers = 2
[[station]]
name = "clock"
service_ns = 7
kind = "delay"
uncontended = "in_cpu_time"
)",
                                                 "m.toml");
    ASSERT_TRUE(read) << describe(read.error());
    SharedResources expected;
    expected.name = "a server";
    expected.memory = Memory{40, 4, 128, 90.5, UncontendedTime::added};
    expected.stations = {{"disk", 100'000, 2, true, UncontendedTime::added},
                         {"clock", 7, 1, false, UncontendedTime::in_cpu_time}};
    expected.accesses_per_us = 5;
    EXPECT_EQ(*read, expected);
    EXPECT_DOUBLE_EQ(read->memory->transfer_ns(), 12.8) << "each channel has a quarter of the bandwidth";
}

TEST(MemoryFile, ABusHasPriorityForResponsesAndALimitOfReads) {
    auto const read = shared_resources_from_toml(R"(version = 1
[bus]
request_ns = 1
invalidate_ns = 2
write_back_ns = 3
response_ns = 4
memory_ns = 5
cache_ns = 6
most_reads = 7
)",
                                                 "m.toml");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->bus, (Bus{1, 2, 3, 4, 5, 6, 7}));
    EXPECT_THAT(complaint_about("version = 1\n[bus]\nrequest_ns = 1"),
                HasSubstr("m.toml:2:1: the key 'invalidate_ns' is missing in [bus]"));
    auto const both = std::string(*memory_preset("sequent")) + "[memory]\nbandwidth_gb_per_s = 1\n";
    EXPECT_THAT(complaint_about(both), HasSubstr("a [bus] is a network of its own"));
}

TEST(MemoryFile, PresetsAreFilesLikeAnyOther) {
    for (auto const name : memory_preset_names()) {
        auto const text = memory_preset(name);
        ASSERT_TRUE(text);
        EXPECT_EQ(complaint_about(*text), "") << name;
    }
    EXPECT_FALSE(memory_preset("core memory"));
}

TEST(MemoryFile, MistakesHaveALine) {
    EXPECT_THAT(complaint_about("name = \"x\""), HasSubstr("'version' is missing"));
    EXPECT_THAT(complaint_about("version = 1\n[mémoire]"), HasSubstr("m.toml:2:3: not TOML"));
    EXPECT_THAT(complaint_about("version = 2"), HasSubstr("m.toml:1:11: version 2 is unknown"));
    EXPECT_THAT(complaint_about("version = 1\n[memory]\nchannels = 2"),
                HasSubstr("m.toml:2:1: the key 'bandwidth_gb_per_s' is missing"));
    EXPECT_THAT(
        complaint_about("version = 1\n[memory]\nbandwidth_gb_s = 2"),
        HasSubstr("m.toml:3:1: the key 'bandwidth_gb_s' is unknown; did you mean 'bandwidth_gb_per_s'?"));
    EXPECT_THAT(complaint_about("version = 1\n[memory]\nbandwidth_gb_per_s = 0"), HasSubstr("m.toml:3:22: "));
    EXPECT_THAT(complaint_about("version = 1\n[memory]\nbandwidth_gb_per_s = 1\nlatency_ns = 50"),
                HasSubstr("m.toml:4:14: 'latency_ns' is shorter than a line takes over a channel: 64"));
    EXPECT_THAT(complaint_about("version = 1\n[station]\nname = \"disk\""), HasSubstr("m.toml:2:1: "));
    EXPECT_THAT(complaint_about("version = 1\n[[station]]\nname = \"disk\""),
                HasSubstr("'service_ns' is missing in [[station]]"));
    EXPECT_THAT(complaint_about("version = 1\n[[station]]\nname = \"memory\"\nservice_ns = 3"),
                HasSubstr("the name \"memory\" of a station is taken"));
}

}  // namespace
}  // namespace parcast
