// What keeps an execution from using its processors: the lost processor time by cause, largest first.

#pragma once

#include <cstddef>
#include <vector>

#include "answer/limit.h"
#include "core/catalogue.h"
#include "timeline/accounts.h"

namespace parcast::analysis {

// Every processor-nanosecond of the execution, once: the shares of the result sum to 1 and the times to
// cpus * completion exactly. `busy` first, then the others by falling time; zero rows are left out. At
// most `objects_each` objects of a cause have a row of their own, the rest share one.
std::vector<Limit> limits(Accounts const& accounts, Catalogue const& catalogue, std::size_t objects_each = 3);

}  // namespace parcast::analysis
