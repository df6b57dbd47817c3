// What parcast prints: results on standard output; messages on standard error, as "parcast: error: ..." with
// what to do now on a line of its own. The only place that asks the system where the two lead to.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/options/manners.h"
#include "core/error.h"
#include "core/notice.h"
#include "report/layout.h"

namespace parcast::cli {

enum class Stream : std::uint8_t { output, error };

// Those of the command line, before its verb runs.
void set_manners(Manners const& manners);
Manners const& current_manners();

bool is_terminal(Stream stream);

// A terminal on which a line can be written anew.
bool takes_one_line(Stream stream);

// Columns of the terminal, within what is readable; a fixed width for files and pipes, so that the same
// command writes the same bytes everywhere.
std::size_t line_width(Stream stream);

// For a text on standard output. Into a file or a pipe no name is cut. Colours as --color says; without it
// only for a terminal, and not if NO_COLOR is set and not empty (no-color.org) or TERM is "dumb".
report::Layout output_layout(bool in_full = false);

// Writes a whole result to standard output. Returns an exit status: exit_success, or exit_output with a
// message on standard error (a full disk).
int print_result(std::string_view text);

// `advice` may be empty: then the message says it all.
void print_error(std::string_view message, std::string_view advice = {});
void print_error(Error const& error, std::string_view advice = {});
// The error and its advice. Returns the exit status that it stands for.
int print_failure(Error const& error);
void print_warning(std::string_view message, std::string_view advice = {});
// "parcast: recorded pigz on CPU 0 ..."; nothing with --quiet.
void print_note(std::string_view message);
// By its kind; progress is for a Progress (progress.h).
void print_notice(Notice const& notice);

}  // namespace parcast::cli
