#include "forecast/extracted_model.h"

#include <cmath>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/percent_text.h"
#include "core/time_text.h"
#include "forecast/model_formula.h"
#include "pamela/compile.h"
#include "program/lock_parameters.h"
#include "program/series_parallel.h"

namespace parcast::forecast {

namespace {

std::string time_of(double ns) {
    return time_text(round_to_duration(RealDuration{ns}).value_or(Duration{0}));
}

Result<std::string> no_file(std::string_view name) {
    return fail(ErrorCode::not_found, std::string(name));
}

// The model evaluated as predict does it. Nothing: it cannot be evaluated; predict then says why.
std::optional<FormulaTime> formula_of(extract::RecordedModel const& recorded) {
    auto compilation = pamela::compile(recorded.text, "model.pam", {}, no_file);
    if (!compilation.succeeded())
        return std::nullopt;
    auto& model = compilation.model;
    std::vector<double> values;
    for (auto const& parameter : model.parameters)
        values.push_back(parameter.value.value_or(0));
    auto const formula = forecast::ModelFormula::of(model, {"main", {}, false});
    if (!formula)
        return std::nullopt;
    auto const point = formula->point(values);
    if (!point)
        return std::nullopt;
    FormulaTime time{point->time.mean * recorded.unit_ns, {}};
    if (point->is_bound_by_resource && point->resource)
        time.bound_by = formula->resources()[*point->resource];
    return time;
}

}  // namespace

std::string percent_longer(double span_ns, double graph_ns) {
    return percent_text(graph_ns > 0 ? span_ns / graph_ns - 1 : 0);
}

std::string formula_sentence(FormulaTime const& formula, double graph_ns) {
    if (!formula.bound_by.empty())
        return fmt::format(
            "the formula gives {} at the recorded parameters: {} is in use for that long. The recording's "
            "critical path, without waiting for it, is {}",
            time_of(formula.mean_ns), formula.bound_by, time_of(graph_ns));
    double const per_mille = graph_ns > 0 ? std::round(1000 * (formula.mean_ns / graph_ns - 1)) : 0;
    auto const off = fmt::format(" ({:+.1f} %)", per_mille / 10 + 0.0);  // no -0.0
    return fmt::format(
        "the formula gives {} at the recorded parameters, the recording's critical path is {}{}",
        time_of(formula.mean_ns), time_of(graph_ns), off);
}

Result<ExtractedModel> model_of_graph(TaskGraph const& graph, std::string const& file, bool closest,
                                      std::optional<std::uint32_t> cpus) {
    auto const exact = series_parallel(graph);
    if (!exact && !closest) {
        return fail(make_error(ErrorCode::impossible, file + ": " + exact.error().message + "",
                               "The closest structure, in which more waits for each other: parcast extract " +
                                   file + " --closest -o model.pam"));
    }
    auto const structure = exact ? *exact : closest_series_parallel(graph);
    ExtractedModel extracted{{}, exact.has_value(), span_ns(graph, structure), std::nullopt};
    std::vector<std::string> lines{fmt::format("{}: {}, critical path {}, work {}", file,
                                               counted(static_cast<std::int64_t>(graph.tasks()), "task"),
                                               time_of(span_ns(graph)), time_of(work_ns(graph)))};
    if (!exact) {
        lines.push_back(exact.error().message);
        lines.push_back(fmt::format("this is the closest structure: its critical path is {}, {} longer",
                                    time_of(extracted.span_ns),
                                    percent_longer(extracted.span_ns, span_ns(graph))));
    }
    lines.emplace_back(
        cpus ? "computing is a use of one of CPUS CPUs, first come, first served; time under a lock "
               "takes none"
             : "any number of CPUs: a branch never waits for one (extract --cpus N adds them)");
    extracted.model = extract::model_of(graph, structure, lines, cpus);
    extracted.formula = formula_of(extracted.model);
    if (extracted.formula) {
        auto& text = extracted.model.text;
        text.insert(text.find('\n') + 1, "% " + formula_sentence(*extracted.formula, span_ns(graph)) + "\n");
    }
    return extracted;
}

std::vector<std::string> assumptions_of_model(TaskGraph const& graph) {
    auto assumptions = graph.assumptions;
    for (auto& assumption : assumptions)
        if (assumption.starts_with("Waiting for locks is left out"))
            assumption = fmt::format(
                "Locks that several threads take are resources, the {} that are held longest.", most_locks);
    return assumptions;
}

}  // namespace parcast::forecast
