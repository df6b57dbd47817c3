#include "report/record.h"

#include <nlohmann/json.hpp>

#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "timeline/recording_cost.h"

namespace parcast::report {

namespace {

Json recording_json(RecordedImage const& image) {
    Timeline const& timeline = image.timeline;
    bool const is_known = !timeline.events.empty();
    return {{"file", or_null(image.file)},
            {"bytes", image.file ? Json(image.bytes) : Json()},
            {"problem", or_null(image.problem)},
            {"program", image.program},
            {"process", image.process},
            {"main", image.is_main},
            {"running", image.is_running},
            {"events", event_count(timeline)},
            {"recording_cost", recording_share(timeline)},
            {"recorded", is_known ? recorded_json(timeline.provenance, timeline.events.size()) : Json()},
            {"findings", findings_json(image.findings, timeline.catalogue)}};
}

}  // namespace

std::string record_json(RecordAnswer const& answer, std::string_view version) {
    Json json = envelope("record", version, {{"command", answer.command}, {"cpu", answer.cpu}});
    json["exit_status"] = or_null(answer.exit_status);
    json["death_signal"] = or_null(answer.death_signal);
    json["unseen_processes"] = answer.unseen;
    json["recordings"] = array_json(answer.images, recording_json);
    return to_text(json);
}

}  // namespace parcast::report
