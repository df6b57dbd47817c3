// What `view` and `report` tell the page that it may ask for.

#pragma once

#include <string>
#include <vector>

namespace parcast::cli {

// In the order of OperationKind, as in the column event.kind (docs/formats/execution.md).
std::vector<std::string> operation_names();

}  // namespace parcast::cli
