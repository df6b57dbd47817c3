#include "report/json/calibration_json.h"

#include "report/json/envelope.h"
#include "report/json/json_parts.h"

namespace parcast::report {

namespace {

Json value_json(CalibratedValue const& value) {
    return {{"name", value.key},      {"what", value.title},
            {"how", value.method},    {"unit", value.is_rate ? "relative to one CPU alone" : "ns"},
            {"median", value.median}, {"low", value.low},
            {"high", value.high},     {"samples", value.samples}};
}

}  // namespace

std::string calibration_json(CalibrationReport const& report, std::string_view version) {
    Json json = envelope("calibrate", version,
                         {{"host", report.host},
                          {"processor", or_null(report.processor)},
                          {"cpus", report.cpus},
                          {"date", report.date}});
    json["wall_time_ns"] = report.wall.ns;
    json["rounds"] = report.rounds;
    json["disturbed_rounds"] = report.disturbed_rounds;
    json["notes"] = report.notes;
    json["range"] = "quartiles";
    json["values"] = array_json(report.values, value_json);
    json["machine"] = Json::object();
    for (auto const& cost : report.costs)
        json["machine"][cost.key] = cost.ns;
    json["machine"]["compute"] = report.compute_rates;
    json["machine"]["memory"] = report.memory_rates;
    json["file"] = or_null(report.file);
    json["former_file"] = or_null(report.former_file);
    return to_text(json);
}

}  // namespace parcast::report
