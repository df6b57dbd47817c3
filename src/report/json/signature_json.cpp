#include "report/signature.h"

#include <algorithm>

#include "answer/signature_numbers.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"

namespace parcast::report {

namespace {

std::string_view name_of(ThetaSource source) {
    return source == ThetaSource::series ? "series" : "machine";
}

Json over_threads_json(OverThreads const& value) {
    return {{"mean", value.mean}, {"ci95", or_null(value.ci95)}, {"min", value.least}, {"max", value.most}};
}

Json interval_json(std::optional<ConfidenceInterval> const& interval) {
    return interval ? Json{{"low", interval->low}, {"high", interval->high}} : Json();
}

Json signature_thread_json(ThreadSignature const& row) {
    return {{"id", row.thread.value},
            {"name", row.name},
            {"counted", row.is_counted},
            {"in_means", row.is_counted && row.is_in_means},
            {"events", row.events},
            {"writes", row.writes},
            {"reads", row.reads},
            {"data_bytes", row.data_bytes},
            {"active_ns", row.active_ns},
            {"communicating_ns", row.communicating_ns},
            {"algorithmic_blocking_ns", row.algorithmic_ns},
            {"other_blocking_ns", row.other_blocking_ns},
            {"outside_ns", row.outside_ns},
            {"writing_ns", row.writing_ns},
            {"reading_ns", row.reading_ns},
            {"alpha_ns", row.alpha_ns()},
            {"beta_ns", row.beta_ns()}};
}

Json signature_step_json(SignatureStep const& step) {
    return {{"begin_ns", step.begin_ns},
            {"active", step.active},
            {"communicating", step.communicating},
            {"blocked", step.blocked}};
}

Json laws_at_json(RecordingSignature const& recording) {
    return {{"theorem", or_null(recording.theorem)},
            {"amdahl", or_null(recording.amdahl)},
            {"gustafson", or_null(recording.gustafson)},
            {"universal", or_null(recording.universal)},
            {"measured", recording.measured ? Json{{"median", recording.measured->median},
                                                   {"min", recording.measured->least},
                                                   {"max", recording.measured->most}}
                                            : Json()}};
}

Json signed_recording_json(RecordingSignature const& recording, SignatureRows rows) {
    auto const& means = recording.means;
    Json json{
        {"file", recording.file}, {"threads", recording.threads}, {"all_threads", recording.rows.size()}};
    json["cpus"] = recording.cpus;
    json["model"] = recording.model;
    json["events"] = recording.events;
    json["calls"] = recording.calls;
    json["kappa"] = over_threads_json(means.events);
    json["active_ns"] = over_threads_json(means.active_ns);
    json["alpha_ns"] = over_threads_json(means.alpha_ns);
    json["beta_ns"] = over_threads_json(means.beta_ns);
    json["communicating_ns"] = over_threads_json(means.communicating_ns);
    json["write_ns"] = over_threads_json(means.write_ns);
    json["read_ns"] = over_threads_json(means.read_ns);
    json["algorithmic_blocking_ns"] = over_threads_json(means.algorithmic_ns);
    json["other_blocking_ns"] = over_threads_json(means.other_blocking_ns);
    json["data_bytes"] = over_threads_json(means.data_bytes);
    json["event_bytes"] = over_threads_json(means.event_bytes);
    json["active_share"] = over_threads_json(means.active_share);
    json["gamma"] = or_null(recording.gamma);
    json["eta"] = recording.eta;
    json["approximate_eta"] = or_null(recording.approximate_eta);
    json["formula_time_ns"] = recording.formula_time_ns;
    json["speed_up_bound"] = or_null(recording.speed_up_bound);
    json["nu"] = recording.nu;
    json["nu_active"] = recording.nu_active;
    json["nu_communicating"] = recording.nu - recording.nu_active;
    json["a"] = or_null(recording.a);
    json["b"] = or_null(recording.b);
    json["imbalance"] = recording.imbalance;
    json["work_ns"] = recording.work_ns;
    json["total_active_ns"] = recording.active_ns;
    json["total_data_bytes"] = recording.data_bytes;
    json["time_ns"] = recording.time_ns;
    json["speed_up"] = or_null(recording.speed_up);
    json["fitted_events"] = recording.fitted_events;
    json["event_cost_ns"] = recording.event_cost_ns;
    json["algorithmic_work_ns"] = recording.algorithmic_work_ns;
    json["event_interval_ns"] = recording.event_interval_ns;
    json["laws"] = laws_at_json(recording);
    json["waits"] = array_json(recording.waits, [](SignatureWait const& wait) -> Json {
        return {{"object", wait.object}, {"waiting_ns", wait.waiting_ns}, {"lock", wait.is_lock}};
    });
    json["profile"] = array_json(recording.profile, signature_step_json);
    json["findings"] = findings_json(recording.findings, recording.catalogue);
    json["thread_rows"] =
        rows == SignatureRows::with_threads ? array_json(recording.rows, signature_thread_json) : Json();
    return json;
}

Json candidate_json(SignatureCandidate const& each) {
    return {{"class", each.name},
            {"formula", each.formula},
            {"coefficients", each.coefficients},
            {"exponent", or_null(each.exponent)},
            {"exponent_ci95", interval_json(each.exponent_95)},
            {"aicc", each.criterion},
            {"relative_error", each.relative_error},
            {"residuals", each.residuals},
            {"chosen", each.is_chosen},
            {"as_good", each.is_as_good}};
}

Json characteristic_json(std::optional<SignatureCharacteristic> const& g) {
    if (!g)
        return nullptr;
    return {{"class", g->word},
            {"sentence", g->sentence},
            {"formula", g->formula},
            {"growth", g->growth},
            {"exponent", or_null(g->exponent)},
            {"exponent_ci95", interval_json(g->exponent_95)},
            {"few_counts", g->few_counts},
            {"candidates", array_json(g->candidates, candidate_json)}};
}

Json outlook_json(std::optional<SignatureOutlook> const& outlook) {
    if (!outlook)
        return nullptr;
    return {{"p_smax", or_null(outlook->p_smax)},
            {"s_max", or_null(outlook->s_max)},
            {"best_p", or_null(outlook->best_p)},
            {"inflection", or_null(outlook->inflection)},
            {"limit", or_null(outlook->limit)},
            {"flat", outlook->flat ? Json{{"from", outlook->flat->from}, {"to", or_null(outlook->flat->to)}}
                                   : Json()},
            {"sentence", outlook->sentence},
            {"refused", or_null(outlook->refusal)}};
}

Json cause_json(SignatureCause const& cause) {
    auto const& place = cause.place;
    return {{"text", place_text(place)},
            {"object", or_null(place.object)},
            {"call", place.call},
            {"function", or_null(place.function)},
            {"file", or_null(place.file)},
            {"line", place.line > 0 ? Json(place.line) : Json()},
            {"events", cause.events},
            {"growth_share", cause.growth_share},
            {"growth", or_null(cause.growth)},
            {"exponent", or_null(cause.exponent)},
            {"formula", or_null(cause.formula)}};
}

Json ranges_json(std::vector<SignatureRange> const& ranges) {
    return array_json(ranges, [](SignatureRange const& range) -> Json {
        return {{"from", range.from}, {"to", or_null(range.to)}};
    });
}

Json laws_json(std::optional<OtherLaws> const& laws) {
    if (!laws)
        return nullptr;
    return {{"amdahl", {{"serial", laws->amdahl_serial}}},
            {"gustafson", {{"serial", laws->gustafson_serial}}},
            {"universal", laws->contention ? Json{{"contention", *laws->contention},
                                                  {"coherency", or_null(laws->coherency)},
                                                  {"peak", or_null(laws->peak)},
                                                  {"limit", or_null(laws->limit)}}
                                           : Json()}};
}

Json busiest_json(std::optional<BusiestCharacteristic> const& busiest) {
    if (!busiest)
        return nullptr;
    return {{"name", busiest->name},
            {"most_over_mean", busiest->most_over_mean},
            {"threads_differ", busiest->threads_differ},
            {"characteristic", characteristic_json(busiest->g)}};
}

Json comparison_json(std::optional<SignatureComparison> const& comparison) {
    if (!comparison)
        return nullptr;
    return {{"folder", comparison->folder},
            {"program", comparison->program},
            {"counted_up_to", comparison->counted_up_to},
            {"looked_up_to", comparison->looked_up_to},
            {"class", comparison->word},
            {"formula", comparison->formula},
            {"fewer", ranges_json(comparison->fewer)},
            {"more", ranges_json(comparison->more)}};
}

}  // namespace

Json series_input_json(SignatureAnswer const& answer) {
    Json files = Json::array();
    for (auto const& recording : answer.recordings)
        files.push_back(recording.file);
    return {{"form", "series"},
            {"files", std::move(files)},
            {"command", answer.command},
            {"same_event_ns", answer.same_event_ns}};
}

std::string signature_json(SignatureAnswer const& answer, std::string_view version, SignatureRows rows) {
    auto json = envelope("signature", version, series_input_json(answer));
    json["verdict"] = answer.verdict;
    json["recordings"] = array_json(answer.recordings, [&](RecordingSignature const& recording) {
        return signed_recording_json(recording, rows);
    });
    json["characteristic"] = characteristic_json(answer.g);
    json["theta_ns"] = answer.theta ? Json(answer.theta->ns) : Json();
    json["theta_source"] = answer.theta ? Json(name_of(answer.theta->source)) : Json();
    json["series_theta_ns"] = or_null(answer.series_theta_ns);
    json["series_theta_ci95_ns"] = interval_json(answer.series_theta_95);
    json["machine_theta_ns"] = or_null(answer.machine_theta_ns);
    json["conserved_work_ns"] = answer.conserved_ns;
    json["work_noise_ns"] = or_null(answer.work_noise_ns);
    json["work_of_one"] = answer.work_of_one
                              ? Json{{"ns", answer.work_of_one->ns}, {"meaning", answer.work_of_one->meaning}}
                              : Json();
    json["added_work_variation"] = or_null(answer.work_variation);
    json["alpha"] = or_null(answer.alpha);
    json["work_exponent"] = answer.work_exponent;
    json["scaled_series"] = answer.is_growth_unclear ? Json() : Json(answer.is_scaled);
    json["optimum"] = outlook_json(answer.outlook);
    json["scaled"] = outlook_json(answer.scaled);
    json["other_laws"] = laws_json(answer.other_laws);
    json["initial_thread"] = answer.initial
                                 ? Json{{"name", answer.initial->name},
                                        {"events", answer.initial->events},
                                        {"active_ns", answer.initial->active_ns},
                                        {"events_of_others", answer.initial->events_of_others},
                                        {"active_of_others_ns", answer.initial->active_of_others_ns}}
                                 : Json();
    json["number_of_threads"] = answer.is_number_of_threads;
    json["busiest_thread"] = busiest_json(answer.busiest);
    json["causes"] = array_json(answer.causes, cause_json);
    json["cause_objects"] = array_json(answer.objects, [](SignatureObject const& object) -> Json {
        return {{"object", object.object},
                {"places", object.places},
                {"growth_share", object.growth_share},
                {"growth", or_null(object.growth)},
                {"exponent", or_null(object.exponent)}};
    });
    json["comparison"] = comparison_json(answer.comparison);
    json["notes"] = answer.notes;
    json["next"] = answer.next;
    return to_text(json);
}

}  // namespace parcast::report
