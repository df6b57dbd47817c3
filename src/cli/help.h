// The texts of `parcast help`, made of the table of verbs and of their tables of options.

#pragma once

#include <string>

#include "cli/verbs.h"

namespace parcast::cli {

std::string overview();

std::string help_of(Verb const& verb);

}  // namespace parcast::cli
