// Text form of the costs of operations on blocks: docs/formats/costs.md, version 1.

#pragma once

#include <string>
#include <string_view>

#include "machine/block_costs.h"

namespace parcast {

// `file` names the text in messages, and in the costs that have no source. Errors: malformed, unsupported
// (version, unknown key), out_of_range, inconsistent; with line and column where they are of one key.
Result<BlockCosts> block_costs_from_toml(std::string_view text, std::string const& file);

// What block_costs_from_toml() reads.
std::string to_toml(BlockCosts const& costs);

}  // namespace parcast
