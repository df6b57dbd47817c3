// The texts of `parcast help`, made of the table of verbs and of their tables of options.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/verbs.h"

namespace parcast::cli {

std::string overview();

std::string help_of(Verb const& verb);

// What the pages for man (cli/manual.h) are made of, too.
struct OptionGroup {
    std::string title;                   // "Options", "For recordings"
    std::vector<Option const*> options;  // of the table
};

// Those for every form that the verb takes, then those for fewer, then those of every verb.
std::vector<OptionGroup> option_groups(OptionTable const& table);

// "parcast predict FILE [OPTIONS]"
std::string synopsis(Verb const& verb, OptionTable const& table);

// Of all verbs: "0 done; 2 wrong command line; ..."
std::string_view exit_statuses();

}  // namespace parcast::cli
