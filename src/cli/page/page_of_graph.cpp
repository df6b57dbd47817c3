#include "cli/page/page_of_graph.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/scaling.h"
#include "cli/exit_status.h"
#include "cli/files/files.h"
#include "cli/files/recording.h"
#include "core/counted.h"
#include "report/sentences/task_graph_sentences.h"

namespace parcast::cli {

namespace {

// How far it scales under each schedule that was predicted.
std::vector<Scaling> scaling_by_schedule(Answer const& answer) {
    std::vector<Scaling> all;
    for (auto const& schedule : by_schedule(answer)) {
        std::vector<analysis::SpeedUpAt> points;
        for (auto const& row : schedule.rows)
            points.push_back({row.cpus, row.speed_up});
        all.push_back(analysis::scaling(points));
    }
    return all;
}

}  // namespace

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

report::PageOffer page_offer(forecast::Forecast const& predicted) {
    auto const& graph = predicted.graph();
    report::TaskGroups groups{graph.first_task, graph.group_names, graph.first_successor, {}};
    std::ranges::transform(graph.successors, std::back_inserter(groups.successors), &TaskGroupId::value);
    report::PageOffer offer;
    offer.source_text = false;
    offer.recorded = false;
    offer.graph = report::GraphInPage{std::move(groups), scaling_by_schedule(predicted.answer)};
    return offer;
}

view::Meaning meaning_of(Answer const& answer) {
    return [&answer](RunFacts const& facts) { return report::task_graph_sentences(facts, answer); };
}

}  // namespace parcast::cli
