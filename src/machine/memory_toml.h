// Text form of what processors share: docs/formats/memory.md, version 1.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "machine/memory.h"

namespace parcast {

// `file` names the text in messages. Errors: malformed, unsupported (version, unknown key; with the nearest
// known key), out_of_range, inconsistent; with line and column where they are of one key.
Result<SharedResources> shared_resources_from_toml(std::string_view text, std::string const& file);

// What a preset shares, also with its accesses per us of CPU time: "ddr4-2-channels", "ddr4-2-channels:4.5".
// None: there is no preset of that name. Errors: out_of_range (accesses that are no number from 0 to 1e6).
std::optional<Result<SharedResources>> shared_resources_of_preset(std::string_view name);

// Memories by name, in the form of a file; none for another name.
std::optional<std::string_view> memory_preset(std::string_view name);
std::span<std::string_view const> memory_preset_names();

}  // namespace parcast
