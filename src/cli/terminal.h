// What standard output and standard error lead to. The only place that asks the system about it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "report/table.h"

namespace parcast::cli {

enum class Stream : std::uint8_t { output, error };

// On only for a terminal, and not if NO_COLOR is set and not empty (no-color.org) or TERM is "dumb".
report::Colour colour_of(Stream stream);

// Columns of the terminal, within what is readable; a fixed width for files and pipes, so that the same
// command writes the same bytes everywhere.
std::size_t line_width(Stream stream);

// Writes a whole result to standard output. Returns an exit status: exit_success, or exit_output with a
// message on standard error (a full disk).
int print_result(std::string_view text);

}  // namespace parcast::cli
