#include "report/record.h"

#include <nlohmann/json.hpp>

#include "report/json/envelope.h"
#include "report/json/json_parts.h"

namespace parcast::report {

namespace {

Json recording_json(RecordedImage const& image) {
    Timeline const& timeline = image.timeline;
    auto const threads = timeline.catalogue.threads.size();
    return {{"file", or_null(image.file)},
            {"bytes", image.file ? Json(image.bytes) : Json()},
            {"problem", or_null(image.problem)},
            {"program", image.program},
            {"process", image.process},
            {"main", image.is_main},
            {"running", image.is_running},
            {"events", image.events},
            {"recording_cost", image.recording_share},
            {"recorded", threads > 0 ? recorded_json(timeline.provenance, threads) : Json()},
            {"findings", findings_json(image.findings, timeline.catalogue)}};
}

}  // namespace

std::string record_json(RecordAnswer const& answer, std::string_view version) {
    Json json = envelope("record", version, {{"command", answer.command}, {"cpu", answer.cpu}});
    json["exit_status"] = or_null(answer.exit_status);
    json["death_signal"] = or_null(answer.death_signal);
    json["unseen_processes"] = answer.unseen;
    json["event_price"] = event_price_json(answer.event_price);
    json["others_share"] = or_null(answer.others_share);
    json["repeated_recordings"] = answer.recordings;
    json["recordings"] = array_json(answer.images, recording_json);
    return to_text(json);
}

}  // namespace parcast::report
