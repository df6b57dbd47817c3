// Writes a task graph to the file that a verb was told, or to standard output.

#pragma once

#include <cstddef>
#include <string>

#include <tl/expected.hpp>

#include "cli/output_file.h"
#include "cli/refusal.h"
#include "program/task_graph.h"

namespace parcast::cli {

// Both: the number of bytes.
tl::expected<std::size_t, Refusal> write_text(std::string const& text, std::string const& path,
                                              Existing existing);
tl::expected<std::size_t, Refusal> write_task_graph(TaskGraph const& graph, std::string const& path,
                                                    Existing existing);

// On standard error, but for a graph that went to standard output: what was written, and the next command.
void say_written(TaskGraph const& graph, std::string const& path, std::size_t bytes);

}  // namespace parcast::cli
