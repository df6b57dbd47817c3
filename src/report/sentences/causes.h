// Causes of lost processor time in words.

#pragma once

#include <string>

#include "answer/limit.h"
#include "core/catalogue.h"

namespace parcast::report {

// For a table, where it stands for all that the cause loses (losses()): "mutex queue_lock (queue.h:41)",
// "locks", "no thread".
std::string cause_label(Limit const& limit, Catalogue const& catalogue);

}  // namespace parcast::report
