// Files that hold JSON which another room reads.

#pragma once

#include <string>

#include "core/result.h"

namespace parcast::cli {

// As read_text, and malformed where the text stops being JSON, with line and column.
Result<std::string> read_json_text(std::string const& path);

}  // namespace parcast::cli
