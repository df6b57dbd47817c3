// From the words of a command line to what they ask for.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/options/configuration.h"
#include "cli/options/given_options.h"
#include "cli/options/option_table.h"
#include "core/result.h"

namespace parcast::cli {

// Returns an exit status.
using Command = std::function<int()>;

// `words` without the name of the program. Errors: unasked.
Result<Command> parse_arguments(std::span<char const* const> words);

using ReadConfiguration = std::function<Result<Configuration>()>;

// Stores the values where the table says, and those of the configuration for options that are not among the
// words; it is not read for --no-config. Errors: unasked; those of reading it.
Result<GivenOptions> parse_options(OptionTable const& table, std::string_view verb,
                                   std::vector<std::string> const& words, ReadConfiguration const& read = {});

}  // namespace parcast::cli
