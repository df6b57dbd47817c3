#include "report/json/view_json.h"

#include <algorithm>

#include "core/function_name.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "report/names.h"
#include "report/prediction.h"
#include "report/sentences/sentences.h"

namespace parcast::report {

namespace {

// The slider of a page goes at least as far.
constexpr std::uint32_t usual_most_cpus = 64;

template <class Tag>
Json id_or_null(Id<Tag> id, std::size_t count) {
    return id.is_none() || id.index() >= count ? Json() : Json(id.value);
}

Json threads_json(Catalogue const& catalogue) {
    Json list = Json::array();
    for (std::size_t i = 0; i < catalogue.threads.size(); ++i) {
        Thread const& thread = catalogue.threads[i];
        list.push_back({{"name", shown(catalogue, ThreadId(i))},
                        {"function", thread.function},
                        {"parent", id_or_null(thread.parent, catalogue.threads.size())},
                        {"start_site", id_or_null(thread.start_site, catalogue.sites.size())},
                        {"created_at", id_or_null(thread.created_at, catalogue.sites.size())}});
    }
    return list;
}

Json objects_json(Catalogue const& catalogue) {
    Json list = Json::array();
    for (std::size_t i = 0; i < catalogue.objects.size(); ++i) {
        Object const& object = catalogue.objects[i];
        list.push_back({{"kind", name_of(object.kind)},
                        {"name", placed_object_label(catalogue, ObjectId(i))},
                        {"first_site", id_or_null(object.first_site, catalogue.sites.size())}});
    }
    return list;
}

Json sites_json(Catalogue const& catalogue) {
    Json list = Json::array();
    for (std::size_t i = 0; i < catalogue.sites.size(); ++i) {
        auto const& frames = catalogue.sites[i].frames;
        Frame const place = frames.empty() ? Frame{} : frames.front();
        list.push_back({{"name", innermost(catalogue, SiteId(i))},
                        {"file", place.file},
                        {"line", place.line},
                        {"function", place.function.empty() ? "" : short_function_name(place.function)}});
    }
    return list;
}

Json measured_json(std::vector<MeasuredPoint> const& points) {
    return array_json(points, [](MeasuredPoint const& point) -> Json {
        return {{"cpus", point.cpus},          {"speed_up", point.speed_up.median},
                {"low", point.speed_up.least}, {"high", point.speed_up.most},
                {"time_ns", point.time_ns},    {"explanation", point.explanation}};
    });
}

Json excerpt_json(SourceExcerpt const& excerpt) {
    return {{"file", excerpt.file}, {"first_line", excerpt.first_line}, {"lines", excerpt.lines}};
}

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
        {"scales_to_cpus", or_null(scaling.known_extent())},
        {"first_cpus_beyond", or_null(scaling.first_beyond)},
        {"verdict", has_several ? extent_text(scaling, beyond == rows.end() ? 1 : beyond->speed_up) : ""}};
}

void add_program(Json& json, Answer const& answer, GraphInPage const& graph) {
    json["groups"] = groups_json(graph.groups);
    json["scaling"] = Json::array();
    auto const schedules = by_schedule(answer);
    for (std::size_t i = 0; i < schedules.size(); ++i)
        json["scaling"].push_back(scaling_json(graph.scaling[i], schedules[i].rows));
}

void add_program(Json& json, RecordingBasis const& recording) {
    json["threads"] = threads_json(recording.catalogue);
    json["objects"] = objects_json(recording.catalogue);
    json["sites"] = sites_json(recording.catalogue);
}

Json network_in_page_json(NetworkInPage const& network) {
    return {{"name", network.name},
            {"text", network.text},
            {"source", network.source},
            {"numbers", network.numbers}};
}

void add_program(Json& json, MessagesInPage const& messages) {
    json["threads"] = threads_json(messages.catalogue);
    json["objects"] = objects_json(messages.catalogue);
    json["sites"] = Json::array();
    json["messages"] = {{"cpus_of_rank", messages.cpus_of_rank},
                        {"cpu_speed", messages.cpu_speed},
                        {"networks", array_json(messages.networks, network_in_page_json)}};
}

// Rising; a task graph has the same ones under each schedule.
Json bindings_json(std::vector<BindingOnCpus> const& counts) {
    auto list = Json::array();
    for (auto const& at : counts) {
        Json const reachable = at.reachable && at.reachable->time_ns ? Json(*at.reachable->time_ns) : Json();
        list.push_back({{"cpus", at.cpus},
                        {"lower_bound_ns", at.lower_bound.ns},
                        {"lower_bound_by", at.lower_bound_by},
                        {"reachable_ns", reachable}});
    }
    return list;
}

std::vector<std::uint32_t> predicted_cpus(Answer const& answer) {
    if (answer.has_messages())
        return {answer.rows.back().run.accounts.cpus};
    std::vector<std::uint32_t> cpus;
    for (auto const& row : answer.rows)
        if (row.schedule == 0)
            cpus.push_back(row.cpus);
    return cpus;
}

}  // namespace

std::string title_of(Answer const& answer) {
    if (answer.form() == Form::recording)
        return shown_command(answer.recording().provenance->command);
    auto const& name = answer.is_replayed()    ? answer.recording().name
                       : answer.has_messages() ? answer.messages().name
                                               : answer.graph().name;
    return name.empty() ? answer.file : name;
}

std::string view_json(Answer const& answer, PageOffer const& offer, std::string_view version) {
    bool const is_replayed = answer.is_replayed();
    auto const cpus = offer.cpus_to_come.empty() ? predicted_cpus(answer) : offer.cpus_to_come;
    Json json{{"schema", "parcast.view/2"},
              {"parcast", std::string(version)},
              {"title", title_of(answer)},
              {"prediction", prediction_document(answer, version)},
              {"measured", measured_json(offer.measured)}};
    if (!offer.bindings.empty())
        json["bindings"] = bindings_json(offer.bindings);
    if (is_replayed)
        add_program(json, answer.recording());
    if (offer.graph)
        add_program(json, answer, *offer.graph);
    if (offer.messages)
        add_program(json, *offer.messages);
    json["schedulers"] = offer.schedulers;
    json["scheduler"] = is_replayed             ? answer.recording().machine.scheduler
                        : answer.has_messages() ? offer.schedulers.front()
                                                : answer.graph().schedules.front().name;
    json["cpus"] = cpus;
    json["max_cpus"] = std::max(offer.simulate ? usual_most_cpus : 1, cpus.empty() ? 1 : cpus.back());
    json["capabilities"] = {{"simulate", offer.simulate},   {"source_text", offer.source_text},
                            {"compare", offer.compare},     {"recorded", offer.recorded},
                            {"signature", offer.signature}, {"editor", offer.editor}};
    json["complete"] = offer.cpus_to_come.empty();
    json["notes"] = offer.notes;
    return to_line(json);
}

std::string measured_execution_json(MeasuredExecutionFacts const& facts, Catalogue const& catalogue,
                                    std::string_view version) {
    Json json{{"schema", "parcast.measured-execution/1"},
              {"parcast", std::string(version)},
              {"title", facts.command.empty() ? facts.file : shown_command(facts.command)},
              {"file", facts.file},
              {"command", facts.command},
              {"cpus", facts.cpus},
              {"cpu_numbers", facts.cpu_numbers}};
    json["threads"] = Json::array();
    for (std::size_t i = 0; i < catalogue.threads.size(); ++i) {
        Thread const& thread = catalogue.threads[i];
        json["threads"].push_back({{"name", shown(catalogue, ThreadId(i))},
                                   {"function", thread.function},
                                   {"parent", id_or_null(thread.parent, catalogue.threads.size())}});
    }
    return to_line(json);
}

std::string progress_json(ViewProgress const& progress) {
    auto const point_json = [](auto const& point) -> Json {
        return {{"cpus", point.first}, {"time_ns", or_null(point.second)}};
    };
    Json const json{{"schema", "parcast.view-progress/1"},
                    {"complete", progress.is_complete},
                    {"known", progress.is_known},
                    {"paused", progress.is_paused},
                    {"error", progress.error.empty() ? Json() : Json(progress.error)},
                    {"cpus", progress.cpus},
                    {"running", progress.running},
                    {"points", array_json(progress.points, point_json)},
                    {"range_replays", progress.range_replays ? Json{{"begun", progress.range_replays->begun},
                                                                    {"all", progress.range_replays->all}}
                                                             : Json()}};
    return to_line(json);
}

std::string source_json(SourceExcerpt const& excerpt) {
    return to_line(excerpt_json(excerpt));
}

std::string sources_json(std::vector<SiteExcerpt> const& excerpts) {
    Json json = Json::object();
    for (auto const& [site, excerpt] : excerpts)
        json[std::to_string(site)] = excerpt_json(excerpt);
    return to_line(json);
}

}  // namespace parcast::report
