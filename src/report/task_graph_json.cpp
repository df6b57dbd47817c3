#include "report/task_graph_json.h"

#include <nlohmann/json.hpp>

#include "report/envelope.h"
#include "report/schedule_table.h"

namespace parcast::report {

namespace {

using Json = nlohmann::ordered_json;

Json graph_of(TaskGraphPrediction const& prediction) {
    return {{"name", prediction.name},
            {"tasks", prediction.tasks},
            {"groups", prediction.groups},
            {"precedences", prediction.precedences},
            {"work_ns", prediction.work_ns},
            {"span_ns", prediction.span_ns},
            {"average_parallelism", prediction.average_parallelism},
            {"maximum_parallelism", prediction.maximum_parallelism}};
}

Json run_of(TaskGraphRun const& run, bool is_best) {
    return {
        {"cpus", run.cpus},
        {"best", is_best},
        {"time_ns", run.time_ns},
        {"speed_up", run.speed_up},
        {"efficiency", run.efficiency},
        {"bounds", run.bounds ? Json{{"lower", run.bounds->lower}, {"upper", run.bounds->upper}} : Json()},
        {"lost",
         {{"idle_ns", run.lost.idle_ns},
          {"latency_ns", run.lost.latency_ns},
          {"contention_ns", run.lost.contention_ns},
          {"overhead_ns", run.lost.overhead_ns}}},
        {"mean_busy", run.mean_busy},
        {"busy_for_ns", run.busy_for_ns}};
}

Json schedule_of(std::vector<ScheduledRuns> const& schedules, std::size_t schedule) {
    auto const& scheduled = schedules[schedule];
    Json runs = Json::array();
    for (std::size_t row = 0; row < scheduled.runs.size(); ++row)
        runs.push_back(run_of(scheduled.runs[row], is_best(schedules, schedule, row)));
    return {{"schedule", scheduled.schedule},
            {"work_conserving", scheduled.is_work_conserving},
            {"runs", std::move(runs)}};
}

}  // namespace

Json task_graph_document(TaskGraphPrediction const& prediction, std::string_view version) {
    auto answer =
        envelope("predict-taskgraph", version, {{"file", prediction.file}, {"format", prediction.format}});
    answer["graph"] = graph_of(prediction);
    answer["model"] = {{"name", "deterministic"},
                       {"retire", prediction.retire},
                       {"contention", prediction.contention ? Json(*prediction.contention) : Json()},
                       {"overhead_ns", prediction.overhead_ns}};
    answer["schedules"] = Json::array();
    for (std::size_t schedule = 0; schedule < prediction.schedules.size(); ++schedule)
        answer["schedules"].push_back(schedule_of(prediction.schedules, schedule));
    answer["schedules_left_out"] = Json::array();
    for (auto const& [schedule, reason] : prediction.left_out)
        answer["schedules_left_out"].push_back({{"schedule", schedule}, {"reason", reason}});
    answer["assumptions"] = prediction.assumptions;
    answer["comparison"] = prediction.comparison ? theories_json(*prediction.comparison) : Json();
    return answer;
}

std::string task_graph_json(TaskGraphPrediction const& prediction, std::string_view version) {
    return to_text(task_graph_document(prediction, version));
}

}  // namespace parcast::report
