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

Json machine_json(Machine const& machine) {
    auto json = Json::object();
    for (auto const& cost : Costs::fields())
        json[cost.key] = cost.value(machine.costs);
    json["compute"] = machine.rates.compute;
    json["memory"] = machine.rates.memory;
    json["network_node"] = nullptr;
    if (machine.network && machine.network->node)
        for (auto const& field : network_fields)
            json["network_node"][field.key] = (*machine.network->node).*field.value;
    return json;
}

Json block_times_json(BlockTimes const& times) {
    auto json = Json::object();
    for (std::size_t each = 0; each < times.size(); ++each)
        json[block_operations[each].key] = times[each];
    return json;
}

Json block_costs_json(BlockCosts const& costs) {
    return {{"edge", costs.edge},
            {"warm_ns", block_times_json(costs.ns)},
            {"cold_ns", block_times_json(costs.cold_ns)},
            {"copy_ns_per_byte", or_null(costs.copy_ns_per_byte)},
            {"visit_ns", or_null(costs.visit_ns)}};
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
    json["machine"] = answer.block_costs ? Json() : machine_json(machine);
    json["block_costs"] = answer.block_costs ? block_costs_json(*answer.block_costs) : Json();
    json["file"] = or_null(answer.file);
    json["former_file"] = or_null(answer.former_file);
    return to_text(json);
}

}  // namespace parcast::report
