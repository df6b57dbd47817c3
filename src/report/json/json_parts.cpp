#include "report/json/json_parts.h"

#include <cmath>

namespace parcast::report {

Json place_json(Catalogue const& catalogue, SiteId site) {
    if (site.is_none() || site.index() >= catalogue.sites.size())
        return nullptr;
    Site const& entry = catalogue.sites[site.index()];
    auto const frame_json = [](Frame const& frame) -> Json {
        return {{"function", or_null(frame.function)},
                {"file", or_null(frame.file)},
                {"line", frame.line == 0 ? Json() : Json(frame.line)}};
    };
    return {{"text", display_name(catalogue, site)},
            {"module", or_null(entry.module)},
            {"module_offset", entry.module_offset},
            {"frames", array_json(entry.frames, frame_json)}};
}

Json object_json(Catalogue const& catalogue, ObjectId object) {
    if (object.is_none() || object.index() >= catalogue.objects.size())
        return nullptr;
    Object const& entry = catalogue.objects[object.index()];
    return {{"id", object.value},
            {"kind", name_of(entry.kind)},
            {"name", or_null(entry.name)},
            {"text", display_name(catalogue, object)},
            {"first_used", place_json(catalogue, entry.first_site)}};
}

Json thread_reference_json(Catalogue const& catalogue, ThreadId thread) {
    if (thread.is_none() || thread.index() >= catalogue.threads.size())
        return nullptr;
    return {{"id", thread.value}, {"text", display_name(catalogue, thread)}};
}

Json findings_json(std::span<Finding const> findings, Catalogue const& catalogue) {
    return array_json(findings, [&](Finding const& finding) -> Json {
        return {{"kind", name_of(finding.kind)},
                {"severity", finding.severity == Severity::warning ? "warning" : "note"},
                {"message", finding.message},
                {"thread", thread_reference_json(catalogue, finding.thread)},
                {"place", place_json(catalogue, finding.site)}};
    });
}

Json settings_json(Provenance const& provenance) {
    if (!provenance.settings)
        return {};
    Json settings = Json::object();
    for (auto const& [name, value] : *provenance.settings)
        settings[name] = value;
    return settings;
}

Json sensed_json(Sensed const& sensed) {
    return {{"value", sensed.value}, {"low", sensed.low}, {"high", sensed.high}};
}

Json memory_json(Provenance const& provenance) {
    if (!provenance.memory)
        return {};
    auto const& memory = *provenance.memory;
    return {{"sensitivity", sensed_json(memory.sensitivity)},
            {"pressure", sensed_json(memory.pressure)},
            {"slowdown", memory.slowdown},
            {"compute_slowdown", memory.compute_slowdown},
            {"memory_slowdown", memory.memory_slowdown},
            {"pressing_cpus", memory.pressing_cpus},
            {"runs", memory.runs}};
}

Json wake_ups_json(Provenance const& provenance) {
    if (!provenance.wake_ups)
        return {};
    return {{"latency_ns", sensed_json(provenance.wake_ups->latency)},
            {"call_ns", sensed_json(provenance.wake_ups->call)},
            {"creation_ns", provenance.wake_ups->creation}};
}

Json measured_speed_up_json(MeasuredSpeedUp const& measured) {
    return {{"value", measured.speed_up}, {"low", measured.range.low}, {"high", measured.range.high}};
}

Json bare_run_json(BareRun const& run) {
    return {{"wall_time_ns", run.wall_ns},
            {"user_time_ns", run.user_ns},
            {"system_time_ns", run.system_ns},
            {"others_share", run.others}};
}

// By number of CPUs; null: nobody measured.
Json measured_json(Provenance const& provenance) {
    if (provenance.measured.empty())
        return {};
    Json json = array_json(provenance.measured, [](MeasuredCpus const& measured) -> Json {
        return {{"cpus", measured.cpus},
                {"speed_up", nullptr},
                {"runs", array_json(measured.runs, bare_run_json)}};
    });
    std::size_t place = 0;
    for (auto const& measured : measured_speed_ups(provenance))
        json[++place]["speed_up"] = measured_speed_up_json(measured);
    return json;
}

Json recorded_json(Provenance const& provenance, std::size_t threads) {
    return {
        {"cpu_time_ns", provenance.cpu_ns},
        {"wall_time_ns", provenance.wall_ns},
        {"rusage_cpu_time_ns", or_null(provenance.rusage_cpu_ns)},
        {"system_time_ns", provenance.system_work ? Json(provenance.system_work->cpu_ns) : Json()},
        {"page_faults", provenance.system_work ? Json(provenance.system_work->page_faults) : Json()},
        {"threads", threads},
        {"cpu", provenance.recorded_cpu},
        {"pretended_cpus", or_null(provenance.pretended_cpus)},
        {"settings", settings_json(provenance)},
        {"memory", memory_json(provenance)},
        {"measured", measured_json(provenance)},
        {"wake_ups", wake_ups_json(provenance)},
        {"clock", name_of(provenance.clock)},
        {"clock_read_ns", std::isfinite(provenance.clock_read_ns) ? Json(provenance.clock_read_ns) : Json()},
        {"event_cost_ns", std::isfinite(provenance.event_cost_ns) ? Json(provenance.event_cost_ns) : Json()},
        {"unmeasured_cost_ns", provenance.unmeasured_cost_ns},
        {"unmeasured_events", provenance.unmeasured_events},
        {"others_cpu_time_ns", or_null(provenance.others_cpu_ns)},
        {"lost_events", provenance.lost_events},
        {"exit_status", or_null(provenance.exit_status)},
        {"death_signal", or_null(provenance.death_signal)},
        {"replaced_by", or_null(provenance.replaced_by)}};
}

Json input_json(std::string const& file, Provenance const& provenance) {
    return {{"file", file},
            {"form", name_of(Form::recording).key},
            {"command", provenance.command},
            {"working_directory", provenance.working_directory},
            {"process", provenance.process},
            {"date", provenance.date},
            {"host", provenance.host},
            {"kernel", provenance.kernel},
            {"cpu_model", provenance.cpu_model},
            {"recorded_by", provenance.parcast_version}};
}

Json graph_input_json(std::string const& file, std::string const& format) {
    return {{"file", file}, {"form", name_of(Form::task_graph).key}, {"format", format}};
}

Json input_json(Answer const& answer) {
    switch (answer.form()) {
        case Form::recording: return input_json(answer.file, *answer.recording().provenance);
        case Form::threads:
            return {{"file", answer.file},
                    {"form", name_of(Form::threads).key},
                    {"name", or_null(answer.recording().name)},
                    {"threads", answer.recording().catalogue.threads.size()}};
        case Form::task_graph: return graph_input_json(answer.file, answer.graph().format);
        case Form::steps:
            return {{"file", answer.file},
                    {"form", name_of(Form::steps).key},
                    {"format", answer.messages().format},
                    {"name", or_null(answer.messages().name)},
                    {"ranks", answer.messages().ranks},
                    {"steps", answer.messages().steps},
                    {"messages", answer.messages().messages},
                    {"bytes", answer.messages().bytes}};
        case Form::messages:
            return {{"file", answer.file},
                    {"form", name_of(Form::messages).key},
                    {"format", answer.messages().format},
                    {"name", or_null(answer.messages().name)},
                    {"ranks", answer.messages().ranks},
                    {"operations", answer.messages().operations},
                    {"messages", answer.messages().messages},
                    {"bytes", answer.messages().bytes}};
        case Form::model: break;
    }
    return {{"file", answer.file}, {"form", name_of(Form::model).key}, {"of", answer.model().of}};
}

Json spread_json(Spread const& spread) {
    return {{"median", spread.median}, {"min", spread.least}, {"max", spread.most}};
}

Json event_price_json(std::optional<EventPrice> const& price) {
    if (!price)
        return nullptr;
    bool const is_measured = price->bare_cpu_ns.has_value();
    return {{"recorder_ns", price->recorder_ns},
            {"ns", is_measured ? Json(price->ns) : Json()},
            {"bare_cpu_ns", is_measured ? spread_json(*price->bare_cpu_ns) : Json()},
            {"used", price->is_used},
            {"problem", price->problem}};
}

double rounded(double value) {
    return std::round(value * 1e6) / 1e6;
}

Json range_json(std::optional<Range> const& range) {
    if (!range)
        return nullptr;
    return {{"low", rounded(range->low)}, {"high", rounded(range->high)}};
}

Json time_range_json(std::optional<Range> const& range) {
    if (!range)
        return nullptr;
    return {{"low", std::llround(range->low)}, {"high", std::llround(range->high)}};
}

}  // namespace parcast::report
