#include "pages/exported_execution.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/counted.h"
#include "report/json/view_json.h"
#include "report/names.h"
#include "view/recorded.h"

namespace parcast::pages {

namespace {

template <class Kind, std::size_t count>
std::array<char const*, count> names_of_kinds() {
    std::array<char const*, count> names{};
    for (std::size_t kind = 0; kind < count; ++kind)
        names[kind] = name_of(static_cast<Kind>(kind));
    return names;
}

auto const operation_names = names_of_kinds<OperationKind, operation_kind_count>();
auto const event_names = names_of_kinds<EventKind, event_kind_count>();

std::vector<trace::Mark> predicted_marks(ExportedExecution const& exported, ThreadId thread) {
    std::vector<trace::Mark> marks;
    auto const& arrivals = exported.timeline.arrivals[thread.index()];
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        Operation const& operation = exported.program.lists[thread.index()][i];
        if (operation.kind() == OperationKind::work_only)
            continue;
        marks.push_back({.when = arrivals[i],
                         .object = object_of(exported.program, operation),
                         .other = names_thread(operation.kind()) ? operation.thread_id() : ThreadId::none(),
                         .site = operation.site(),
                         .kind = static_cast<std::uint8_t>(operation.kind())});
    }
    // The client-server model executes parts of lists in another order.
    std::ranges::stable_sort(marks, {}, &trace::Mark::when);
    return marks;
}

trace::Ranks ranks_of(MessagesBasis const& messages, std::uint32_t lanes) {
    trace::Ranks ranks{lanes / std::max(1U, messages.ranks), messages.nodes.node_of_rank};
    if (ranks.node_of_rank.empty()) {
        ranks.node_of_rank.resize(std::max(1U, messages.ranks));
        std::iota(ranks.node_of_rank.begin(), ranks.node_of_rank.end(), 0U);
    }
    return ranks;
}

bool names_thread(EventKind kind) {
    return kind == EventKind::thread_create || kind == EventKind::thread_join ||
           kind == EventKind::thread_detach || kind == EventKind::set_affinity ||
           kind == EventKind::set_priority;
}

std::vector<trace::Mark> recorded_marks(Timeline const& timeline, ThreadId thread) {
    std::vector<trace::Mark> marks;
    for (Event const& event : timeline.events[thread.index()]) {
        bool const has_thread = names_thread(event.kind) && event.related < timeline.catalogue.threads.size();
        marks.push_back({.when = {event.wall_ns},
                         .object = event.object,
                         .other = has_thread ? ThreadId(event.related) : ThreadId::none(),
                         .site = event.site,
                         .kind = static_cast<std::uint8_t>(event.kind)});
    }
    return marks;
}

}  // namespace

ExportedExecution recorded_for_export(Timeline recorded) {
    ExportedExecution exported;
    recorded.intervals = view::recorded_intervals(recorded);
    recorded.cpus = 1;
    exported.title = report::shown_command(recorded.provenance.command);
    exported.timeline = std::move(recorded);
    exported.setting = counted(exported.timeline.cpus, "CPU");
    return exported;
}

ExportedExecution predicted_for_export(forecast::Forecast forecast) {
    auto& answer = forecast.answer;
    auto& run = (answer.has_messages() ? answer.rows.back() : answer.rows.front()).run;
    ExportedExecution exported;
    exported.timeline = std::move(*run.timeline);
    exported.setting = counted(exported.timeline.cpus, "CPU");
    if (run.deadlock)
        exported.deadlock = run.deadlock->when;
    if (answer.has_messages()) {
        auto const& messages = answer.messages();
        exported.title = report::title_of(answer);
        exported.setting = counted(messages.ranks, "rank") + ", network " +
                           (messages.network.name.empty() ? messages.network_values : messages.network.name);
        exported.ranks = ranks_of(messages, exported.timeline.cpus);
        return exported;
    }
    if (answer.form() == Form::task_graph) {
        auto const& graph = answer.graph();
        exported.title = graph.name.empty() ? answer.file : graph.name;
        exported.scheduler = graph.schedules.front().name;
        return exported;
    }
    auto const& recording = answer.recording();
    exported.timeline.provenance = recording.provenance.value_or(Provenance{});
    exported.program = std::get<ThreadProgram>(std::move(forecast.program));
    exported.title = report::title_of(answer);
    exported.scheduler = recording.machine.scheduler;
    exported.model = recording.model;
    return exported;
}

trace::Execution execution_of(ExportedExecution const& exported, Operations operations) {
    Timeline const& timeline = exported.timeline;
    bool const is_recorded = timeline.origin == Origin::recorded;
    trace::Execution execution;
    execution.title =
        exported.title + " on " + exported.setting + (is_recorded ? ", recorded" : ", predicted");
    execution.ranks = exported.ranks;
    execution.timeline = &timeline;
    execution.parallelism = parallelism(*timeline.intervals, timeline.cpus, timeline.length);
    if (operations == Operations::absent)
        return execution;
    execution.mark_names = is_recorded ? std::span<char const* const>(event_names)
                                       : std::span<char const* const>(operation_names);
    execution.marks = [&exported, is_recorded](ThreadId thread) {
        return is_recorded ? recorded_marks(exported.timeline, thread) : predicted_marks(exported, thread);
    };
    return execution;
}

}  // namespace parcast::pages
