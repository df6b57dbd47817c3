#include "report/scale.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <fmt/format.h>

#include "report/format.h"
#include "report/names.h"
#include "report/prediction.h"
#include "report/sentences/sentences.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr double notable_difference = 0.01;
constexpr double large_error = 0.06;
constexpr std::size_t columns_before_causes = 53;  // without those that are not always there
constexpr std::size_t columns_of_ranges = 29;
constexpr std::size_t columns_of_bounds = 13;
constexpr std::size_t columns_of_cpu_time = 10;

// A finding that several recordings share is said once, for the first of them.
std::string findings_of(ScaleAnswer const& report, Layout const& layout) {
    std::string text;
    std::set<FindingKind> said;
    for (ScaledCount const& count : report.counts) {
        std::vector<Finding> news;
        for (Finding const& finding : count.prediction.findings)
            if (said.insert(finding.kind).second)
                news.push_back(finding);
        if (!news.empty()) {
            text += fmt::format("recorded for {}:\n", counted(count.cpus, "CPU")) +
                    findings_text(news, count.prediction.recording().catalogue, layout);
        }
    }
    return text.empty() ? text : text + '\n';
}

// Before any number: models that took over from the direct one.
std::string replacements_of(ScaleAnswer const& report, Layout const& layout) {
    std::string text;
    for (ScaledCount const& count : report.counts) {
        text += replacement_text(count.prediction,
                                 fmt::format("note: recorded for {}, ", counted(count.cpus, "CPU")), layout);
    }
    return text.empty() ? text : text + '\n';
}

// A line that several counts share is printed once, with those counts.
void add_line(std::vector<std::pair<std::string, std::string>>& lines, std::string const& line,
              std::uint32_t cpus) {
    auto const known = std::ranges::find(lines, line, [](auto const& entry) { return entry.first; });
    if (known == lines.end())
        lines.emplace_back(line, fmt::format("{}", cpus));
    else
        known->second += fmt::format(", {}", cpus);
}

// A line for each model and machine, with the counts that it holds for if there are several.
std::string replayed_text(ScaleAnswer const& report, Layout const& layout) {
    std::vector<std::pair<std::string, std::string>> lines;  // what, and for which counts
    for (ScaledCount const& count : report.counts)
        add_line(lines, replayed_by(count.prediction), count.cpus);
    std::string text;
    for (auto const& [line, counts] : lines) {
        std::string const head = lines.size() == 1 ? "" : fmt::format("for {} CPUs: ", counts);
        text += paragraph(head + line, layout);
    }
    return text;
}

// A note that holds for several counts is said once.
std::string machine_notes_of(ScaleAnswer const& report, Layout const& layout) {
    std::string text;
    std::set<std::string> said;
    for (ScaledCount const& count : report.counts)
        for (std::string const& note : count.prediction.recording().machine.notes)
            text += said.insert(note).second ? paragraph("note: " + note, layout) : "";
    return text;
}

std::string works_left_out(ScaleAnswer const& report, Layout const& layout) {
    std::string text;
    for (ScaledCount const& count : report.counts) {
        std::string const left_out = work_left_out(count.prediction);
        if (!left_out.empty()) {
            text +=
                paragraph(fmt::format("recorded for {}: {} of CPU time; {}", counted(count.cpus, "CPU"),
                                      time_text({count.prediction.recording().provenance->cpu_ns}), left_out),
                          layout);
        }
    }
    return text;
}

std::string prices_of(ScaleAnswer const& report, Layout const& layout) {
    std::string text;
    std::vector<std::pair<std::string, std::string>> lines;  // what, and for which counts
    for (ScaledCount const& count : report.counts)
        for (std::string const& said :
             {count.event_price ? event_price_text(*count.event_price) : "", turns_text(count)})
            if (!said.empty())
                add_line(lines, said, count.cpus);
    for (auto const& [said, counts] : lines)
        text += paragraph(fmt::format("for {} {}: ", counts, counts == "1" ? "CPU" : "CPUs") + said, layout);
    return text;
}

std::string header(ScaleAnswer const& report, Layout const& layout) {
    std::string const told = report.has_placeholder ? ", {cpus} in its arguments replaced" : "";
    return paragraph(shown_command(report.command), layout) +
           paragraph("recorded once for each number of CPUs, on one that pretends to be as many" + told,
                     layout) +
           works_left_out(report, layout) + replayed_text(report, layout) + machine_notes_of(report, layout) +
           prices_of(report, layout);
}

// Against the program that is told to use 1 CPU; if that was not recorded, against the same threads on 1 CPU.
std::optional<double> speed_up_of(ScaledCount const& count, ScaleAnswer const& report) {
    if (report.ignores_count)
        return std::nullopt;
    Row const* const run = predicted_on(count, count.cpus);
    if (count.speed_up || run == nullptr || !count.prediction.recording().time_on_one)
        return count.speed_up;
    return run->speed_up;
}

bool has_one(ScaleAnswer const& report) {
    return report.counts.front().cpus == 1;
}

// Do the threads made for many CPUs take another time on one than the program that is told to use one?
bool shows_same_threads(ScaleAnswer const& report) {
    return has_one(report) &&
           std::any_of(report.counts.begin(), report.counts.end(), [](ScaledCount const& count) {
               Row const* const run = predicted_on(count, count.cpus);
               return run && count.speed_up &&
                      std::abs(*count.speed_up / run->speed_up - 1) > notable_difference;
           });
}

bool has_ranges(ScaleAnswer const& report) {
    return std::ranges::any_of(report.counts,
                               [](ScaledCount const& count) { return count.prediction.ranges.has_value(); });
}

// Against another recording, a speed-up is as sure as the time: that of the other one is taken as it is.
std::optional<Range> speed_up_range(ScaledCount const& count, ScaleAnswer const& report) {
    Row const* const run = predicted_on(count, count.cpus);
    auto const speed_up = speed_up_of(count, report);
    if (!run || !run->range || !speed_up || count.cpus == 1)
        return std::nullopt;
    if (!count.speed_up)
        return run->range->speed_up;
    return Range{*speed_up * run->time_ns / run->range->time_ns.high,
                 *speed_up * run->time_ns / run->range->time_ns.low};
}

bool any_outside_bounds(ScaleAnswer const& report) {
    return !has_ranges(report) &&
           std::any_of(report.counts.begin(), report.counts.end(), [](ScaledCount const& count) {
               Row const* const run = predicted_on(count, count.cpus);
               return run && is_outside_bounds(*run);
           });
}

std::string predictions_table(ScaleAnswer const& report, Layout const& layout) {
    bool const shows_same = shows_same_threads(report);
    bool const has_marks = any_outside_bounds(report);
    bool const has_cpu_times =
        std::ranges::any_of(report.counts, [](auto const& count) { return count.cpu_growth.has_value(); });
    bool const has_there = report.cpu_times_file.has_value();
    bool const shows_ranges = has_ranges(report);
    auto const shown_cpu_time = [&](ScaledCount const& count) -> Cell {
        if (!count.cpu_growth)
            return {""};
        bool const is_notable = std::abs(*count.cpu_growth - 1) > notable_cpu_growth;
        return {fmt::format("{:.2f}", *count.cpu_growth), is_notable ? Emphasis::worst : Emphasis::none};
    };
    Table table({{"CPUs"},
                 {""},
                 {"threads"},
                 {has_cpu_times ? "CPU time" : ""},
                 {"time"},
                 {shows_ranges ? "90 %" : "", Align::left},
                 {"speed-up"},
                 {shows_ranges ? "90 %" : "", Align::left},
                 {has_there ? "there" : ""},
                 {shows_same ? "same threads" : ""},
                 {shows_ranges ? "" : bounds_head(has_marks)},
                 {"efficiency"},
                 {"lost to", Align::left, Cut::middle}});
    for (ScaledCount const& count : report.counts) {
        Row const* const run = predicted_on(count, count.cpus);
        std::string const cpus = fmt::format("{}", count.cpus);
        std::string const threads =
            count_text(static_cast<std::int64_t>(count.prediction.recording().catalogue.threads.size()));
        if (run == nullptr) {
            table.add({{cpus},
                       {""},
                       {threads},
                       shown_cpu_time(count),
                       {"deadlock", Emphasis::worst},
                       {""},
                       {""},
                       {""},
                       {""},
                       {""},
                       {""},
                       {""},
                       {"see below"}});
            continue;
        }
        auto const speed_up = speed_up_of(count, report);
        auto const range = speed_up_range(count, report);
        table.add(
            {{cpus},
             {has_warning(count.prediction.findings) ? "(~)" : ""},
             {threads},
             shown_cpu_time(count),
             {time_text(run->run.accounts.completion)},
             {run->range ? time_range_text(run->range->time_ns) : ""},
             {speed_up ? speed_up_text(*speed_up) : ""},
             {range ? speed_up_range_text(*range) : ""},
             {count.speed_up_there ? speed_up_text(*count.speed_up_there) : ""},
             {shows_same && count.cpus > 1 ? speed_up_text(run->speed_up) : ""},
             {report.ignores_count || shows_ranges ? "" : bounds_cell(*run, has_marks)},
             {speed_up ? percent_text(*speed_up / count.cpus) : ""},
             lost_to(*run, count.prediction.recording().catalogue, layout,
                     columns_before_causes + (shows_ranges ? columns_of_ranges : columns_of_bounds) +
                         (has_cpu_times ? columns_of_cpu_time : 0) + (has_there ? columns_of_cpu_time : 0))});
    }
    std::string text = table.text(layout.colour, layout.table_width()) + bounds_key(has_marks, layout);
    if (shows_ranges)
        text += ranges_key(report.counts.back().prediction, layout);
    if (report.ignores_count) {
        text +=
            "  no speed-up: the program was not told the number of CPUs, and made the same threads each "
            "time\n";
    } else if (!has_one(report)) {
        text += "  speed-up: against the same threads on 1 CPU\n";
    } else if (shows_same) {
        text += paragraph(
            fmt::format("  speed-up: against the program that is told to use 1 CPU; same threads{}: "
                        "against the threads of the row on 1 CPU",
                        shows_ranges ? "" : ", and their ideal range"),
            layout);
    }
    if (has_cpu_times)
        text += paragraph("  CPU time: on one CPU, over that of one thread, without what turns cost", layout);
    if (has_there)
        text += paragraph(
            fmt::format("  there: the speed-up x CPU time / CPU time in {}, which made three of nine "
                        "predictions of the paper worse (Broberg 2002, paper III): a second opinion",
                        *report.cpu_times_file),
            layout);
    return text;
}

std::string extent_of(ScaleAnswer const& report, Layout const& layout) {
    if (!report.scaling)
        return {};
    auto const beyond = report.scaling->first_beyond.value_or(report.counts.back().cpus);
    auto const at = std::ranges::find(report.counts, beyond, &ScaledCount::cpus);
    return '\n' + paragraph(extent_text(*report.scaling, at->speed_up.value_or(1)), layout);
}

std::string range_text(Spread const& times) {
    auto const text = [](double ns) { return time_text(Duration{static_cast<std::int64_t>(ns)}); };
    return fmt::format("{} ({} - {})", text(times.median), text(times.least), text(times.most));
}

Spread times_of(MeasuredSeries const& series) {
    std::vector<double> walls;
    for (MeasuredRun const& run : series.runs)
        walls.push_back(to_real(run.times.wall).ns);
    return spread_of(std::move(walls));
}

void add_measured_rows(ScaledCount const& count, Table& table) {
    for (MeasuredSeries const& series : count.measured) {
        Row const* const run = predicted_on(count, series.cpus);
        bool const is_compared = series.cpus == count.compared_cpus && count.same_threads;
        auto const& comparison = count.same_threads;
        auto const range = compared_range(count);
        table.add({{fmt::format("{}", count.cpus)},
                   {fmt::format("{}", series.cpus)},
                   {run ? time_text(run->run.accounts.completion) : "deadlock"},
                   {range_text(times_of(series))},
                   {is_compared ? speed_up_text(comparison->predicted) : ""},
                   {is_compared && range ? speed_up_range_text(*range) : ""},
                   {is_compared ? fmt::format("{} ({} - {})", speed_up_text(comparison->measured.median),
                                              speed_up_text(comparison->measured.least),
                                              speed_up_text(comparison->measured.most))
                                : ""},
                   {is_compared ? speed_up_text(comparison->best) : ""},
                   {is_compared ? percent_text(comparison->error) : "",
                    is_compared && comparison->error > large_error ? Emphasis::worst : Emphasis::none}});
    }
}

std::string said_of(ScaledCount const& count, ScaleAnswer const& report, Layout const& layout) {
    std::string text;
    std::string const head =
        report.counts.size() > 1 ? fmt::format("for {}: ", counted(count.cpus, "CPU")) : "";
    auto const say = [&](std::string const& sentence) { text += paragraph("  " + head + sentence, layout); };
    if (count.over_one) {
        say(
            fmt::format("against the program that is told to use 1 CPU: predicted {}, measured {} (fastest "
                        "runs), error {}.",
                        speed_up_text(count.over_one->predicted), speed_up_text(count.over_one->best),
                        percent_text(count.over_one->error)));
    }
    for (std::string const& sentence : explanation(count))
        say(sentence);
    return text;
}

std::string discarded_text(ScaleAnswer const& report) {
    unsigned discarded = 0;
    unsigned disturbed = 0;
    unsigned runs = 0;
    for (ScaledCount const& count : report.counts) {
        for (MeasuredSeries const& series : count.measured) {
            discarded += series.discarded;
            disturbed += series.disturbed;
            runs += static_cast<unsigned>(series.runs.size());
        }
    }
    std::string const kept = disturbed == 0 ? "" : fmt::format(", {} kept although disturbed", disturbed);
    return fmt::format("{}, {} more discarded because others used the machine{}", counted(runs, "run"),
                       discarded, kept);
}

std::string recording_cost_text(ScaleAnswer const& report, Layout const& layout) {
    std::string text;
    for (ScaledCount const& count : report.counts) {
        if (count.recording_cost) {
            text += fmt::format("{}{:+.1f} % for {}", text.empty() ? "" : ", ", *count.recording_cost * 100,
                                counted(count.cpus, "CPU"));
        }
    }
    return text.empty()
               ? text
               : paragraph("  CPU time of the recorded run over that of the bare ones, on one CPU: " + text,
                           layout);
}

// "The measured median lies in the 90 % range for 2, 4 CPUs, outside of it for 8 CPUs."
std::string within_text(ScaleAnswer const& report, Layout const& layout) {
    std::vector<std::string> within;
    std::vector<std::string> outside;
    for (ScaledCount const& count : report.counts)
        if (auto const range = compared_range(count)) {
            double const median = count.same_threads->measured.median;
            (median >= range->low && median <= range->high ? within : outside)
                .push_back(fmt::format("{}", count.cpus));
        }
    if (within.empty() && outside.empty())
        return {};
    auto const on = [](std::vector<std::string> const& counts) {
        return fmt::format("{} CPUs", fmt::join(counts, ", "));
    };
    auto const text = within.empty() ? "lies outside of the 90 % range for " + on(outside)
                                     : "lies in the 90 % range for " + on(within) +
                                           (outside.empty() ? "" : ", outside of it for " + on(outside));
    return paragraph("  The measured median " + text + ".", layout);
}

std::string measured_part(ScaleAnswer const& report, Layout const& layout) {
    Table table({{"told"},
                 {"on CPUs"},
                 {"predicted"},
                 {"measured (range)"},
                 {"speed-up"},
                 {has_ranges(report) ? "90 %" : "", Align::left},
                 {"measured (range)"},
                 {"best/best"},
                 {"error"}});
    std::string said;
    for (ScaledCount const& count : report.counts) {
        add_measured_rows(count, table);
        said += said_of(count, report, layout);
    }
    if (table.rows() == 0)
        return wrapped("\nNothing could be measured: this machine has too few CPUs.", layout.width) + '\n';
    return "\n" +
           wrapped(fmt::format("measured here, on {}: {}", counted(report.machine_cpus, "CPU"),
                               discarded_text(report)),
                   layout.width, 4) +
           "\n\n" + table.text(layout.colour, layout.table_width()) + within_text(report, layout) + said +
           recording_cost_text(report, layout);
}

std::string deadlocks_of(ScaleAnswer const& report, Layout const& layout) {
    std::string text;
    for (ScaledCount const& count : report.counts) {
        Answer const& prediction = count.prediction;
        text += deadlocks_text(prediction.rows, prediction.recording().model,
                               prediction.recording().catalogue, layout);
    }
    return text;
}

}  // namespace

std::string scale_text(ScaleAnswer const& report, Layout const& layout) {
    return findings_of(report, layout) + replacements_of(report, layout) + header(report, layout) + '\n' +
           predictions_table(report, layout) + extent_of(report, layout) +
           (report.runs > 0 ? measured_part(report, layout) : "") + deadlocks_of(report, layout);
}

}  // namespace parcast::report
