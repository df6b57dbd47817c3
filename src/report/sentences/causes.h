// Causes of lost processor time in words.

#pragma once

#include <string>

#include "answer/limit.h"
#include "core/catalogue.h"

namespace parcast::report {

// For a table: "mutex queue_lock (queue.h:41)", "other locks", "no thread to run".
std::string cause_label(Limit const& limit, Catalogue const& catalogue);

// Where no object is named beside it: "other locks".
char const* words_of(Cause cause);

}  // namespace parcast::report
