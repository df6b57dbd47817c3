// Text form of a machine: docs/formats/machine.md, version 1. A file may set only some fields; the rest
// keep the values of `defaults`.

#pragma once

#include <string>
#include <string_view>

#include "machine/machine.h"

namespace parcast {

// `file` names the text in messages. Errors: malformed, unsupported (version, unknown key; with the
// nearest known key), out_of_range; each with line and column.
Result<Machine> machine_from_toml(std::string_view text, std::string const& file, Machine const& defaults);

std::string to_toml(Machine const& machine);

}  // namespace parcast
