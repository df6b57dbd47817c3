// Starts a program of the desktop, and leaves it alone.

#pragma once

#include <string>
#include <vector>

#include "core/result.h"

namespace parcast::page {

// The program is looked for in PATH, gets a process group of its own and nothing to read, and what it writes
// is discarded. No shell sees the words. Errors: not_found (it could not be started). REQUIRES: one word or
// more.
Result<void> start_program(std::vector<std::string> words);

}  // namespace parcast::page
