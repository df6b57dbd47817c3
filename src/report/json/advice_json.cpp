#include <algorithm>

#include "answer/advice_sentences.h"
#include "answer/message_advice.h"
#include "report/advice.h"
#include "report/codes/codes.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"

namespace parcast::report {

namespace {

constexpr std::size_t segments_at_once = 1'000;

char const* word(PartsBy parts) {
    switch (parts) {
        case PartsBy::nothing: break;
        case PartsBy::path: return "path";
        case PartsBy::scheduler: return "scheduler";
    }
    return "nothing";
}

Json tried_json(AdviceOnCpus const& at, TriedChange const& tried) {
    Json json{
        {"factor", tried.factor}, {"time_ns", or_null(tried.time_ns)}, {"promised_ns", tried.promised_ns}};
    json["gain"] = tried.time_ns && at.time_ns ? Json(1 - *tried.time_ns / *at.time_ns) : Json();
    json["gain_range"] = range_json(tried.gain_range);
    json["parts_by"] = word(tried.parts_by);
    return json;
}

std::string place_of(Answer const& basis, SiteId site) {
    return site.is_none() ? "" : display_name(basis.recording().catalogue, site);
}

// What is tried of a program of messages, with the change that --what-if takes.
Json message_row_json(Advice const& advice, AdviceOnCpus const& at, AdviceRow const& row) {
    auto const& work = advice.work[row.work];
    bool const is_network = work.kind == OwnerKind::network;
    bool const is_of_work = work.kind == OwnerKind::rank || work.kind == OwnerKind::function;
    Json json{{"kind", owner_kinds[static_cast<std::size_t>(work.kind)]}, {"name", work.name}};
    json["calls"] = work.calls;
    json["self_ns"] = is_of_work ? Json(work.self_ns) : Json();
    json["bytes"] = work.kind == OwnerKind::tag ? Json(work.bytes) : Json();
    json["value"] = is_network ? Json(work.value) : Json();
    json["share"] = decided_share(at, row);
    json["erratic"] = is_erratic(at, row);
    json["what_if"] = array_json(row.tried, [&](TriedChange const& tried) {
        auto each = tried_json(at, tried);
        each["change"] = change_text(work, tried.factor);
        return each;
    });
    return json;
}

Json advice_row_json(Answer const& basis, Advice const& advice, AdviceOnCpus const& at,
                     AdviceRow const& row) {
    auto const& work = advice.work[row.work];
    if (basis.has_messages())
        return message_row_json(advice, at, row);
    return {
        {"kind", owner_kinds[static_cast<std::size_t>(work.kind)]},
        {"name", work.name},
        {"place", or_null(place_of(basis, work.site))},
        {"calls", work.calls},
        {"self_ns", work.self_ns},
        {"total_ns", or_null(work.total_ns)},
        {"weight", row.weight},
        {"gain_ns", row.decided_ns / 100},
        {"share", at.completion_ns > 0 ? row.decided_ns / at.completion_ns : 0},
        {"what_if", array_json(row.tried, [&](TriedChange const& tried) { return tried_json(at, tried); })}};
}

Json overtaken_json(Advice const& advice, Overtaken const& overtaken) {
    return {{"factor", overtaken.factor},
            {"by", overtaken.by ? Json(advice.work[*overtaken.by].name) : Json()},
            {"by_kind", overtaken.by
                            ? Json(owner_kinds[static_cast<std::size_t>(advice.work[*overtaken.by].kind)])
                            : Json()}};
}

Json count_json(Answer const& basis, Advice const& advice, AdviceOnCpus const& at) {
    Json json{{"cpus", at.cpus}, {"time_ns", or_null(at.time_ns)}, {"completion_ns", at.completion_ns}};
    json["time_range_ns"] = time_range_json(at.time_range_ns);
    json["delay_share"] = delay_share(at, advice.work);
    json["first"] = at.first ? Json(*at.first) : Json();
    json["overtaken"] = at.overtaken ? overtaken_json(advice, *at.overtaken) : Json();
    json["rows"] =
        array_json(at.rows, [&](AdviceRow const& row) { return advice_row_json(basis, advice, at, row); });
    return json;
}

Json segment_json(Answer const& basis, Advice const& advice, std::size_t number) {
    auto const& segment = advice.segments[number];
    return {{basis.is_replayed() ? "thread" : "task", segment.who},
            {"place", or_null(place_of(basis, segment.site))},
            {"begin_ns", segment.begin_ns},
            {"end_ns", segment.end_ns},
            {"weight_times_cpus", array_json(advice.counts, [&](AdviceOnCpus const& at) {
                 return Json(at.weight_times_cpus[number]);
             })}};
}

Json path_json(std::optional<MessagePath> const& path) {
    if (!path)
        return nullptr;
    return {{"computing_ns", path->computing_ns},
            {"communicating_ns", path->communicating_ns},
            {"in_flight_ns", path->in_flight_ns},
            {"gap_ns", path->gap_ns}};
}

Json head_json(Answer const& basis, Advice const& advice, std::string_view version) {
    Json json = envelope("advise", version, input_json(basis));
    bool const is_replayed = basis.is_replayed();
    json["model"] = is_replayed ? Json(basis.recording().model) : Json();
    if (basis.has_messages()) {
        json["scheduler"] = nullptr;
        json["network"] = network_json(basis.messages());
        json["critical_path"] = path_json(advice.message_path);
        json["collectives"] = compared_json(basis.messages().compared);
    } else {
        json["scheduler"] =
            is_replayed ? basis.recording().machine.scheduler : basis.graph().schedules.front().name;
    }
    json["findings"] =
        is_replayed ? findings_json(basis.findings, basis.recording().catalogue) : Json::array();
    json["assumptions"] = basis.assumptions;
    json["assumption_codes"] = codes_of_assumptions(basis.assumptions);
    json["sentences"] = advice_sentences(basis, advice);
    json["counts"] =
        array_json(advice.counts, [&](AdviceOnCpus const& at) { return count_json(basis, advice, at); });
    if (basis.form() == Form::steps)
        for (std::size_t count = 0; count < advice.counts.size(); ++count)
            json["counts"][count]["method"] = name_of(basis.rows[count].messages->method);
    return json;
}

}  // namespace

void print_advice_json(Answer const& basis, Advice const& advice, std::string_view version,
                       std::function<bool(std::string const&)> const& print) {
    auto text = to_text(head_json(basis, advice, version));
    text.erase(text.find_last_of('}') - 1);
    text += ",\n  \"segments\": [";
    for (std::size_t first = 0; first < advice.segments.size(); first += segments_at_once) {
        auto const end = std::min(first + segments_at_once, advice.segments.size());
        for (std::size_t number = first; number < end; ++number) {
            text += number == 0 ? "\n    " : ",\n    ";
            text += to_line(segment_json(basis, advice, number));
        }
        if (!print(text))
            return;
        text.clear();
    }
    print(text + (advice.segments.empty() ? "]\n}\n" : "\n  ]\n}\n"));
}

}  // namespace parcast::report
