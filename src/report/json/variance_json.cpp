#include "report/variance.h"

#include "report/json/envelope.h"
#include "report/json/json_parts.h"

namespace parcast::report {

namespace {

Json mean_and_cv_json(MeanAndCv const& value) {
    return {{"mean", value.mean}, {"cv", value.cv}};
}

Json parameters_json(VarianceInput const& input) {
    return {{"cpu_time", input.cpu},
            {"processing", mean_and_cv_json(input.processing)},
            {"delay", mean_and_cv_json(input.delay)}};
}

Json methods_json(std::vector<VarianceMethod> const& methods) {
    return array_json(methods, [](VarianceMethod const& method) -> Json {
        return {{"method", method.key},
                {"delays", method.delays},
                {"time", mean_and_cv_json(method.time)},
                {"low", method.low},
                {"high", method.high}};
    });
}

Json variance_thread_json(VarianceThread const& thread) {
    return {{"id", thread.id},
            {"name", or_null(thread.name)},
            {"intervals", thread.intervals},
            {"delays", thread.delays},
            {"parameters", parameters_json(thread.input)},
            {"cpu_time_cv", thread.cpu_cv},
            {"predictions", methods_json(thread.methods)},
            {"standard_error", or_null(thread.standard_error)},
            {"measured", mean_and_cv_json(thread.measured)}};
}

Json runs_json(VarianceOfRuns const& runs) {
    return {{"recordings", runs.runs},
            {"cpu_time", mean_and_cv_json(runs.cpu)},
            {"delays", mean_and_cv_json(runs.delays)},
            {"time", mean_and_cv_json(runs.measured)},
            {"predicted_cv", runs.predicted_cv}};
}

}  // namespace

std::string variance_json(VarianceAnswer const& report, std::string_view version) {
    Json json = envelope("variance", version, {{"files", report.files}});
    json["unit"] = report.given ? Json() : Json("ns");
    json["confidence_percent"] = report.confidence;
    json["notes"] = report.notes;
    json["parameters"] = report.given ? parameters_json(*report.given) : Json();
    json["predictions"] = methods_json(report.methods);
    json["threads"] = array_json(report.threads, variance_thread_json);
    json["runs"] = report.runs ? runs_json(*report.runs) : Json();
    return to_text(json);
}

}  // namespace parcast::report
