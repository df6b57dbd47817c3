#include <cstdio>

#include <nlohmann/json.hpp>

#include "cli/verbs/record_report.h"
#include "cli/version.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "timeline/recording_cost.h"

namespace parcast::cli {

namespace {

using record::RecordedImage;
using report::Json;

template <class Value>
Json value_or_null(std::optional<Value> const& value) {
    return value ? Json(*value) : Json();
}

Json recording_json(RecordedImage const& image) {
    Timeline const& timeline = image.timeline;
    bool const is_known = !timeline.events.empty();
    return {
        {"file", value_or_null(image.file)},
        {"bytes", image.file ? Json(image.bytes) : Json()},
        {"problem", image.problem.empty() ? Json() : Json(image.problem)},
        {"program", image.program},
        {"process", image.process},
        {"main", image.is_main},
        {"running", image.is_running},
        {"events", event_count(timeline)},
        {"recording_cost", recording_share(timeline)},
        {"recorded", is_known ? report::recorded_json(timeline.provenance, timeline.events.size()) : Json()},
        {"findings", report::findings_json(image.findings, timeline.catalogue)}};
}

}  // namespace

void print_report_as_json(RecordReport const& report) {
    Json json = report::envelope("record", version, {{"command", report.command}, {"cpu", report.cpu}});
    json["exit_status"] = value_or_null(report.end.exit_status);
    json["death_signal"] = value_or_null(report.end.death_signal);
    json["unseen_processes"] = report.unseen;
    json["recordings"] = Json::array();
    for (RecordedImage const& image : report.images)
        json["recordings"].push_back(recording_json(image));
    std::string const text = report::to_text(json);
    // Nothing can be said about a message that cannot be said.
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace parcast::cli
