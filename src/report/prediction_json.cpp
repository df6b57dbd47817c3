#include "report/prediction_json.h"

#include <nlohmann/json.hpp>

#include "report/bounds_text.h"
#include "report/causes.h"
#include "report/envelope.h"
#include "report/json_parts.h"
#include "report/verdict.h"

namespace parcast::report {

namespace {

Json limit_json(Limit const& limit, Catalogue const& catalogue) {
    bool const has_object = !limit.object.is_none() && limit.object.index() < catalogue.objects.size();
    SiteId const site = has_object ? catalogue.objects[limit.object.index()].first_site : SiteId::none();
    return {{"cause", name_of(limit.cause)},
            {"object", object_json(catalogue, limit.object)},
            {"site", site.is_none() ? Json() : Json(display_name(catalogue, site))},
            {"share", limit.share},
            {"processor_time_ns", limit.processor_time.ns}};
}

Json thread_json(ThreadAccount const& account, Catalogue const& catalogue, ThreadId thread) {
    return {{"thread", thread_reference_json(catalogue, thread)},
            {"created_ns", account.created.ns},
            {"ended_ns", account.ended.ns},
            {"running_ns", account[ThreadState::running].ns},
            {"switching_ns", account[ThreadState::switching].ns},
            {"spinning_ns", account[ThreadState::spinning].ns},
            {"ready_ns", account[ThreadState::ready].ns},
            {"blocked_ns", account[ThreadState::blocked].ns},
            {"sleeping_ns", account[ThreadState::sleeping].ns},
            {"input_output_ns", account[ThreadState::input_output].ns}};
}

Json deadlock_json(Deadlock const& deadlock, Catalogue const& catalogue) {
    Json threads = Json::array();
    for (auto const& stuck : deadlock.threads) {
        threads.push_back({{"thread", thread_reference_json(catalogue, stuck.thread)},
                           {"object", object_json(catalogue, stuck.object)},
                           {"awaited_thread", thread_reference_json(catalogue, stuck.awaited_thread)},
                           {"holder", thread_reference_json(catalogue, stuck.holder)},
                           {"place", place_json(catalogue, stuck.site)}});
    }
    return {{"time_ns", deadlock.when.ns}, {"threads", std::move(threads)}};
}

}  // namespace

// A deadlocked run has no time: its numbers are null, so that nobody plots them by accident.
Json run_json(Row const& run, Answer const& prediction, ThreadRows threads) {
    Json json{{"cpus", run.cpus}};
    if (run.run.deadlock) {
        json.update(Json{{"time_ns", nullptr},
                         {"speed_up", nullptr},
                         {"efficiency", nullptr},
                         {"speed_up_bounds", nullptr},
                         {"bounds_note", nullptr},
                         {"limits", Json::array()},
                         {"deadlock", deadlock_json(*run.run.deadlock, prediction.recording().catalogue)}});
        return json;
    }
    bool const has_speed_up = prediction.recording().time_on_one.has_value();
    json["time_ns"] = run.run.accounts.completion.ns;
    json["speed_up"] = has_speed_up ? Json(run.speed_up) : Json();
    json["efficiency"] = has_speed_up ? Json(run.efficiency) : Json();
    json["speed_up_bounds"] = has_speed_up ? Json::array({run.bounds->lower, run.bounds->upper}) : Json();
    json["bounds_note"] = has_speed_up && is_outside_bounds(run) ? Json(outside_bounds_note) : Json();
    json["limits"] = Json::array();
    for (auto const& limit : run.limits)
        json["limits"].push_back(limit_json(limit, prediction.recording().catalogue));
    json["context_switches"] = run.run.accounts.context_switches;
    json["migrations"] = run.run.accounts.migrations;
    if (threads == ThreadRows::present) {
        json["threads"] = Json::array();
        for (std::size_t i = 0; i < run.run.accounts.threads.size(); ++i) {
            json["threads"].push_back(
                thread_json(run.run.accounts.threads[i], prediction.recording().catalogue, ThreadId(i)));
        }
    }
    return json;
}

Json machine_json(Answer const& prediction) {
    Json machine{{"name", prediction.recording().machine.name},
                 {"scheduler", prediction.recording().machine.scheduler},
                 {"lock_policy", prediction.recording().machine.lock_policy}};
    for (auto const& [name, value] : prediction.recording().machine.parameters)
        machine[name] = value;
    auto const& source = prediction.recording().machine.source;
    machine["file"] = source ? Json(source->file) : Json();
    machine["calibration"] =
        source && !source->host.empty() ? Json{{"host", source->host}, {"date", source->date}} : Json();
    machine["speeds"] = prediction.recording().machine.speeds;
    machine["notes"] = prediction.recording().machine.notes;
    return machine;
}

Json prediction_document(Answer const& prediction, std::string_view version, ThreadRows threads) {
    Json json = envelope("predict", version, input_json(prediction.file, prediction.recording().provenance));
    json["recorded"] =
        recorded_json(prediction.recording().provenance, prediction.recording().catalogue.threads.size());
    json["model"] = prediction.recording().model;
    json["abandoned"] = Json::array();
    for (auto const& run : prediction.recording().abandoned) {
        json["abandoned"].push_back(
            {{"cpus", run.cpus},
             {"deadlock", deadlock_json(*run.run.deadlock, prediction.recording().catalogue)}});
    }
    json["paired_conditions"] = Json::array();
    for (ObjectId const condition : prediction.recording().paired)
        json["paired_conditions"].push_back(object_json(prediction.recording().catalogue, condition));
    json["machine"] = machine_json(prediction);
    json["work_ns"] = prediction.recording().work.ns;
    json["span_ns"] = prediction.recording().span.length.ns;
    json["span_work_ns"] = prediction.recording().span.busy.ns;
    json["time_on_one_cpu_ns"] =
        prediction.recording().time_on_one ? Json(prediction.recording().time_on_one->ns) : Json();
    json["findings"] = findings_json(prediction.findings, prediction.recording().catalogue);
    json["predictions"] = Json::array();
    for (auto const& run : prediction.rows)
        json["predictions"].push_back(run_json(run, prediction, threads));
    auto const beyond = prediction.scaling.first_beyond;
    Verdict const meaning = verdict(prediction);
    json["scaling"] = {{"scales_to_cpus", prediction.scaling.scales_to},
                       {"first_cpus_beyond", beyond ? Json(*beyond) : Json()},
                       {"verdict", meaning.sentences},
                       {"next_command", meaning.next_command.empty() ? Json() : Json(meaning.next_command)}};
    json["assumptions"] = prediction.assumptions;
    return json;
}

std::string prediction_json(Answer const& prediction, std::string_view version, ThreadRows threads) {
    return to_text(prediction_document(prediction, version, threads));
}

}  // namespace parcast::report
