// What processors share as a part of a text: the whole of a memory file (docs/formats/memory.md), or the
// table [shared] of a machine file. Private to the readers and writers of this room.

#pragma once

#include <string>
#include <string_view>

#include "machine/memory.h"
#include "machine/toml_reader.h"

namespace parcast {

// The reader has seen to it that there are no other keys.
SharedResources read_shared(TomlReader& reader, toml::table const& table);

// As [shared].
std::string shared_text(SharedResources const& resources);

// A string of TOML.
std::string quoted_toml(std::string_view text);

}  // namespace parcast
