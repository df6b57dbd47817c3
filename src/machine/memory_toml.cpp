#include "machine/memory_toml.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/leading_number.h"
#include "machine/shared_toml.h"

namespace parcast {

namespace {

using Word = std::string_view;
constexpr std::array<Word, 5> top_keys = {"version", "name", "memory", "station", "bus"};
constexpr std::array<Word, 6> memory_keys = {"bandwidth_gb_per_s", "channels",    "line_bytes",
                                             "latency_ns",         "uncontended", "accesses_per_us"};
constexpr std::array<Word, 5> station_keys = {"name", "service_ns", "servers", "kind", "uncontended"};
constexpr std::array<Word, 7> bus_keys = {"request_ns", "invalidate_ns", "write_back_ns", "response_ns",
                                          "memory_ns",  "cache_ns",      "most_reads"};
constexpr std::array<Word, 2> uncontended_words = {"in_cpu_time", "added"};
constexpr std::array<Word, 2> kinds = {"queue", "delay"};

constexpr RealLimits bandwidth_limits{1e-6, 1e6};
constexpr RealLimits time_limits{0, 1e10};
constexpr RealLimits access_limits{0, 1e6};
constexpr LimitsNs count_limits{1, 1'000'000};

UncontendedTime uncontended_of(TomlReader& reader, toml::table const& table, UncontendedTime otherwise) {
    auto const word = reader.choice(table, "uncontended", uncontended_words);
    if (!word)
        return otherwise;
    return *word == 0 ? UncontendedTime::in_cpu_time : UncontendedTime::added;
}

std::uint32_t count_of(TomlReader& reader, toml::table const& table, Word key, std::uint32_t otherwise) {
    return static_cast<std::uint32_t>(reader.integer(table, key, count_limits).value_or(otherwise));
}

void read_memory(TomlReader& reader, toml::table const& table, SharedResources& resources) {
    reader.only(table, memory_keys);
    Memory memory;
    if (!table.contains("bandwidth_gb_per_s")) {
        reader.complain(ErrorCode::malformed, "the key 'bandwidth_gb_per_s' is missing in [memory]",
                        table.source().begin);
    }
    memory.bandwidth_bytes_per_ns = reader.number(table, "bandwidth_gb_per_s", bandwidth_limits).value_or(1);
    memory.channels = count_of(reader, table, "channels", memory.channels);
    memory.line_bytes = count_of(reader, table, "line_bytes", memory.line_bytes);
    memory.latency_ns = reader.number(table, "latency_ns", time_limits).value_or(0);
    memory.uncontended = uncontended_of(reader, table, memory.uncontended);
    if (auto const rate = reader.number(table, "accesses_per_us", access_limits))
        resources.accesses_per_us = *rate;
    if (memory.latency_ns != 0 && memory.latency_ns < memory.transfer_ns()) {
        reader.complain(ErrorCode::inconsistent,
                        "'latency_ns' is shorter than a line takes over a channel: " +
                            std::to_string(memory.transfer_ns()) + " ns by the bandwidth",
                        table.get("latency_ns")->source().begin);
    }
    resources.memory = memory;
}

SharedStation read_station(TomlReader& reader, toml::table const& table) {
    reader.only(table, station_keys);
    SharedStation station;
    for (Word const key : {Word("name"), Word("service_ns")}) {
        if (!table.contains(key)) {
            reader.complain(ErrorCode::malformed,
                            "the key '" + std::string(key) + "' is missing in [[station]]",
                            table.source().begin);
        }
    }
    station.name = reader.string(table, "name").value_or("");
    station.service_ns = reader.number(table, "service_ns", time_limits).value_or(0);
    station.servers = count_of(reader, table, "servers", station.servers);
    station.waits = reader.choice(table, "kind", kinds).value_or(0) == 0;
    station.uncontended = uncontended_of(reader, table, station.uncontended);
    return station;
}

Bus read_bus(TomlReader& reader, toml::table const& table) {
    reader.only(table, bus_keys);
    for (Word const key : bus_keys) {
        if (!table.contains(key)) {
            reader.complain(ErrorCode::malformed, "the key '" + std::string(key) + "' is missing in [bus]",
                            table.source().begin);
        }
    }
    auto const time = [&](Word key) { return reader.number(table, key, time_limits).value_or(0); };
    Bus bus;
    bus.request_ns = time("request_ns");
    bus.invalidate_ns = time("invalidate_ns");
    bus.write_back_ns = time("write_back_ns");
    bus.response_ns = time("response_ns");
    bus.memory_ns = time("memory_ns");
    bus.cache_ns = time("cache_ns");
    bus.most_reads = count_of(reader, table, "most_reads", bus.most_reads);
    return bus;
}

struct Preset {
    Word name;
    Word text;
};

// Peak bandwidths of the standards (JESD79-4 and JESD79-5); latencies as data sheets of such machines say.
// Sequent: Adve 1993, appendix B, in bus cycles of 100 ns.
constexpr std::array<Preset, 3> presets = {{{"ddr4-2-channels", R"(version = 1
name = "two channels of DDR4-3200"
[memory]
bandwidth_gb_per_s = 51.2
channels = 2
latency_ns = 80
)"},
                                            {"ddr5-8-channels", R"(version = 1
name = "eight channels of DDR5-4800"
[memory]
bandwidth_gb_per_s = 307.2
channels = 8
latency_ns = 110
)"},
                                            {"sequent", R"(version = 1
name = "Sequent Symmetry"
[bus]
request_ns = 100
invalidate_ns = 100
write_back_ns = 200
response_ns = 200
memory_ns = 500
cache_ns = 600
most_reads = 3
)"}}};
constexpr std::array<Word, presets.size()> preset_names = {presets[0].name, presets[1].name, presets[2].name};

std::string_view word_of(UncontendedTime time) {
    return uncontended_words[time == UncontendedTime::in_cpu_time ? 0 : 1];
}

}  // namespace

SharedResources read_shared(TomlReader& reader, toml::table const& table) {
    SharedResources resources;
    resources.name = reader.string(table, "name").value_or("");
    if (auto const* memory = reader.table(table, "memory"))
        read_memory(reader, *memory, resources);
    for (auto const* station : reader.tables(table, "station"))
        resources.stations.push_back(read_station(reader, *station));
    if (auto const* bus = reader.table(table, "bus"))
        resources.bus = read_bus(reader, *bus);
    return resources;
}

std::string shared_text(SharedResources const& resources) {
    auto text = fmt::format("\n[shared]\nname = {}\n", quoted_toml(resources.name));
    if (auto const& memory = resources.memory) {
        text += fmt::format(
            "\n[shared.memory]\nbandwidth_gb_per_s = {}\nchannels = {}\nline_bytes = {}\nlatency_ns = {}\n"
            "uncontended = \"{}\"\n",
            memory->bandwidth_bytes_per_ns, memory->channels, memory->line_bytes, memory->latency_ns,
            word_of(memory->uncontended));
        if (resources.accesses_per_us)
            text += fmt::format("accesses_per_us = {}\n", *resources.accesses_per_us);
    }
    for (auto const& station : resources.stations) {
        text += fmt::format(
            "\n[[shared.station]]\nname = {}\nservice_ns = {}\nservers = {}\nkind = \"{}\"\nuncontended = "
            "\"{}\"\n",
            quoted_toml(station.name), station.service_ns, station.servers, kinds[station.waits ? 0 : 1],
            word_of(station.uncontended));
    }
    if (auto const& bus = resources.bus) {
        text += fmt::format(
            "\n[shared.bus]\nrequest_ns = {}\ninvalidate_ns = {}\nwrite_back_ns = {}\nresponse_ns = {}\n"
            "memory_ns = {}\ncache_ns = {}\nmost_reads = {}\n",
            bus->request_ns, bus->invalidate_ns, bus->write_back_ns, bus->response_ns, bus->memory_ns,
            bus->cache_ns, bus->most_reads);
    }
    return text;
}

Result<SharedResources> shared_resources_from_toml(std::string_view text, std::string const& file) {
    auto const document = toml_document(text, file);
    if (!document)
        return pass_on(document);
    TomlReader reader(file);
    reader.version(*document);
    reader.only(*document, top_keys);
    auto resources = read_shared(reader, *document);
    if (auto error = reader.take_error())
        return tl::unexpected<Error>(std::move(*error));
    if (auto sound = check(resources); !sound)
        return fail(sound.error().code, sound.error().message, SourcePosition{file, 1, 1, std::nullopt});
    return resources;
}

std::optional<std::string_view> memory_preset(std::string_view name) {
    for (auto const& preset : presets)
        if (preset.name == name)
            return preset.text;
    return std::nullopt;
}

std::optional<Result<SharedResources>> shared_resources_of_preset(std::string_view name) {
    auto const colon = name.find(':');
    auto const preset = memory_preset(name.substr(0, colon));
    if (!preset)
        return std::nullopt;
    auto resources = shared_resources_from_toml(*preset, std::string(name));
    if (!resources || colon == std::string_view::npos)
        return resources;
    auto const per_us = number_in(name.substr(colon + 1));
    if (!per_us || *per_us < access_limits.low || *per_us > access_limits.high) {
        return fail(ErrorCode::out_of_range, std::string(name) +
                                                 ": behind the colon is how often memory is accessed per us "
                                                 "of CPU time, a number from 0 to 1e6");
    }
    resources->accesses_per_us = *per_us;
    return resources;
}

std::span<std::string_view const> memory_preset_names() {
    return preset_names;
}

}  // namespace parcast
