// Writes a machine file in place of a former one, which is kept beside it.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace parcast::cli {

// Whether replace_machine_file could do it, told before the work whose result it keeps: makes the folders
// that are missing, and leaves nothing else. Errors: as there.
Result<void> check_machine_file_output(std::string const& path);

// Makes the folders that are missing. The file is whole at any time: it is written under another name first.
// Returns where the former file of this name is now, if there was one. Errors: not_permitted, exhausted.
Result<std::optional<std::string>> replace_machine_file(std::string const& path, std::string_view text);

}  // namespace parcast::cli
