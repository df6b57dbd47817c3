// Input files. Library rooms take bytes; only the commands open files.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.h"

namespace parcast::cli {

// The whole file; "-" is not special. Errors: not_found, not_permitted, unsupported (a folder),
// exhausted; each message names the path and says why.
Result<std::vector<std::byte>> read_file(std::string const& path);

Result<std::string> read_text(std::string const& path);

}  // namespace parcast::cli
