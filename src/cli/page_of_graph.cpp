#include "cli/page_of_graph.h"

#include <algorithm>
#include <iterator>

#include "cli/exit_status.h"
#include "cli/files.h"
#include "cli/recording.h"
#include "cli/task_graph_execution.h"
#include "core/counted.h"

namespace parcast::cli {

std::vector<std::string> usual_schedules() {
    return {"fifo", "lpt", "critical-path"};
}

std::optional<Error> reason_not_to_show(TaskGraph const& graph, std::string const& file) {
    auto const tasks = graph.tasks();
    if (tasks <= most_tasks_in_page)
        return std::nullopt;
    return make_error(ErrorCode::inconsistent,
                      file + " has " + count_text(static_cast<std::int64_t>(tasks)) +
                          " tasks; a browser has room for " + count_text(most_tasks_in_page) + ".",
                      "Without a picture: parcast predict " + file +
                          ". With a task for each CPU and loop: parcast extract --condense 8 " + file);
}

Error refusal_for_graph(std::string const& option, std::string const& file) {
    return make_error(ErrorCode::unasked, option + " is for recordings, and " + file + " is a task graph.",
                      "What task graphs take: parcast help predict");
}

Error refusal_for_recording(std::string const& option, std::string const& file) {
    if (auto const text = read_text(file); !text)
        return with_advice(text.error(), advice_for_recording(text.error()));
    return make_error(ErrorCode::unasked, option + " is for task graphs, and " + file + " is none.",
                      "What a task graph is: docs/formats/taskgraph.md");
}

report::TaskGroups groups_of(TaskGraph const& graph) {
    report::TaskGroups groups{graph.first_task, graph.group_names, graph.first_successor, {}};
    std::ranges::transform(graph.successors, std::back_inserter(groups.successors), &TaskGroupId::value);
    return groups;
}

}  // namespace parcast::cli
