#include "cli/verbs/exported_execution.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/input.h"
#include "cli/options/target_machine.h"
#include "core/counted.h"
#include "report/names.h"
#include "view/parallelism.h"
#include "view/recorded_intervals.h"

namespace parcast::cli {

namespace {

ExportedExecution as_recorded(Timeline recorded) {
    ExportedExecution exported;
    recorded.intervals = view::recorded_intervals(recorded);
    recorded.cpus = 1;
    exported.command = report::command_line(recorded.provenance.command);
    exported.timeline = std::move(recorded);
    return exported;
}

// "pigz -p 8 -k big.tar", or the name of the graph.
std::string title_of(Answer const& answer) {
    if (answer.form() == Form::recording)
        return report::command_line(answer.recording().provenance.command);
    auto const& name = answer.graph().name;
    return name.empty() ? answer.file : name;
}

// One run: on how many CPUs, and under one schedule.
Result<void> check_one_run(PredictArguments const& replay, Form form) {
    auto const target = target_machine(replay, form);
    if (!target)
        return fail(with_advice(target.error(), advice_for_machine(replay, form)));
    if (target->cpus.size() != 1)
        return fail(make_error(ErrorCode::unasked, "export needs one number of CPUs",
                               form == Form::recording
                                   ? "Name it with --cpus N, or export what was measured with --recorded."
                                   : "Name it with --cpus N."));
    auto const& schedules = replay.question.schedule.schedules;
    if (schedules.size() > 1 || std::ranges::count(schedules, "all") > 0)
        return fail(make_error(ErrorCode::unasked, "--schedule: one schedule is exported at a time: name one",
                               "For example: parcast export graph.json --cpus 8 --schedule lpt"));
    return {};
}

// As `predict` does it, with the timeline of the one run that is exported.
Result<ExportedExecution> as_predicted(Input input, ExportArguments const& arguments) {
    if (auto const checked = check_one_run(arguments.replay, input.form()); !checked)
        return pass_on(checked);
    auto replay = arguments.replay;
    replay.question.detail = arguments.events ? RunDetail::operations : RunDetail::timeline;
    auto found = forecast_input(std::move(input), replay);
    if (!found)
        return pass_on(found);
    auto& answer = found->answer;
    auto& run = answer.rows.front().run;
    ExportedExecution exported;
    exported.command = title_of(answer);
    exported.timeline = std::move(*run.timeline);
    if (run.deadlock)
        exported.deadlock = run.deadlock->when;
    if (answer.form() == Form::task_graph) {
        exported.scheduler = answer.graph().schedules.front().name;
        exported.graph = answer.graph().format;
        return exported;
    }
    exported.program = std::get<ThreadProgram>(std::move(found->program));
    exported.scheduler = name_of(found->machine.scheduler);
    exported.model = answer.recording().model;
    exported.timeline.provenance = std::move(answer.recording().provenance);
    return exported;
}

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
    return marks;
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

Result<ExportedExecution> exported_execution(ExportArguments const& arguments, GivenOptions const& given) {
    auto input = open_input(arguments.replay, given);
    if (!input)
        return pass_on(input);
    auto exported =
        arguments.recorded
            ? Result<ExportedExecution>(as_recorded(std::get<Timeline>(std::move(input->content))))
            : as_predicted(std::move(*input), arguments);
    if (exported)
        exported->with_events = arguments.events;
    return exported;
}

trace::Execution execution_of(ExportedExecution const& exported) {
    Timeline const& timeline = exported.timeline;
    bool const is_recorded = timeline.origin == Origin::recorded;
    trace::Execution execution;
    execution.title = exported.command + " on " + counted(timeline.cpus, "CPU") +
                      (is_recorded ? ", recorded" : ", predicted");
    execution.timeline = &timeline;
    for (auto const& step : view::parallelism(*timeline.intervals, timeline.cpus, timeline.length))
        execution.parallelism.push_back({step.begin, step.running, step.ready});
    if (!exported.with_events)
        return execution;
    execution.mark_names = is_recorded ? std::span<char const* const>(event_names)
                                       : std::span<char const* const>(operation_names);
    execution.marks = [&exported, is_recorded](ThreadId thread) {
        return is_recorded ? recorded_marks(exported.timeline, thread) : predicted_marks(exported, thread);
    };
    return execution;
}

}  // namespace parcast::cli
