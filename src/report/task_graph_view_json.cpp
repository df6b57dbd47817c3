#include "report/task_graph_view_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "report/task_graph_json.h"
#include "report/verdict.h"

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

Json scaling_json(Scaling const& scaling, std::span<Row const> rows) {
    auto const beyond = std::ranges::find(rows, scaling.first_beyond.value_or(0), &Row::cpus);
    bool const has_several = rows.back().cpus > 1;
    return {
        {"scales_to_cpus", scaling.scales_to},
        {"first_cpus_beyond", scaling.first_beyond ? Json(*scaling.first_beyond) : Json()},
        {"verdict", has_several ? extent_text(scaling, beyond == rows.end() ? 1 : beyond->speed_up) : ""}};
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
    Json scaling = Json::array();
    auto const schedules = by_schedule(prediction);
    for (std::size_t i = 0; i < schedules.size(); ++i)
        scaling.push_back(scaling_json(offer.scaling[i], schedules[i].rows));
    Json const json{{"schema", "parcast.view-taskgraph/1"},
                    {"parcast", std::string(version)},
                    {"title", prediction.graph().name.empty() ? prediction.file : prediction.graph().name},
                    {"prediction", task_graph_document(prediction, version)},
                    {"groups", groups_json(groups)},
                    {"scaling", std::move(scaling)},
                    {"schedules", offer.schedules},
                    {"cpus", std::move(cpus)},
                    {"max_cpus", most},
                    {"capabilities", {{"simulate", offer.simulate}, {"compare", offer.compare}}},
                    {"notes", offer.notes}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace parcast::report
