// Which form a text with a task graph has, told by its content, and the one call that reads any of them.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "import/taskgraph_json.h"
#include "program/task_graph.h"
#include "symbolic/parameters.h"

namespace parcast {

enum class TaskGraphFormat : std::uint8_t { json, wfformat, stg, dot };

char const* name_of(TaskGraphFormat format);  // "json", ...

struct ImportedGraph {
    TaskGraph graph;
    TaskGraphFormat format = TaskGraphFormat::json;  // that it was written in
    // The graph for a number of CPUs, which its formulas use; empty: it is the same for all.
    std::function<Result<TaskGraph>(std::uint32_t cpus)> for_cpus = {};
};

// None: none of them. A text in one of them may still be wrong.
std::optional<TaskGraphFormat> task_graph_format(std::string_view text);

struct ImportOptions {
    symbolic::Parameters given;     // for json
    std::uint32_t cpus = 1;         // for json: what P is in its formulas
    std::optional<double> unit_ns;  // for stg and dot, where none means 1 ns; the others have their own
    std::size_t most_kept_bytes = usual_most_kept_bytes;  // for json
};

// Errors: those of the readers, unsupported (none of the formats, or an option that it does not have).
Result<TaskGraph> import_task_graph(std::string text, std::string_view file,
                                    ImportOptions const& options = {});

}  // namespace parcast
