// A contract file, parcast.check.toml: docs/formats/check.md.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contract/assertion.h"

namespace parcast::contract {

// At least one. Errors: those of parse_assertion, and malformed (no TOML, no assertion), unsupported (an
// unknown key or version); each with the line of the file.
Read<std::vector<Assertion>> read_contract(std::string_view text, std::string const& file);

}  // namespace parcast::contract
