#include "report/scale.h"

#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "report/prediction.h"
#include "report/sentences/sentences.h"

namespace parcast::report {

namespace {

Json series_json(MeasuredSeries const& series) {
    std::vector<double> walls;
    Json runs = Json::array();
    for (MeasuredRun const& run : series.runs) {
        walls.push_back(to_real(run.times.wall).ns);
        runs.push_back({{"time_ns", run.times.wall.ns},
                        {"user_ns", run.times.user.ns},
                        {"system_ns", run.times.system.ns},
                        {"voluntary_switches", run.waits},
                        {"involuntary_switches", run.preemptions},
                        {"page_faults", run.page_faults},
                        {"disturbance", run.disturbance}});
    }
    return {{"cpus", series.cpus},
            {"time_ns", spread_json(spread_of(walls))},
            {"discarded", series.discarded},
            {"disturbed", series.disturbed},
            {"runs", std::move(runs)}};
}

Json comparison_json(std::optional<Comparison> const& comparison, std::optional<Range> const& range) {
    if (!comparison)
        return nullptr;
    double const median = comparison->measured.median;
    return {{"predicted", comparison->predicted},
            {"range", range_json(range)},
            {"median_in_range", range ? Json(median >= range->low && median <= range->high) : Json()},
            {"measured", spread_json(comparison->measured)},
            {"best", comparison->best},
            {"error", comparison->error},
            {"median_error", comparison->median_error},
            {"within_range", comparison->is_within_range},
            {"user_growth", comparison->user_growth},
            {"predicted_user_growth", comparison->predicted_user_growth},
            {"causes", array_json(comparison->causes, [](Deviation const& cause) -> Json {
                 return {{"part", name_of(cause.part)}, {"share", cause.share}};
             })}};
}

Json turns_json(std::optional<Turns> const& turns) {
    if (!turns)
        return nullptr;
    bool const is_measured = turns->price_ns.has_value();
    return {{"answer", name_of(turns->answer)},
            {"pairs", turns->pairs},
            {"slice_ns", turns->slice.ns},
            {"share", is_measured ? spread_json(*turns->share) : Json()},
            {"price_ns", is_measured ? spread_json(*turns->price_ns) : Json()},
            {"problem", turns->problem}};
}

Json count_json(ScaledCount const& count) {
    Answer const& prediction = count.prediction;
    Json json{{"cpus", count.cpus}, {"command", count.command}, {"file", or_null(count.file)}};
    json["recorded"] =
        recorded_json(*prediction.recording().provenance, prediction.recording().catalogue.threads.size());
    json["events"] = count.events;
    json["recording_share"] = count.recording_share;
    json["recorded_cpu_ns"] = array_json(count.recorded_cpu, [](Duration cpu) { return cpu.ns; });
    json["recording_cost"] = or_null(count.recording_cost);
    json["model"] = prediction.recording().model;
    json["machine"] = machine_json(prediction.recording().machine);
    json["findings"] = findings_json(prediction.findings, prediction.recording().catalogue);
    json["event_price"] = event_price_json(count.event_price);
    json["turns"] = turns_json(count.turns);
    json["predictions"] = predictions_json(prediction, ThreadRows::absent);
    json["speed_up"] = or_null(count.speed_up);
    json["cpu_growth"] = or_null(count.cpu_growth);
    json["cpu_growth_there"] = or_null(count.cpu_growth_there);
    json["speed_up_there"] = or_null(count.speed_up_there);
    json["compared_cpus"] = count.measured.empty() ? Json() : Json(count.compared_cpus);
    json["measured"] = array_json(count.measured, series_json);
    json["same_threads"] = comparison_json(count.same_threads, compared_range(count));
    json["over_one"] = comparison_json(count.over_one, std::nullopt);
    json["explanation"] = explanation(count);
    return json;
}

}  // namespace

std::string scale_json(ScaleAnswer const& report, std::string_view version) {
    Json json =
        envelope("scale", version, {{"command", report.command}, {"placeholder", report.has_placeholder}}, 2);
    json["runs"] = report.runs;
    json["machine_cpus"] = report.machine_cpus;
    json["cpu_times_of"] = or_null(report.cpu_times_file);
    json["counts"] = array_json(report.counts, count_json);
    return to_text(json);
}

std::string cpu_times_json(CpuTimes const& times, unsigned runs, std::string_view version) {
    auto json = envelope("cpu-times", version, {{"command", times.command}});
    json["runs"] = runs;
    json["counts"] = array_json(times.counts, [&](CpuTimeAt const& count) -> Json {
        return {{"cpus", count.cpus},
                {"cpu_ns", spread_json(count.cpu_ns)},
                {"turn_share", count.turn_share},
                {"growth", *cpu_growth(times, count.cpus)}};
    });
    return to_text(json);
}

}  // namespace parcast::report
