// The table [network] of a machine file (docs/formats/machine.md). Private to the readers and the writer.

#pragma once

#include <string>

#include "machine/network.h"
#include "machine/toml_reader.h"

namespace parcast {

Network read_network(TomlReader& reader, toml::table const& table);

// "\n[network]\nkind = ...".
std::string network_toml(Network const& network);

}  // namespace parcast
