#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "forecast/forms.h"

namespace parcast::forecast {

namespace {

// A page's lanes, and theories side by side, are of one graph.
std::optional<std::string> what_needs_one_graph(Question const& question) {
    if (question.detail != RunDetail::totals)
        return "a timeline is of one graph";
    if (question.schedule.compare)
        return "--compare is of one graph";
    return std::nullopt;
}

// Over the time of the graph for one CPU, as all speed-ups are.
void refer_to(Answer const& one, Answer const& own, Row& row) {
    row.speed_up = row.time_ns > 0 ? one.graph().sequential_ns / row.time_ns : 1;
    row.efficiency = row.speed_up / row.cpus;
    if (row.bounds && own.graph().work_ns > 0) {
        double const share = one.graph().work_ns / own.graph().work_ns;
        row.bounds = SpeedUpBounds{share * row.bounds->lower, share * row.bounds->upper};
    }
}

}  // namespace

Result<Forecast> forecast_task_graph_by_count(std::string const& file, ImportedGraph imported,
                                              TargetMachine const& target, Question const& question) {
    if (auto const what = what_needs_one_graph(question))
        return fail(make_error(ErrorCode::unasked,
                               file + ": its formulas use P, the number of CPUs, and " + *what,
                               "With a value: --set P=" + std::to_string(question.cpus.back())));
    auto const graph_for = std::move(imported.for_cpus);
    auto asked = question;
    asked.cpus = {1};
    auto one = forecast_task_graph(file, std::move(imported), target, asked);
    if (!one)
        return one;
    Answer& answer = one->answer;
    answer.graph().depends_on_cpus = true;
    answer.assumptions.insert(answer.assumptions.begin() + 1,
                              "The graph depends on the number of CPUs, P: each row is of the graph for its "
                              "number, and speed-ups refer to the graph for one.");
    asked.schedule.schedules.clear();
    for (Schedule const& schedule : answer.graph().schedules)
        asked.schedule.schedules.push_back(schedule.name);
    answer.rows.clear();
    for (std::uint32_t const cpus : question.cpus) {
        auto graph = graph_for(cpus);
        if (!graph)
            return fail(with_advice(
                graph.error(), "The graph for P = " + std::to_string(cpus) + ": docs/formats/taskgraph.md."));
        asked.cpus = {cpus};
        auto own = forecast_task_graph(file, {std::move(*graph), imported.format}, target, asked);
        if (!own)
            return own;
        for (Row& row : own->answer.rows) {
            refer_to(answer, own->answer, row);
            answer.rows.push_back(std::move(row));
        }
    }
    std::ranges::stable_sort(answer.rows, {}, &Row::schedule);
    return one;
}

}  // namespace parcast::forecast
