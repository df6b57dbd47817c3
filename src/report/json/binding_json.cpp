#include <cmath>
#include <utility>

#include "answer/circumstances.h"
#include "report/binding.h"
#include "report/codes/codes.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"

namespace parcast::report {

namespace {

Json time_json(std::optional<Duration> const& time) {
    return time ? Json(time->ns) : Json();
}

Json reachable_binding_json(ReachableBinding const& reachable) {
    return {{"p", reachable.factor},
            {"time_ns", reachable.time_ns ? Json(std::llround(*reachable.time_ns)) : Json()},
            {"threads", reachable.threads},
            {"granularity", reachable.granularity},
            {"latency", reachable.latency},
            {"profile", reachable.profile},
            {"allocation", reachable.allocation},
            {"evaluations", reachable.evaluations}};
}

Json tried_binding_json(TriedBinding const& tried) {
    return {{"algorithm", tried.algorithm}, {"time_ns", time_json(tried.time)}, {"tests", tried.tests}};
}

Json interval_json(Spread const& spread) {
    return {{"median", spread.median}, {"from", spread.least}, {"to", spread.most}};
}

Json measured_binding_json(MeasuredBinding const& measured) {
    return {{"rounds", measured.rounds},
            {"disturbed", measured.disturbed},
            {"unbound_ns", interval_json(measured.unbound_ns)},
            {"bound_ns", interval_json(measured.bound_ns)},
            {"gain", interval_json(measured.gain)},
            {"prediction", word_of(measured.verdict)},
            {"remarks", measured.remarks}};
}

Json bound_thread_json(Catalogue const& catalogue, BindingOnCpus const& at, std::size_t thread) {
    return {{"thread", thread_reference_json(catalogue, ThreadId(thread))},
            {"cpu", at.cpu_of_thread[thread]}};
}

Json binding_count_json(Answer const& basis, BindingOnCpus const& at) {
    auto const& catalogue = basis.recording().catalogue;
    Json threads = Json::array();
    for (std::size_t thread = 0; thread < at.cpu_of_thread.size(); ++thread)
        threads.push_back(bound_thread_json(catalogue, at, thread));
    Json json{
        {"cpus", at.cpus}, {"unbound_ns", time_json(at.unbound)}, {"time_ns", time_json(at.best_time())}};
    json["algorithm"] = at.best_time() ? Json(at.tried[at.best].algorithm) : Json();
    bool const is_withheld = circumstances_of(basis).is_worthless;
    json["gain"] = is_withheld ? Json() : or_null(at.gain());
    json["unbound_range_ns"] = range_json(at.unbound_range_ns);
    json["gain_range"] = range_json(is_withheld ? std::nullopt : at.gain_range);
    json["lower_bound_ns"] = at.lower_bound.ns;
    json["lower_bound_by"] = at.lower_bound_by;
    json["lock"] = object_json(catalogue, at.lock);
    json["gap"] = at.best_time() && !is_withheld ? Json(at.gap()) : Json();
    json["proved_best"] = at.is_proved_best() && !is_withheld;
    json["bindings"] = or_null(at.bindings);
    json["tried"] = array_json(at.tried, tried_binding_json);
    json["binding"] = std::move(threads);
    json["reachable"] = at.reachable ? reachable_binding_json(*at.reachable) : Json();
    json["measured"] = at.measured ? measured_binding_json(*at.measured) : Json();
    json["not_measured_because"] = or_null(at.not_measured);
    json["sentences"] = binding_sentences(basis, at);
    return json;
}

}  // namespace

std::string bindings_json(Answer const& basis, Bindings const& bindings, std::string_view version) {
    auto const& recording = basis.recording();
    auto json = envelope("bind", version, input_json(basis));
    json["model"] = recording.model;
    json["scheduler"] = recording.machine.scheduler;
    json["findings"] = findings_json(basis.findings, recording.catalogue);
    json["assumptions"] = basis.assumptions;
    json["assumption_codes"] = codes_of_assumptions(basis.assumptions);
    json["tests"] = bindings.most_tests;
    json["seed"] = bindings.seed;
    json["not_reachable_because"] = or_null(bindings.no_reachable);
    json["plan"] = or_null(bindings.plan);
    json["counts"] =
        array_json(bindings.counts, [&](BindingOnCpus const& at) { return binding_count_json(basis, at); });
    return to_text(json);
}

std::string reachable_json(ReachableBinding const& reachable, std::uint32_t cpus, std::string_view version) {
    auto json = envelope("bind", version, {{"processes", reachable.threads}, {"cpus", cpus}});
    json["reachable"] = reachable_binding_json(reachable);
    return to_text(json);
}

}  // namespace parcast::report
