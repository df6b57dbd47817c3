#include "report/task_graph_view_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "report/task_graph_json.h"

namespace parcast::report {

namespace {

using Json = nlohmann::ordered_json;

// The slider of a page goes at least as far.
constexpr std::uint32_t usual_most_cpus = 64;

Json groups_json(TaskGroups const& groups) {
    return {{"first_task", Json(std::vector(groups.first_task.begin(), groups.first_task.end()))},
            {"names", Json(std::vector(groups.names.begin(), groups.names.end()))},
            {"first_successor", groups.first_successor},
            {"successors", groups.successors}};
}

}  // namespace

std::string task_graph_view_json(Answer const& prediction, TaskGroups const& groups,
                                 GraphPageOffer const& offer, std::string_view version) {
    Json cpus = Json::array();
    std::uint32_t most = offer.simulate ? usual_most_cpus : 1;
    for (auto const& run : by_schedule(prediction).front().rows) {
        cpus.push_back(run.cpus);
        most = std::max(most, run.cpus);
    }
    Json const json{{"schema", "parcast.view-taskgraph/1"},
                    {"parcast", std::string(version)},
                    {"title", prediction.graph().name.empty() ? prediction.file : prediction.graph().name},
                    {"prediction", task_graph_document(prediction, version)},
                    {"groups", groups_json(groups)},
                    {"schedules", offer.schedules},
                    {"cpus", std::move(cpus)},
                    {"max_cpus", most},
                    {"capabilities", {{"simulate", offer.simulate}, {"compare", offer.compare}}},
                    {"notes", offer.notes}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace parcast::report
