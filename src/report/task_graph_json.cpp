#include "report/task_graph_json.h"

#include <nlohmann/json.hpp>

#include "report/envelope.h"
#include "report/schedule_table.h"
#include "report/theories.h"

namespace parcast::report {

namespace {

using Json = nlohmann::ordered_json;

Json graph_of(Answer const& prediction) {
    return {{"name", prediction.graph().name},
            {"tasks", prediction.graph().tasks},
            {"groups", prediction.graph().groups},
            {"precedences", prediction.graph().precedences},
            {"work_ns", prediction.graph().work_ns},
            {"span_ns", prediction.graph().span_ns},
            {"average_parallelism", prediction.graph().average_parallelism},
            {"maximum_parallelism", prediction.graph().maximum_parallelism}};
}

Json run_of(Row const& run, bool is_best) {
    return {
        {"cpus", run.cpus},
        {"best", is_best},
        {"time_ns", run.time_ns},
        {"speed_up", run.speed_up},
        {"efficiency", run.efficiency},
        {"bounds", run.bounds ? Json{{"lower", run.bounds->lower}, {"upper", run.bounds->upper}} : Json()},
        {"lost",
         {{"idle_ns", run.tasks.lost.idle_ns},
          {"latency_ns", run.tasks.lost.latency_ns},
          {"contention_ns", run.tasks.lost.contention_ns},
          {"overhead_ns", run.tasks.lost.overhead_ns}}},
        {"mean_busy", run.tasks.mean_busy},
        {"busy_for_ns", run.tasks.busy_for_ns}};
}

Json schedule_of(std::vector<ScheduledRows> const& schedules, std::size_t schedule) {
    auto const& scheduled = schedules[schedule];
    Json runs = Json::array();
    for (std::size_t row = 0; row < scheduled.rows.size(); ++row)
        runs.push_back(run_of(scheduled.rows[row], is_best(schedules, schedule, row)));
    return {{"schedule", scheduled.schedule},
            {"work_conserving", scheduled.is_work_conserving},
            {"runs", std::move(runs)}};
}

}  // namespace

Json task_graph_document(Answer const& prediction, std::string_view version) {
    auto answer = envelope("predict-taskgraph", version,
                           {{"file", prediction.file}, {"format", prediction.graph().format}});
    answer["graph"] = graph_of(prediction);
    answer["model"] = {
        {"name", "deterministic"},
        {"retire", prediction.graph().retire},
        {"contention", prediction.graph().contention ? Json(*prediction.graph().contention) : Json()},
        {"overhead_ns", prediction.graph().overhead_ns}};
    answer["schedules"] = Json::array();
    auto const schedules = by_schedule(prediction);
    for (std::size_t schedule = 0; schedule < schedules.size(); ++schedule)
        answer["schedules"].push_back(schedule_of(schedules, schedule));
    answer["schedules_left_out"] = Json::array();
    for (auto const& [schedule, reason] : prediction.graph().left_out)
        answer["schedules_left_out"].push_back({{"schedule", schedule}, {"reason", reason}});
    answer["assumptions"] = prediction.assumptions;
    answer["comparison"] =
        prediction.graph().comparison ? theories_json(*prediction.graph().comparison) : Json();
    return answer;
}

std::string task_graph_json(Answer const& prediction, std::string_view version) {
    return to_text(task_graph_document(prediction, version));
}

}  // namespace parcast::report
