#include "report/task_graph_json.h"

#include <nlohmann/json.hpp>

#include "report/envelope.h"

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

Json run_of(TaskGraphRun const& run) {
    return {
        {"cpus", run.cpus},
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

Json schedule_of(ScheduledRuns const& scheduled) {
    Json runs = Json::array();
    for (auto const& run : scheduled.runs)
        runs.push_back(run_of(run));
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
    for (auto const& scheduled : prediction.schedules)
        answer["schedules"].push_back(schedule_of(scheduled));
    answer["assumptions"] = prediction.assumptions;
    answer["comparison"] = prediction.comparison ? theories_json(*prediction.comparison) : Json();
    return answer;
}

std::string task_graph_json(TaskGraphPrediction const& prediction, std::string_view version) {
    return to_text(task_graph_document(prediction, version));
}

}  // namespace parcast::report
