#include "report/info.h"

#include <cmath>

#include "report/json/envelope.h"
#include "report/json/json_parts.h"

namespace parcast::report {

namespace {

Json thread_json(Timeline const& recorded, ThreadProfile const& row) {
    Thread const& thread = recorded.catalogue.threads[row.thread.index()];
    return {{"id", row.thread.value},
            {"name", or_null(thread.name)},
            {"function", or_null(thread.function)},
            {"parent", thread.parent.is_none() ? Json() : Json(thread.parent.value)},
            {"started", place_json(recorded.catalogue, thread.start_site)},
            {"created_at", place_json(recorded.catalogue, thread.created_at)},
            {"lifetime_ns", row.lifetime.ns},
            {"cpu_time_ns", row.cpu.ns},
            {"blocked_ns", row.blocked.ns},
            {"input_output_ns", row.input_output.ns},
            {"sleeping_ns", row.sleeping.ns},
            {"events", row.events},
            {"alive_at_exit", row.alive_at_exit}};
}

Json object_profile_json(Timeline const& recorded, ObjectProfile const& row) {
    Json json = object_json(recorded.catalogue, row.object);
    json["operations"] = row.operations;
    json["contended"] = row.contended;
    json["waiting_ns"] = row.waiting.ns;
    json["held_total_ns"] = row.held_total.ns;
    json["held_longest_ns"] = row.held_longest.ns;
    return json;
}

Json function_profile_json(Timeline const& recorded, FunctionProfile const& row) {
    return {{"name", row.name},
            {"place", place_json(recorded.catalogue, row.site)},
            {"calls", or_null(row.calls)},
            {"self_ns", std::llround(row.self_ns)},
            {"total_ns", std::llround(row.total_ns)},
            {"self_error_ns", or_null(row.self_error_ns)}};
}

}  // namespace

std::string info_json(std::string const& file, std::string_view version, Timeline const& recorded,
                      Profile const& profile, std::span<Finding const> findings) {
    Json json = envelope("info", version, input_json(file, recorded.provenance));
    json["recorded"] = recorded_json(recorded.provenance, recorded.catalogue.threads.size());
    json["recorded"]["events"] = event_count(profile);
    json["findings"] = findings_json(findings, recorded.catalogue);
    json["threads"] = array_json(profile.threads, [&](auto& row) { return thread_json(recorded, row); });
    json["objects"] =
        array_json(profile.objects, [&](auto& row) { return object_profile_json(recorded, row); });
    json["functions"] =
        array_json(profile.functions, [&](auto& row) { return function_profile_json(recorded, row); });
    return to_text(json);
}

}  // namespace parcast::report
