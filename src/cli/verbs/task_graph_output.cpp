#include "cli/verbs/task_graph_output.h"

#include <algorithm>

#include "cli/exit_status.h"
#include "cli/terminal.h"
#include "import/taskgraph_json.h"
#include "report/format.h"
#include "report/names.h"

namespace parcast::cli {

Result<std::size_t> write_task_graph(TaskGraph const& graph, std::string const& path, Existing existing) {
    return write_text(to_json(graph), path, existing);
}

void say_written(TaskGraph const& graph, std::string const& path, std::size_t bytes) {
    if (path == OutputFile::standard_output)
        return;
    print_note("wrote " + path + ": " + counted(static_cast<std::int64_t>(graph.tasks()), "task") + " in " +
               counted(static_cast<std::int64_t>(graph.groups()), "group") + ", " + bytes_text(bytes));
    // Without it waiting for locks is left out, and a graph of a recording is predicted far too fast.
    bool const has_lock = std::any_of(graph.resources.begin(), graph.resources.end(),
                                      [](ResourceUse const& use) { return use.name == "lock.rate"; });
    print_note("next: parcast predict " + report::command_line({path}) +
               (has_lock ? " --memory lock" : " --schedule all"));
}

}  // namespace parcast::cli
