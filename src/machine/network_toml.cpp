#include "machine/network_toml.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "machine/shared_toml.h"

namespace parcast {

namespace {

constexpr RealLimits network_limits{0, most_network_ns};

std::vector<std::string_view> keys_with(std::initializer_list<std::string_view> others) {
    std::vector<std::string_view> keys(others);
    for (auto const& field : network_fields)
        keys.push_back(field.key);
    return keys;
}

NetworkValues read_values(TomlReader& reader, toml::table const& table) {
    NetworkValues values;
    for (auto const& field : network_fields)
        if (auto const ns = reader.number(table, field.key, network_limits))
            values.*field.value = *ns;
    if (auto const bytes =
            reader.integer(table, "rendezvous_bytes", {0, std::numeric_limits<std::int64_t>::max()}))
        values.rendezvous_bytes = static_cast<std::uint64_t>(*bytes);
    return values;
}

std::string values_toml(NetworkValues const& values) {
    std::string text;
    for (auto const& field : network_fields)
        text += fmt::format("{} = {}\n", field.key, values.*field.value);
    return text + fmt::format("rendezvous_bytes = {}\n", values.rendezvous_bytes);
}

}  // namespace

Network read_network(TomlReader& reader, toml::table const& table) {
    reader.only(table, keys_with({"kind", "source", "rendezvous_bytes", "node"}));
    Network network;
    if (auto const kind = reader.choice(table, "kind", network_kinds))
        network.kind = static_cast<NetworkKind>(*kind);
    if (auto source = reader.string(table, "source"))
        network.source = std::move(*source);
    network.values = read_values(reader, table);
    if (auto const* const node = reader.table(table, "node")) {
        reader.only(*node, keys_with({"rendezvous_bytes"}));
        network.node = read_values(reader, *node);
        network.is_inside_only = std::ranges::none_of(
            keys_with({"rendezvous_bytes"}), [&](std::string_view key) { return table.contains(key); });
    }
    return network;
}

std::string network_toml(Network const& network) {
    auto text =
        fmt::format("\n[network]\nkind = \"{}\"\n", network_kinds[static_cast<std::size_t>(network.kind)]);
    if (!network.source.empty())
        text += "source = " + quoted_toml(network.source) + '\n';
    if (!network.is_inside_only)
        text += values_toml(network.values);
    return network.node ? text + "\n[network.node]\n" + values_toml(*network.node) : text;
}

}  // namespace parcast
