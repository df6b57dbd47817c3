#include "report/prediction.h"

#include <algorithm>
#include <utility>

#include "answer/thread_count.h"
#include "report/advice.h"
#include "report/codes/codes.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "report/sentences/sentences.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr std::size_t rows_at_once = 1'000;

char const* name_of(ModelMethod method) {
    switch (method) {
        case ModelMethod::moments: return "moments";
        case ModelMethod::simulate: return "simulate";
        case ModelMethod::both: return "both";
    }
    return "";
}

Json graph_json(TaskGraphBasis const& graph) {
    return {{"name", graph.name},
            {"tasks", graph.tasks},
            {"groups", graph.groups},
            {"precedences", graph.precedences},
            {"average_parallelism", graph.average_parallelism},
            {"maximum_parallelism", graph.maximum_parallelism},
            {"depends_on_cpus", graph.depends_on_cpus}};
}

void add_source(Json& json, std::optional<MachineSource> const& source) {
    json["file"] = source ? Json(source->file) : Json();
    json["calibration"] =
        source && !source->host.empty() ? Json{{"host", source->host}, {"date", source->date}} : Json();
}

Json graph_machine_json(TaskGraphBasis const& graph) {
    auto const name_json = [](Schedule const& schedule) -> Json { return schedule.name; };
    Json json{{"name", graph.machine},
              {"schedules", array_json(graph.schedules, name_json)},
              {"retire", graph.retire},
              {"overhead_ns", graph.overhead_ns},
              {"contention", or_null(graph.contention)}};
    add_source(json, graph.source);
    return json;
}

Json method_json(RecordingBasis const& recording) {
    auto const condition_json = [&](ObjectId condition) {
        return object_json(recording.catalogue, condition);
    };
    auto const abandoned_json = [&](AbandonedReplay const& replay) -> Json {
        return {{"model", replay.model},
                {"cpus", replay.cpus},
                {"deadlock", deadlock_json(replay.deadlock, recording.catalogue)}};
    };
    return {{"name", "replay"},
            {"model", recording.model},
            {"paired_conditions", array_json(recording.paired, condition_json)},
            {"abandoned", array_json(recording.abandoned, abandoned_json)}};
}

Json method_json(TaskGraphBasis const& graph) {
    Json left_out = Json::array();
    for (auto const& [schedule, reason] : graph.left_out)
        left_out.push_back({{"schedule", schedule}, {"reason", reason}});
    return {{"name", "deterministic"}, {"schedules_left_out", std::move(left_out)}};
}

Json method_json(ModelBasis const& model) {
    return {{"name", name_of(model.method)}, {"per", or_null(model.per)}};
}

Json ranges_json(Answer const& answer) {
    auto const& ranges = answer.ranges;
    if (!ranges)
        return nullptr;
    return {{"level", range_level},
            {"replays", ranges->replays},
            {"deadlocks", ranges->deadlocks},
            {"paired", ranges->paired}};
}

Json scaling_json(Answer const& answer) {
    auto const& scaling = answer.scaling;
    Verdict const meaning = verdict(answer);
    return {{"withheld", !scaling.has_value()},
            {"scales_to_cpus", scaling ? or_null(scaling->known_extent()) : Json()},
            {"first_cpus_beyond", scaling ? or_null(scaling->first_beyond) : Json()},
            {"verdict", meaning.sentences},
            {"next_command", or_null(meaning.next_command)}};
}

// Whether the prediction holds where the program was measured; null: it was not.
Json measured_checks_json(RecordingBasis const& recording) {
    if (recording.measured.empty())
        return nullptr;
    auto const cause_json = [](Deviation const& cause) -> Json {
        return {{"part", name_of(cause.part)}, {"share", cause.share}};
    };
    return array_json(recording.measured, [&](MeasuredCheck const& check) -> Json {
        bool const is_compared = check.verdict != MeasuredVerdict::not_compared;
        return {{"cpus", check.measured.cpus},
                {"measured", measured_speed_up_json(check.measured)},
                {"predicted", is_compared ? Json(check.predicted) : Json()},
                {"predicted_range",
                 range_json(is_compared ? std::optional(check.predicted_range) : std::nullopt)},
                {"verdict", name_of(check.verdict)},
                {"reason", or_null(check.reason)},
                {"own_code_growth", check.measured.own_growth.value},
                {"system_growth", check.measured.system_growth.value},
                {"causes", array_json(check.causes, cause_json)}};
    });
}

// What the answer is about, and how it was found.
void add_basis(Json& json, RecordingBasis const& recording) {
    auto const threads = recording.catalogue.threads.size();
    if (auto const& from = recording.provenance) {
        json["recorded"] = recorded_json(*from, threads);
        json["recorded"]["thread_count_word"] = or_null(thread_count_word(from->command, threads));
    }
    json["method"] = method_json(recording);
    json["machine"] = machine_json(recording.machine);
    json["measured"] = measured_checks_json(recording);
    json["work_ns"] = recording.work.ns;
    json["span_ns"] = recording.span.length.ns;
    json["span_work_ns"] = recording.span.busy.ns;
    json["time_on_one_cpu_ns"] = recording.time_on_one ? Json(recording.time_on_one->ns) : Json();
}

void add_basis(Json& json, TaskGraphBasis const& graph) {
    json["graph"] = graph_json(graph);
    json["method"] = method_json(graph);
    json["machine"] = graph_machine_json(graph);
    json["work_ns"] = graph.work_ns;
    json["span_ns"] = graph.span_ns;
    json["time_on_one_cpu_ns"] = graph.sequential_ns;
}

void add_basis(Json& json, ModelBasis const& model) {
    json["method"] = method_json(model);
    json["machine"] = nullptr;
}

void add_basis(Json& json, MessagesBasis const& messages) {
    if (messages.is_steps)
        json["method"] = {{"name", "loggp"},
                          {"clocks", messages.carries_clocks ? "carry" : "barrier"},
                          {"tie_seed", or_null(messages.tie_seed)}};
    else
        json["method"] = {
            {"name", "message_replay"},
            {"nodes", messages.nodes.nodes > 0 ? messages.nodes.nodes : messages.ranks},
            {"cpus_of_node", messages.cpus_of_node > 0 ? Json(messages.cpus_of_node) : Json()},
            {"node_of_rank", messages.nodes.nodes > 0 ? Json(messages.nodes.node_of_rank) : Json()},
            {"node_names", messages.nodes.names.empty() ? Json() : Json(messages.nodes.names)},
            {"cpu_speed", messages.cpu_speed},
            {"collectives", array_json(messages.collectives, [](UsedCollective const& each) -> Json {
                 return {{"kind", each.kind}, {"algorithm", each.algorithm}, {"operations", each.operations}};
             })}};
    if (!messages.is_steps && !messages.compared.empty())
        json["method"]["compared"] = compared_json(messages.compared);
    if (!messages.is_steps && !messages.jobs.empty())
        json["jobs"] = jobs_json(messages);
    json["machine"] = nullptr;
    json["network"] = network_json(messages);
    json["work_ns"] = messages.work.ns;
}

// All but the predictions.
Json head_json(Answer const& answer, std::string_view version) {
    Json json = envelope("predict", version, input_json(answer), 2);
    std::visit([&](auto const& basis) { add_basis(json, basis); }, answer.basis);
    json["findings"] =
        answer.is_replayed() ? findings_json(answer.findings, answer.recording().catalogue) : Json::array();
    json["notes"] = answer.notes;
    json["assumptions"] = answer.assumptions;
    json["assumption_codes"] = codes_of_assumptions(answer.assumptions);
    if (answer.is_replayed()) {
        json["scaling"] = scaling_json(answer);
        json["ranges"] = ranges_json(answer);
    }
    if (answer.advice)
        json["what_to_change"] = or_null(first_advice(answer));
    if (answer.form() == Form::task_graph)
        json["comparison"] = answer.graph().comparison ? theories_json(*answer.graph().comparison) : Json();
    return json;
}

}  // namespace

Json machine_json(MachineBasis const& machine) {
    Json json{{"name", machine.name}, {"scheduler", machine.scheduler}, {"lock_policy", machine.lock_policy}};
    for (auto const& [name, value] : machine.parameters)
        json[name] = value;
    add_source(json, machine.source);
    json["speeds"] = machine.speeds;
    json["notes"] = machine.notes;
    return json;
}

Json predictions_json(Answer const& answer, ThreadRows threads) {
    return rows_json(answer, threads, 0, row_count(answer));
}

Json prediction_document(Answer const& answer, std::string_view version) {
    Json json = head_json(answer, version);
    json["predictions"] = predictions_json(answer, ThreadRows::absent);
    return json;
}

void print_prediction_json(Answer const& answer, std::string_view version, ThreadRows threads,
                           std::function<bool(std::string const&)> const& print) {
    auto text = to_text(head_json(answer, version));
    text.erase(text.find_last_of('}') - 1);
    text += ",\n  \"predictions\": [";
    for (std::size_t first = 0, count = row_count(answer); first < count; first += rows_at_once) {
        for (auto const& row : rows_json(answer, threads, first, std::min(first + rows_at_once, count))) {
            text += text.ends_with('[') ? "\n    " : ",\n    ";
            text += to_line(row);
        }
        if (!print(text))
            return;
        text.clear();
    }
    print(text + "\n  ]\n}\n");
}

}  // namespace parcast::report
