#include "report/calibration.h"

#include "report/json/envelope.h"
#include "report/json/json_parts.h"

namespace parcast::report {

namespace {

Json value_json(CalibratedValue const& row) {
    auto const& [median, low, high, samples] = row.value;
    return {{"name", row.key},   {"what", row.title},
            {"how", row.method}, {"unit", row.is_rate ? "relative to one CPU alone" : "ns"},
            {"median", median},  {"low", low},
            {"high", high},      {"samples", samples}};
}

}  // namespace

std::string calibration_json(CalibrationAnswer const& answer, std::string_view version) {
    auto const& machine = answer.machine;
    auto const& calibration = *machine.calibration;
    Json json = envelope("calibrate", version,
                         {{"host", calibration.host},
                          {"processor", or_null(calibration.processor)},
                          {"cpus", answer.cpus},
                          {"date", calibration.date}});
    json["wall_time_ns"] = answer.wall.ns;
    json["rounds"] = answer.rounds;
    json["disturbed_rounds"] = answer.disturbed_rounds;
    json["notes"] = calibration.notes;
    json["range"] = "quartiles";
    json["values"] = array_json(answer.values, value_json);
    json["machine"] = Json::object();
    for (auto const& cost : Costs::fields())
        json["machine"][cost.key] = cost.value(machine.costs);
    json["machine"]["compute"] = machine.rates.compute;
    json["machine"]["memory"] = machine.rates.memory;
    json["file"] = or_null(answer.file);
    json["former_file"] = or_null(answer.former_file);
    return to_text(json);
}

}  // namespace parcast::report
