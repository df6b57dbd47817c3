#include "report/advice.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"

namespace parcast::report {

namespace {

Json tried_json(AdviceOnCpus const& at, TriedChange const& tried) {
    Json json{
        {"factor", tried.factor}, {"time_ns", or_null(tried.time_ns)}, {"promised_ns", tried.promised_ns}};
    json["gain"] = tried.time_ns && at.time_ns ? Json(1 - *tried.time_ns / *at.time_ns) : Json();
    return json;
}

Json advice_row_json(Advice const& advice, AdviceOnCpus const& at, AdviceRow const& row) {
    auto const& work = advice.work[row.work];
    auto const& catalogue = advice.answer.recording().catalogue;
    return {
        {"kind", owner_kinds[static_cast<std::size_t>(work.kind)]},
        {"name", work.name},
        {"place", work.site.is_none() ? Json() : Json(display_name(catalogue, work.site))},
        {"calls", work.calls},
        {"self_ns", work.self_ns},
        {"total_ns", nullptr},
        {"weight", row.weight},
        {"gain_ns", row.decided_ns / 100},
        {"share", at.completion_ns > 0 ? row.decided_ns / at.completion_ns : 0},
        {"what_if", array_json(row.tried, [&](TriedChange const& tried) { return tried_json(at, tried); })}};
}

Json count_json(Advice const& advice, AdviceOnCpus const& at) {
    Json json{{"cpus", at.cpus}, {"time_ns", or_null(at.time_ns)}, {"completion_ns", at.completion_ns}};
    json["first"] = at.first ? Json(*at.first) : Json();
    json["rows"] =
        array_json(at.rows, [&](AdviceRow const& row) { return advice_row_json(advice, at, row); });
    return json;
}

}  // namespace

std::string advice_json(Advice const& advice, std::string_view version) {
    Json json = envelope("advise", version, input_json(advice.answer));
    auto const& recording = advice.answer.recording();
    json["model"] = recording.model;
    json["scheduler"] = recording.machine.scheduler;
    json["findings"] = findings_json(advice.answer.findings, recording.catalogue);
    json["assumptions"] = advice.answer.assumptions;
    json["sentences"] = advice_sentences(advice);
    json["counts"] =
        array_json(advice.counts, [&](AdviceOnCpus const& at) { return count_json(advice, at); });
    return to_text(json);
}

}  // namespace parcast::report
