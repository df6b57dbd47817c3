// What parcast says about itself, on standard error: "parcast: error: ..." and, on a line of its own and
// indented to it, what to do now. Results go to standard output and not through here.

#pragma once

#include <string_view>

#include "core/error.h"

namespace parcast::cli {

// `advice` may be empty: then the message says it all.
void print_error(std::string_view message, std::string_view advice = {});
void print_error(Error const& error, std::string_view advice = {});
// The error and its advice. Returns the exit status that it stands for.
int print_failure(Error const& error);
void print_warning(std::string_view message, std::string_view advice = {});

// "parcast: recorded pigz on CPU 0 ..."
void print_note(std::string_view message);

}  // namespace parcast::cli
