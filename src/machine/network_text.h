// Networks as they are typed after --network, and those that have a name.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "machine/network.h"

namespace parcast {

struct NetworkPreset {
    std::string_view name;
    NetworkKind kind;
    NetworkValues values;
    std::string_view source;
};
std::span<NetworkPreset const> network_presets();

// "meiko-cs2", or "loggp:L=9us,o=2us,g=14us,G=30ns" and "loggops:...,S=65536"; G and O are a time for each
// byte. What is left out is 0; of "infiniband-qdr:node.L=300ns,node.o=100ns" as the preset has it, and inside
// a node as between nodes. None: it is neither, and may be the name of a file. Errors: unasked.
Result<std::optional<Network>> parse_network(std::string_view text);

// For rendezvous_bytes: no message waits for its receive.
inline constexpr std::uint64_t never_rendezvous = std::uint64_t{1} << 62U;

// "9 µs", "30 ns/byte".
std::string network_value_text(NetworkField const& field, double ns);
// "L 9 µs, o 2 µs, g 14 µs, G 30 ns/byte".
std::string values_text(NetworkKind kind, NetworkValues const& values);

}  // namespace parcast
