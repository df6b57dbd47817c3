#include "report/json/calibration_json.h"

#include <nlohmann/json.hpp>

#include "report/json/envelope.h"

namespace parcast::report {

namespace {

using Json = nlohmann::ordered_json;

Json value_json(CalibratedValue const& value) {
    return {{"name", value.key},      {"what", value.title},
            {"how", value.method},    {"unit", value.is_rate ? "relative to one CPU alone" : "ns"},
            {"median", value.median}, {"low", value.low},
            {"high", value.high},     {"samples", value.samples}};
}

Json text_or_null(std::optional<std::string> const& text) {
    return text ? Json(*text) : Json();
}

}  // namespace

std::string calibration_json(CalibrationReport const& report, std::string_view version) {
    Json json = envelope("calibrate", version,
                         {{"host", report.host},
                          {"processor", report.processor.empty() ? Json() : Json(report.processor)},
                          {"cpus", report.cpus},
                          {"date", report.date}});
    json["wall_time_ns"] = report.wall.ns;
    json["rounds"] = report.rounds;
    json["disturbed_rounds"] = report.disturbed_rounds;
    json["notes"] = report.notes;
    json["range"] = "quartiles";
    json["values"] = Json::array();
    for (auto const& value : report.values)
        json["values"].push_back(value_json(value));
    json["machine"] = Json::object();
    for (auto const& cost : report.costs)
        json["machine"][cost.key] = cost.ns;
    json["machine"]["compute"] = report.compute_rates;
    json["machine"]["memory"] = report.memory_rates;
    json["file"] = text_or_null(report.file);
    json["former_file"] = text_or_null(report.former_file);
    return to_text(json);
}

}  // namespace parcast::report
