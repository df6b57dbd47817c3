// Writes a machine file in place of a former one, which is kept beside it.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace parcast::cli {

// Makes the folders that are missing. The file is whole at any time: it is written under another name first.
// Returns where the former file of this name is now, if there was one. Errors: not_permitted, exhausted.
Result<std::optional<std::string>> replace_machine_file(std::string const& path, std::string_view text);

}  // namespace parcast::cli
