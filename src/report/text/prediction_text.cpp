#include "report/prediction.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include <fmt/core.h>

#include "answer/run_sentences.h"
#include "report/codes/codes.h"
#include "report/format.h"
#include "report/names.h"
#include "report/sentences/sentences.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr std::size_t most_causes = 2;
constexpr double least_share = 0.005;  // shown as 1 %
constexpr std::size_t widest_cause = 48;
constexpr std::size_t narrowest_cause = 16;  // less tells nothing
constexpr std::size_t share_columns = 5;     // of " 47 %"
constexpr std::size_t columns_before_causes = 56;
constexpr std::size_t columns_with_ranges = 72;

// The label names the object that stands out, if one does: then its part.
double shown_share(Loss const& loss) {
    return loss.main_object ? loss.main_object->share : loss.share;
}

std::string threads_of(Answer const& prediction) {
    return counted(static_cast<std::int64_t>(prediction.recording().catalogue.threads.size()), "thread");
}

std::string header(Answer const& prediction, Layout const& layout) {
    std::string const left_out = work_left_out(prediction);
    std::string text = origin_text(prediction, layout) +
                       (left_out.empty() ? "" : paragraph(left_out + ": --assumptions", layout)) +
                       paragraph(replayed_by(prediction), layout) + measured_checks_text(prediction, layout);
    for (auto const& note : prediction.recording().machine.notes)
        text += paragraph("note: " + note, layout);
    return text;
}

std::string baseline(Answer const& prediction) {
    if (!prediction.recording().time_on_one)
        return "no speed-ups: the replay on 1 CPU deadlocks\n";
    if (prediction.rows.front().cpus == 1)
        return {};  // it is the first row
    return fmt::format("replayed on 1 CPU it takes {}; the speed-ups refer to that\n",
                       time_text(*prediction.recording().time_on_one));
}

bool any_outside_bounds(Answer const& prediction) {
    return prediction.recording().time_on_one &&
           std::any_of(prediction.rows.begin(), prediction.rows.end(),
                       [](Row const& run) { return !run.run.deadlock && is_outside_bounds(run); });
}

// The ideal range is beside the speed-up where nothing is known of how sure that is: two ranges would be
// mistaken for each other.
std::vector<Column> columns_of_runs(bool has_ranges, bool has_marks) {
    if (has_ranges)
        return {{"CPUs"},       {""},
                {"time"},       {"90 %", Align::left},
                {"speed-up"},   {"90 %", Align::left},
                {"efficiency"}, {"lost to", Align::left, Cut::middle}};
    return {{"CPUs"},
            {""},
            {"time"},
            {"speed-up"},
            {bounds_head(has_marks)},
            {"efficiency"},
            {"lost to", Align::left, Cut::middle}};
}

std::string runs_table(Answer const& prediction, Layout const& layout) {
    bool const has_ranges = prediction.ranges.has_value();
    bool const has_marks = !has_ranges && any_outside_bounds(prediction);
    auto columns = columns_of_runs(has_ranges, has_marks);
    std::size_t const columns_of_row = columns.size();
    Table table(std::move(columns));
    bool const is_doubtful = has_warning(prediction.findings);
    double lowest = 1;
    for (auto const& run : prediction.rows)
        lowest = run.run.deadlock ? lowest : std::min(lowest, run.efficiency);
    for (auto const& run : prediction.rows) {
        std::vector<Cell> cells{{fmt::format("{}", run.cpus)}};
        if (run.run.deadlock) {
            cells.insert(cells.end(), {{""}, {"deadlock", Emphasis::worst}});
            cells.resize(columns_of_row - 1);
            cells.push_back({"see below"});
            table.add(std::move(cells));
            continue;
        }
        bool const is_worst = prediction.rows.size() > 1 && run.efficiency == lowest && lowest < 0.5;
        bool const has_speed_up = prediction.recording().time_on_one.has_value();
        cells.insert(cells.end(), {{is_doubtful ? "(~)" : ""}, {time_text(run.run.accounts.completion)}});
        if (has_ranges)
            cells.push_back({run.range ? time_range_text(run.range->time_ns) : ""});
        cells.push_back({has_speed_up ? speed_up_text(run.speed_up) : ""});
        if (has_ranges)
            cells.push_back(
                {has_speed_up && run.range && run.cpus > 1 ? speed_up_range_text(run.range->speed_up) : ""});
        else
            cells.push_back({has_speed_up ? bounds_cell(run, has_marks) : ""});
        cells.push_back(
            {has_speed_up ? percent_text(run.efficiency) : "", is_worst ? Emphasis::worst : Emphasis::none});
        cells.push_back(lost_to(run, prediction.recording().catalogue, layout,
                                has_ranges ? columns_with_ranges : columns_before_causes));
        table.add(std::move(cells));
    }
    return table.text(layout.colour, layout.table_width()) + bounds_key(has_marks, layout) +
           ranges_key(prediction, layout);
}

// The models beside each other, if all were asked for.
std::string models_table(Answer const& prediction, Layout const& layout) {
    if (prediction.rows.empty() || prediction.rows.front().models.empty())
        return {};
    std::vector<Column> columns{{"CPUs"}};
    for (auto const& each : prediction.rows.front().models)
        columns.push_back({model_word(each.model)});
    Table table(std::move(columns));
    for (auto const& row : prediction.rows) {
        std::vector<Cell> cells{{fmt::format("{}", row.cpus)}};
        for (auto const& each : row.models) {
            bool const is_stuck = each.deadlock.has_value();
            cells.push_back({is_stuck ? "deadlock" : time_text(Duration{std::llround(each.time_ns)}),
                             is_stuck ? Emphasis::worst : Emphasis::none});
        }
        table.add(std::move(cells));
    }
    return "\nthe models of replays\n" + table.text(layout.colour);
}

}  // namespace

std::string origin_text(Answer const& prediction, Layout const& layout) {
    if (!prediction.recording().provenance) {
        std::string const& name = prediction.recording().name;
        return paragraph(printable(name) + (name.empty() ? "" : ": ") + threads_of(prediction) +
                             ", written down in " + printable(prediction.file) + ", " +
                             time_text(prediction.recording().work) + " of CPU time",
                         layout);
    }
    Provenance const& from = *prediction.recording().provenance;
    std::string const pretended =
        from.pretended_cpus ? fmt::format(", pretending {}", counted(*from.pretended_cpus, "CPU")) : "";
    return paragraph(shown_command(from.command), layout) +
           fmt::format("recorded on 1 CPU{}: {} of CPU time in {}, {}\n", pretended, time_text({from.cpu_ns}),
                       time_text({from.wall_ns}), threads_of(prediction));
}

Cell lost_to(Row const& run, Catalogue const& catalogue, Layout const& layout, std::size_t columns_before) {
    bool const is_whole = layout.detail == Detail::all || layout.names == NameColumns::whole;
    std::size_t left = layout.width > columns_before ? layout.width - columns_before : 0;
    Cell cell;
    auto causes = losses(run.limits);
    std::ranges::stable_sort(causes, std::greater(), shown_share);
    for (auto const& loss : causes) {
        if (shown_share(loss) < least_share || cell.names.size() == most_causes)
            break;
        bool const has_room = left >= narrowest_cause + share_columns;
        if (!cell.names.empty() && !has_room && !is_whole)
            break;
        std::size_t const room = has_room ? std::min(widest_cause, left - share_columns) : narrowest_cause;
        std::string label = cause_label(loss, catalogue);
        if (!is_whole && display_width(label) > room && loss.main_object)
            label = object_label(catalogue, loss.main_object->object);
        cell.names.push_back(is_whole ? label : shorten_middle(label, room));
        std::string const cause = cell.names.back() + " " + percent_text(shown_share(loss));
        cell.text += (cell.text.empty() ? "" : ", ") + cause;
        left -= std::min(left, display_width(cause) + 2);
    }
    return cell;
}

std::string prediction_text(Answer const& prediction, Layout const& layout) {
    std::string text = findings_text(prediction.findings, prediction.recording().catalogue, layout);
    if (has_warning(prediction.findings))
        text += "Predictions below are marked (~): what the warnings say makes them doubtful.\n";
    // Before any number.
    text += replacement_text(prediction, "note: ", layout);
    text += (text.empty() ? "" : "\n") + header(prediction, layout) + baseline(prediction) + '\n' +
            runs_table(prediction, layout) + models_table(prediction, layout) +
            what_if_text(prediction, layout);
    Verdict const meaning = verdict(prediction);
    text += meaning.sentences.empty() ? "" : "\n";
    for (auto const& sentence : meaning.sentences)
        text += paragraph(sentence, layout);
    // Not wrapped: it is there to be copied.
    text += meaning.next_command.empty() ? "" : "    " + meaning.next_command + '\n';
    text += first_advice_text(prediction, layout);
    return text + deadlocks_text(prediction.rows, prediction.recording().model,
                                 prediction.recording().catalogue, layout);
}

std::string threads_text(Answer const& prediction, Layout const& layout) {
    auto const widest = layout.names == NameColumns::whole ? layout.table_width() : widest_cause;
    std::string text;
    for (auto const& run : prediction.rows) {
        if (run.run.deadlock)
            continue;
        Table table({{"thread"},
                     {"name", Align::left, Cut::end},
                     {"function", Align::left, Cut::middle},
                     {"begins"},
                     {"ends"},
                     {"running"},
                     {"switching"},
                     {"spinning"},
                     {"ready"},
                     {"blocked"},
                     {"I/O"},
                     {"sleeping"}});
        for (std::size_t i = 0; i < run.run.accounts.threads.size(); ++i) {
            ThreadAccount const& account = run.run.accounts.threads[i];
            Thread const& thread = prediction.recording().catalogue.threads[i];
            auto const cell = [&](ThreadState state) {
                return Cell{account[state].ns == 0 ? "" : time_text(account[state])};
            };
            table.add({{fmt::format("{}", i)},
                       {shorten(printable(thread.name), widest)},
                       {shorten_middle(printable(thread.function), widest)},
                       {time_text(account.created - Instant{0})},
                       {time_text(account.ended - Instant{0})},
                       cell(ThreadState::running),
                       cell(ThreadState::switching),
                       cell(ThreadState::spinning),
                       cell(ThreadState::ready),
                       cell(ThreadState::blocked),
                       cell(ThreadState::input_output),
                       cell(ThreadState::sleeping)});
        }
        text += fmt::format("\nthreads on {}, {}\n", counted(run.cpus, "CPU"),
                            time_text(run.run.accounts.completion)) +
                table.text(layout.colour, layout.table_width());
    }
    return text;
}

std::string assumptions_text(Answer const& prediction, Layout const& layout) {
    if (prediction.assumptions.empty())
        return "";
    if (layout.detail == Detail::short_form)
        return fmt::format("\nThe prediction makes {} about this {}: --assumptions\n",
                           counted(static_cast<std::int64_t>(prediction.assumptions.size()), "assumption"),
                           name_of(prediction.form()).bare);
    std::string text = "\nassumptions\n";
    for (auto const& sentence : prediction.assumptions)
        text += paragraph("  - " + printable(assumption_with_code(sentence)), layout);
    return text;
}

}  // namespace parcast::report
