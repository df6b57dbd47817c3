// The file of a task graph, in any of the forms of import/: told from a recording by its content.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "import/task_graph_format.h"

namespace parcast::cli {

struct TaskGraphReading {
    std::vector<std::string> set;     // "n=1024", in their order
    std::optional<std::string> unit;  // "us"

    friend bool operator==(TaskGraphReading const&, TaskGraphReading const&) = default;
};

// False also if it cannot be read: who opens it then says why.
bool is_task_graph_file(std::string const& path);

// REQUIRES: is_task_graph_file.
Result<ImportedGraph> read_task_graph(std::string const& path, TaskGraphReading const& reading);

}  // namespace parcast::cli
