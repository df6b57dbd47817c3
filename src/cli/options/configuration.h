// Default values of options: from the environment and from configuration files, strongest first.
//
//     PARCAST_PREDICT_CPUS, PARCAST_CPUS        the option --cpus of predict; of all verbs that have it
//     ./.parcast.toml                           cpus = "1,2,4"  and  [predict] cpus = "1-8"
//     $XDG_CONFIG_HOME/parcast/config.toml      the same; ~/.config without the variable
//
// 1. A value of the command line is stronger than all of them.
// 2. Within one source, a verb's own value is stronger than that of all verbs.
// 3. What is written, and which commands are run (Option::only_typed), is said on the command line alone: a
//    folder that somebody else made must not decide it.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/host_check.h"
#include "cli/options/option_table.h"
#include "core/result.h"

namespace parcast::cli {

struct ConfiguredOption {
    std::string verb;    // empty: all that have the option
    std::string option;  // "cpus"
    std::vector<std::string> values;
    std::string source;  // "PARCAST_CPUS", ".parcast.toml:3"
};

using Configuration = std::vector<ConfiguredOption>;  // strongest first

// What a text of a configuration file says. Errors, with their place: malformed; unasked (an option that no
// verb has, with the nearest name; a verb without that option; a value of no option's kind).
Result<Configuration> parse_configuration(std::string_view text, std::string const& file);

// `read_variable` stands for getenv(3).
Configuration configuration_of_environment(
    std::optional<std::string> (*read_variable)(std::string const& name));

// All of it. Errors: those of the files that exist.
Result<Configuration> read_configuration();

// The strongest value for an option of a verb; null: none.
ConfiguredOption const* configured(Configuration const& all, std::string_view verb, Option const& option);

// As its option takes it; a flag that is set has one value, one that is off has none.
std::vector<std::string> values_for(ConfiguredOption const& configured, Option const& option);

std::vector<ConfiguredValue> listed_values(Configuration const& all);

}  // namespace parcast::cli
