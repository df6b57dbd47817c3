// Writes a task graph to the file that a verb was told, or to standard output.

#pragma once

#include <cstddef>
#include <string>

#include "cli/files/output_file.h"
#include "core/result.h"
#include "program/task_graph.h"

namespace parcast::cli {

// Returns the number of bytes.
Result<std::size_t> write_task_graph(TaskGraph const& graph, std::string const& path, Existing existing);

// On standard error, but for a graph that went to standard output: what was written, and the next command.
void say_written(TaskGraph const& graph, std::string const& path, std::size_t bytes);

}  // namespace parcast::cli
