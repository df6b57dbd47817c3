// Pages for man, in the language of roff, of what `parcast help` says: parcast(1), and parcast-VERB(1) per
// verb.

#pragma once

#include <string>

#include "cli/verbs.h"

namespace parcast::cli {

std::string manual_overview();

std::string manual_of(Verb const& verb);

}  // namespace parcast::cli
