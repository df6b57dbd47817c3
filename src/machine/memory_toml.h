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

// Memories by name, in the same form; none for another name.
std::optional<std::string_view> memory_preset(std::string_view name);
std::span<std::string_view const> memory_preset_names();

}  // namespace parcast
