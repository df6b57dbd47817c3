#include "report/prediction.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "report/format.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr double least_share = 0.005;  // shown as 1 %

// "2.00 us", or "2.00 us to 5.00 us".
std::string overhead_of(Answer const& prediction) {
    auto const& by_busy = prediction.graph().overhead_ns;
    auto const [least, most] = std::ranges::minmax(by_busy);
    return least == most ? task_time_text(least) : task_time_text(least) + " to " + task_time_text(most);
}

std::string lost_to(Row const& run) {
    auto const& lost = run.tasks.lost;
    double const all = run.time_ns * run.cpus;
    std::array<std::pair<char const*, double>, 4> causes = {{{"idle", lost.idle_ns},
                                                             {"latency", lost.latency_ns},
                                                             {"contention", lost.contention_ns},
                                                             {"overhead", lost.overhead_ns}}};
    std::ranges::stable_sort(causes, std::greater(), [](auto const& cause) { return cause.second; });
    std::string text;
    for (auto const& [name, ns] : causes)
        if (all > 0 && ns / all >= least_share)
            text += (text.empty() ? "" : ", ") + std::string(name) + " " + percent_text(ns / all);
    return text;
}

std::string one_schedule(ScheduledRows const& scheduled, Layout const& layout) {
    Table table({{"CPUs"},
                 {"time"},
                 {"speed-up"},
                 {"bounds"},
                 {"efficiency"},
                 {"busy 0-all", Align::left},
                 {"lost to", Align::left}});
    auto const lowest = std::ranges::min(scheduled.rows, {}, &Row::efficiency).efficiency;
    for (auto const& run : scheduled.rows) {
        bool const is_worst = scheduled.rows.size() > 1 && run.efficiency == lowest && lowest < 0.5;
        table.add({{std::to_string(run.cpus)},
                   {task_time_text(run.time_ns)},
                   {speed_up_text(run.speed_up)},
                   {range_text(run.bounds)},
                   {percent_text(run.efficiency), is_worst ? Emphasis::worst : Emphasis::none},
                   {busy_signs(run.tasks.busy_for_ns)},
                   {lost_to(run)}});
    }
    auto const histogram =
        scheduled.rows.size() == 1 ? busy_histogram(scheduled.rows.front().tasks.busy_for_ns) : "";
    return "schedule " + scheduled.schedule + '\n' + table.text(layout.colour, layout.table_width()) +
           (histogram.empty() ? "" : '\n' + histogram);
}

std::string table_of(Answer const& prediction, Layout const& layout) {
    auto const schedules = by_schedule(prediction);
    return schedules.size() == 1 ? one_schedule(schedules.front(), layout)
                                 : schedule_table(schedules, layout);
}

// From which number of processors on the time stays within 1 % of the critical path.
std::string where_it_ends(Answer const& prediction) {
    if (prediction.graph().depends_on_cpus)
        return {};  // so does the path
    auto const first = by_schedule(prediction).front();
    for (auto const& run : first.rows) {
        if (prediction.graph().span_ns > 0 && run.time_ns <= 1.01 * prediction.graph().span_ns &&
            run.cpus > 1) {
            return fmt::format("With {} on {} the critical path is all that is left: more do not help.",
                               first.schedule, counted(run.cpus, "CPU"));
        }
    }
    return {};
}

std::string why_no_bounds(Answer const& prediction) {
    if (prediction.graph().contention)
        return "No bounds: they hold without contention only.";
    if (!prediction.graph().overhead_ns.empty())
        return "No bounds: they hold where it costs nothing to take a task.";
    bool const has_static = std::ranges::any_of(
        prediction.graph().schedules, [](Schedule const& schedule) { return !schedule.is_work_conserving; });
    return has_static
               ? "The bounds of the speed-up hold for schedules that leave no processor idle while a task is "
                 "ready, and so not for static ones or batches."
               : "";
}

// "Left out: queues and queues-lpt (all tasks are in one queue), pinned (no task has a process)."
std::string left_out_of(Answer const& prediction) {
    auto const& all = prediction.graph().left_out;
    std::string text;
    for (std::size_t i = 0; i < all.size(); ++i) {
        bool const is_last_with_reason = i + 1 == all.size() || all[i + 1].reason != all[i].reason;
        text += all[i].schedule;
        text += !is_last_with_reason ? " and "
                : i + 1 < all.size() ? " (" + all[i].reason + "), "
                                     : " (" + all[i].reason + ")";
    }
    return text.empty() ? "" : "Left out: " + text + ".";
}

}  // namespace

std::string graph_origin_text(Answer const& prediction, Layout const& layout) {
    auto const contention =
        prediction.graph().contention ? ", contention: " + *prediction.graph().contention : "";
    auto const overhead =
        prediction.graph().overhead_ns.empty() ? "" : ", taking a task costs " + overhead_of(prediction);
    auto const retire =
        prediction.graph().retire == "all" ? ", tasks that end together are retired together" : "";
    auto const count = [](std::uint64_t number, char const* what) {
        return counted(static_cast<std::int64_t>(number), what);
    };
    auto const graph =
        fmt::format("{}{} in {}, {}: {} of work, {} on the critical path",
                    prediction.graph().depends_on_cpus ? "depends on the number of CPUs; for 1: " : "",
                    count(prediction.graph().tasks, "task"), count(prediction.graph().groups, "group"),
                    count(prediction.graph().precedences, "precedence"),
                    task_time_text(prediction.graph().work_ns), task_time_text(prediction.graph().span_ns));
    auto const parallelism =
        fmt::format("average parallelism {}, at most {} at once · deterministic model{}{}{}",
                    three_digits(prediction.graph().average_parallelism),
                    count(prediction.graph().maximum_parallelism, "task"), contention, overhead, retire);
    auto const name = prediction.graph().name.empty() ? prediction.file : prediction.graph().name;
    return paragraph(with_short_words(printable(name)), layout) + paragraph(graph, layout) +
           wrapped(parallelism, layout.width, 4) + "\n\n";
}

std::string baseline_of(Answer const& prediction) {
    if (prediction.graph().schedules.size() == 1 && prediction.graph().overhead_ns.empty())
        return {};
    return "Speed-ups are against one CPU that pays nothing for taking tasks, " +
           task_time_text(prediction.graph().sequential_ns) + ": the same for all schedules.";
}

std::string task_graph_text(Answer const& prediction, Layout const& layout) {
    std::string text = graph_origin_text(prediction, layout) + table_of(prediction, layout) +
                       what_if_text(prediction, layout);
    std::string meaning;
    auto sentences = gains(by_schedule(prediction));
    sentences.insert(sentences.end(), {left_out_of(prediction), baseline_of(prediction),
                                       where_it_ends(prediction), why_no_bounds(prediction)});
    for (auto const& sentence : sentences)
        meaning += sentence.empty() ? "" : paragraph(sentence, layout);
    meaning += first_advice_text(prediction, layout);
    text += meaning.empty() ? "" : '\n' + meaning;
    if (prediction.graph().comparison)
        text += '\n' + theories_text(*prediction.graph().comparison, layout);
    return text + assumptions_text(prediction, layout);
}

}  // namespace parcast::report
