#include "report/task_graph_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "report/format.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr double least_share = 0.005;  // shown as 1 %
constexpr std::size_t most_side_by_side = 4;

std::string time_of(double ns) {
    return time_text({static_cast<std::int64_t>(std::round(ns))});
}

std::string header(TaskGraphPrediction const& prediction, Layout const& layout) {
    auto const contention = prediction.contention ? ", contention: " + *prediction.contention : "";
    auto const retire = prediction.retire == "all" ? ", tasks that end together are retired together" : "";
    auto const count = [](std::uint64_t number, char const* what) {
        return counted(static_cast<std::int64_t>(number), what);
    };
    auto const graph =
        fmt::format("{} in {}, {}: {} of work, {} on the critical path", count(prediction.tasks, "task"),
                    count(prediction.groups, "group"), count(prediction.precedences, "precedence"),
                    time_of(prediction.work_ns), time_of(prediction.span_ns));
    auto const parallelism =
        fmt::format("average parallelism {}, at most {} at once · deterministic model{}{}",
                    three_digits(prediction.average_parallelism),
                    count(prediction.maximum_parallelism, "task"), contention, retire);
    auto const name = prediction.name.empty() ? prediction.file : prediction.name;
    return wrapped(printable(name), layout.width, 4) + '\n' + wrapped(graph, layout.width, 4) + '\n' +
           wrapped(parallelism, layout.width, 4) + "\n\n";
}

std::string lost_to(TaskGraphRun const& run) {
    auto const& lost = run.lost;
    double const all = run.time_ns * run.cpus;
    std::array<std::pair<char const*, double>, 4> causes = {{{"idle", lost.idle_ns},
                                                             {"latency", lost.latency_ns},
                                                             {"contention", lost.contention_ns},
                                                             {"overhead", lost.overhead_ns}}};
    std::ranges::stable_sort(causes, std::greater(), [](auto const& cause) { return cause.second; });
    std::string text;
    for (auto const& [name, ns] : causes) {
        if (all > 0 && ns / all >= least_share)
            text += (text.empty() ? "" : ", ") + std::string(name) + " " + percent_text(ns / all);
    }
    return text;
}

std::string bounds_of(TaskGraphRun const& run) {
    return run.bounds
               ? fmt::format("{} - {}", speed_up_text(run.bounds->lower), speed_up_text(run.bounds->upper))
               : "";
}

std::string one_schedule(ScheduledRuns const& scheduled, Layout const& layout) {
    Table table({{"CPUs"}, {"time"}, {"speed-up"}, {"bounds"}, {"efficiency"}, {"lost to", Align::left}});
    auto const lowest = std::ranges::min(scheduled.runs, {}, &TaskGraphRun::efficiency).efficiency;
    for (auto const& run : scheduled.runs) {
        bool const is_worst = scheduled.runs.size() > 1 && run.efficiency == lowest && lowest < 0.5;
        table.add({{std::to_string(run.cpus)},
                   {time_of(run.time_ns)},
                   {speed_up_text(run.speed_up)},
                   {bounds_of(run)},
                   {percent_text(run.efficiency), is_worst ? Emphasis::worst : Emphasis::none},
                   {lost_to(run)}});
    }
    return "schedule " + scheduled.schedule + '\n' + table.text(layout.colour, layout.width);
}

// A row a number of processors.
std::string side_by_side(std::vector<ScheduledRuns> const& schedules, Layout const& layout) {
    std::vector<Column> columns = {{"CPUs"}};
    for (auto const& scheduled : schedules) {
        columns.push_back({scheduled.schedule});
        columns.push_back({"speed-up"});
    }
    columns.push_back({"bounds"});
    Table table(std::move(columns));
    auto const has_bounds = std::ranges::find(schedules, true, &ScheduledRuns::is_work_conserving);
    for (std::size_t row = 0; row < schedules.front().runs.size(); ++row) {
        std::vector<Cell> cells = {{std::to_string(schedules.front().runs[row].cpus)}};
        for (auto const& scheduled : schedules) {
            cells.push_back({time_of(scheduled.runs[row].time_ns)});
            cells.push_back({speed_up_text(scheduled.runs[row].speed_up)});
        }
        cells.push_back({has_bounds == schedules.end() ? "" : bounds_of(has_bounds->runs[row])});
        table.add(std::move(cells));
    }
    return table.text(layout.colour, layout.width);
}

// A row a schedule, with its times: a what-if table.
std::string a_row_each(std::vector<ScheduledRuns> const& schedules, Layout const& layout) {
    std::vector<Column> columns = {{"schedule", Align::left}};
    for (auto const& run : schedules.front().runs)
        columns.push_back({counted(run.cpus, "CPU")});
    Table table(std::move(columns));
    for (auto const& scheduled : schedules) {
        std::vector<Cell> cells = {{scheduled.schedule}};
        for (auto const& run : scheduled.runs)
            cells.push_back({time_of(run.time_ns)});
        table.add(std::move(cells));
    }
    return table.text(layout.colour, layout.width);
}

std::string table_of(TaskGraphPrediction const& prediction, Layout const& layout) {
    auto const& schedules = prediction.schedules;
    if (schedules.size() == 1)
        return one_schedule(schedules.front(), layout);
    return schedules.size() <= most_side_by_side ? side_by_side(schedules, layout)
                                                 : a_row_each(schedules, layout);
}

// The number of processors where another schedule takes the least of the first one's time.
std::string greatest_gain(std::vector<ScheduledRuns> const& schedules) {
    auto const& first = schedules.front();
    double least = 1 - least_share;
    std::string sentence;
    for (auto const& other : schedules) {
        for (std::size_t row = 0; row < first.runs.size(); ++row) {
            double const ratio = other.runs[row].time_ns / first.runs[row].time_ns;
            if (ratio < least) {
                least = ratio;
                sentence = fmt::format("{} gains most over {} on {}: {} instead of {}, {} less.",
                                       other.schedule, first.schedule, counted(first.runs[row].cpus, "CPU"),
                                       time_of(other.runs[row].time_ns), time_of(first.runs[row].time_ns),
                                       percent_text(1 - ratio));
            }
        }
    }
    return sentence;
}

// From which number of processors on the time stays within 1 % of the critical path.
std::string where_it_ends(TaskGraphPrediction const& prediction) {
    for (auto const& run : prediction.schedules.front().runs) {
        if (prediction.span_ns > 0 && run.time_ns <= 1.01 * prediction.span_ns && run.cpus > 1) {
            return fmt::format("With {} on {} the critical path is all that is left: more do not help.",
                               prediction.schedules.front().schedule, counted(run.cpus, "CPU"));
        }
    }
    return {};
}

std::string why_no_bounds(TaskGraphPrediction const& prediction) {
    if (prediction.contention)
        return "No bounds: they hold without contention only.";
    bool const has_static = std::ranges::any_of(
        prediction.schedules, [](ScheduledRuns const& scheduled) { return !scheduled.is_work_conserving; });
    return has_static
               ? "The bounds of the speed-up hold for schedules that leave no processor idle while a task is "
                 "ready, and so not for static ones or batches."
               : "";
}

// In full, or how to see them.
std::string assumptions_of(TaskGraphPrediction const& prediction, Layout const& layout) {
    if (prediction.assumptions.empty())
        return {};
    if (layout.detail == Detail::short_form) {
        auto const number = counted(static_cast<std::int64_t>(prediction.assumptions.size()), "assumption");
        return "\nThe prediction makes " + number + " about this graph: --assumptions\n";
    }
    std::string text = "\nTaken for granted:\n";
    for (auto const& assumption : prediction.assumptions)
        text += wrapped("- " + printable(assumption), layout.width, 2) + '\n';
    return text;
}

}  // namespace

std::string task_graph_text(TaskGraphPrediction const& prediction, Layout const& layout) {
    std::string text = header(prediction, layout) + table_of(prediction, layout);
    std::string meaning;
    for (auto const& sentence :
         {greatest_gain(prediction.schedules), where_it_ends(prediction), why_no_bounds(prediction)})
        meaning += sentence.empty() ? "" : wrapped(sentence, layout.width, 4) + '\n';
    text += meaning.empty() ? "" : '\n' + meaning;
    if (prediction.comparison)
        text += '\n' + theories_text(*prediction.comparison, layout);
    return text + assumptions_of(prediction, layout);
}

}  // namespace parcast::report
