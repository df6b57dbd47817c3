// The values of a network by the names that people type after --sweep and in changes: L, o, O, g and G, as
// "node.L" inside a node, and S, the bytes from which messages wait for their receive.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "machine/network.h"

namespace parcast {

struct NetworkParameter {
    std::optional<std::size_t> field = std::nullopt;  // into network_fields; none: S
    bool inside_node = false;

    friend bool operator==(NetworkParameter const&, NetworkParameter const&) = default;
};

// Those that the network's law has; of the ones inside a node only if it has such values.
std::vector<NetworkParameter> parameters_of(Network const& network);
// Errors: unasked (the network has none of that name), with those that it has.
Result<NetworkParameter> network_parameter(Network const& network, std::string_view name);

// By its name, whether or not a network has it.
std::optional<NetworkParameter> parameter_named(std::string_view name);
std::string name_of(NetworkParameter const& parameter);  // "node.L"
// For sentences: "latency", "gap of a byte inside a node".
std::string meaning_of(NetworkParameter const& parameter);
bool is_time(NetworkParameter const& parameter);  // in ns; else bytes

// REQUIRES: one of parameters_of().
double value_of(Network const& network, NetworkParameter const& parameter);
// "5 µs", "30 ns/byte", "65536 bytes".
std::string value_text(NetworkParameter const& parameter, double value);
// The network with another value. REQUIRES: one of parameters_of(). Errors: out_of_range.
Result<Network> with_value(Network network, NetworkParameter const& parameter, double value);

}  // namespace parcast
