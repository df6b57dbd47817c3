// A replay that cannot go on: which threads wait for what, and who holds it.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "answer/answer.h"
#include "report/layout.h"

namespace parcast::report {

// A paragraph for each replay that deadlocks, each after an empty line; one that is stuck as the last one
// before it is takes a single line. Empty if none deadlocks. `model` made the replays.
std::string deadlocks_text(std::span<Row const> runs, std::string_view model, Catalogue const& catalogue,
                           Layout const& layout);

}  // namespace parcast::report
