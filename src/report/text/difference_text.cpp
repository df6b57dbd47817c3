#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "report/difference.h"
#include "report/format.h"
#include "report/names.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr std::size_t most_rows = 8;
constexpr std::size_t parts_of_a_row = 2;
constexpr double least_part = 0.005;  // of the time, that is shown
constexpr double least_function = 0.005;
constexpr std::size_t widest_label = 44;

std::string time_of(double ns) {
    return time_text(Duration{std::llround(ns)});
}

// "-1.32 s", "+40.0 ms", "0"
std::string signed_time(double ns) {
    auto const whole = std::llround(ns);
    return whole == 0 ? "0" : (whole < 0 ? "-" : "+") + time_text(Duration{std::abs(whole)});
}

std::string shown_time(double ns) {
    return std::llround(ns) == 0 ? "" : time_of(ns);
}

std::string ratio_range_text(std::optional<Range> const& range) {
    return range ? fmt::format("{:.2f} - {:.2f}", range->low, range->high) : "";
}

std::string shortened(std::string const& name, Layout const& layout) {
    bool const is_whole = layout.detail == Detail::all || layout.names == NameColumns::whole;
    return is_whole ? printable(name) : shorten_middle(printable(name), widest_label);
}

// What tells the sides apart comes first.
std::string side_text(ComparedSide const& side, Layout const& layout) {
    std::string text = side.letter + "  ";
    text += side.command.empty() ? printable(side.file)
                                 : shown_command(side.command) + " (" + printable(side.file) + ")";
    if (!side.change.empty())
        text += ", changed: " + printable(side.change);
    if (!side.machine.empty())
        text += " · " + printable(side.machine);
    if (side.origin == SideOrigin::measured)
        text += " · measured";
    if (side.is_doubtful)
        text += " (~)";
    return paragraph(text, layout);
}

// "mutex sums (n_body.cpp:111) -1.11 s, own code -210 ms"
Cell origin_of_change(CountDifference const& count, Layout const& layout) {
    Cell cell;
    for (auto const& part : difference_parts(count)) {
        bool const is_notable = std::abs(part.time.change_ns()) > least_part * count.first.time_ns;
        if (cell.names.size() == parts_of_a_row || !is_notable)
            break;
        cell.names.push_back(shortened(part.label, layout));
        cell.text +=
            (cell.text.empty() ? "" : ", ") + cell.names.back() + " " + signed_time(part.time.change_ns());
    }
    return cell;
}

std::string counts_table(ComparedSides const& compared, Difference const& difference, Layout const& layout) {
    auto const& first = compared.sides[difference.first];
    auto const& second = compared.sides[difference.second];
    Table table({{"CPUs"},
                 {first.letter},
                 {"90 %", Align::left},
                 {second.letter},
                 {"90 %", Align::left},
                 {second.letter + "/" + first.letter},
                 {"90 %", Align::left},
                 {"where it comes from", Align::left, Cut::end}});
    bool const is_worthless = first.is_worthless || second.is_worthless;
    for (auto const& count : difference.counts) {
        auto const range = [](SideRun const& run) { return run.range ? time_range_text(*run.range) : ""; };
        bool const is_worse = !is_worthless && count.is_beyond() && count.ratio > 1;
        table.add({{fmt::format("{}", count.cpus)},
                   {time_of(count.first.time_ns)},
                   {range(count.first)},
                   {time_of(count.second.time_ns)},
                   {range(count.second)},
                   {fmt::format("{:.2f}", count.ratio), is_worse ? Emphasis::worst : Emphasis::none},
                   {ratio_range_text(count.ratio_range)},
                   is_worthless        ? Cell{}
                   : count.is_beyond() ? origin_of_change(count, layout)
                                       : Cell{reason_for_none(count)}});
    }
    std::string text = table.text(layout.colour, layout.table_width());
    if (!difference.deadlocked.empty())
        text += "  a side deadlocks on the other numbers of CPUs\n";
    return text;
}

std::string parts_table(ComparedSides const& compared, Difference const& difference,
                        CountDifference const& count, Layout const& layout) {
    auto const& a = compared.sides[difference.first].letter;
    auto const& b = compared.sides[difference.second].letter;
    Table table({{"", Align::left, Cut::middle}, {a}, {b}, {b + " - " + a}, {"of the difference"}});
    double const change_ns = count.second.time_ns - count.first.time_ns;
    TwoTimes rest;
    std::size_t shown = 0;
    for (auto const& part : difference_parts(count)) {
        bool const is_small = std::max(part.time.first_ns, part.time.second_ns) <
                              least_part * std::max(count.first.time_ns, count.second.time_ns);
        if (layout.detail != Detail::all && (is_small || shown == most_rows)) {
            rest.first_ns += part.time.first_ns;
            rest.second_ns += part.time.second_ns;
            continue;
        }
        ++shown;
        table.add({{shortened(part.label, layout)},
                   {shown_time(part.time.first_ns)},
                   {shown_time(part.time.second_ns)},
                   {signed_time(part.time.change_ns())},
                   {change_ns == 0 ? "" : percent_text(part.time.change_ns() / change_ns)}});
    }
    if (rest.first_ns > 0 || rest.second_ns > 0)
        table.add({{"the rest"},
                   {shown_time(rest.first_ns)},
                   {shown_time(rest.second_ns)},
                   {signed_time(rest.change_ns())},
                   {change_ns == 0 ? "" : percent_text(rest.change_ns() / change_ns)}});
    table.add({{"time"},
               {time_of(count.first.time_ns)},
               {time_of(count.second.time_ns)},
               {signed_time(change_ns)},
               {""}});
    return fmt::format("\non {}: processor time of each kind, over the CPUs\n", counted(count.cpus, "CPU")) +
           table.text(layout.colour, layout.table_width());
}

std::string count_cell(AlignedThing const& thing) {
    if (thing.first.count == thing.second.count)
        return fmt::format("{}", thing.first.count);
    return fmt::format("{} -> {}", thing.first.count, thing.second.count);
}

std::string name_cell(AlignedThing const& thing, Layout const& layout) {
    auto const named = [](NamedThing const& each) {
        bool const has_place_already = each.place.empty() || each.name.find(each.place) != std::string::npos;
        return has_place_already ? each.name : each.name + " (" + each.place + ")";
    };
    std::string text = named(thing.known());
    if (thing.alignment == Alignment::renamed || thing.alignment == Alignment::moved)
        text += " -> " + named(thing.second);
    return shortened(text, layout);
}

std::string said_alignment(AlignedThing const& thing) {
    return thing.alignment == Alignment::same ? "" : name_of(thing.alignment);
}

// Rows of things with their time on each side, those that differ most first.
template <class Entries, class Time>
std::string things_table(std::string const& head, Entries const& entries, Time time, double least_ns,
                         ComparedSides const& compared, Difference const& difference, Layout const& layout) {
    auto const& a = compared.sides[difference.first].letter;
    auto const& b = compared.sides[difference.second].letter;
    Table table({{"", Align::left, Cut::middle}, {"number"}, {a}, {b}, {b + " - " + a}, {"", Align::left}});
    std::size_t left_out = 0;
    for (auto const& entry : entries) {
        auto const& [thing, times] = time(entry);
        bool const is_notable = std::max(times.first_ns, times.second_ns) >= least_ns;
        if (layout.detail != Detail::all && (!is_notable || table.rows() == most_rows)) {
            ++left_out;
            continue;
        }
        table.add(
            {{name_cell(thing, layout)},
             {thing.known().count == 1 && thing.first.count == thing.second.count ? "" : count_cell(thing)},
             {shown_time(times.first_ns)},
             {shown_time(times.second_ns)},
             {signed_time(times.change_ns())},
             {said_alignment(thing)}});
    }
    if (table.rows() == 0)
        return {};
    return "\n" + head + "\n" + table.text(layout.colour, layout.table_width()) +
           (left_out == 0 ? "" : fmt::format("  ... and {} more: --all\n", left_out));
}

std::string details(ComparedSides const& compared, Difference const& difference, Layout const& layout) {
    if (difference.counts.empty())
        return {};
    auto const& count = difference.counts[difference.telling.value_or(difference.counts.size() - 1)];
    auto const on = fmt::format("on {}: ", counted(count.cpus, "CPU"));
    double const thread_ns = std::max(count.first.time_ns, count.second.time_ns);
    return parts_table(compared, difference, count, layout) +
           things_table(
               on + "waiting for locks and other objects, summed over threads", count.objects,
               [](ObjectDifference const& each) { return std::pair(each.object, each.waiting); },
               least_part * thread_ns, compared, difference, layout) +
           things_table(
               on + "running threads, by what they do", count.threads,
               [](ThreadsDifference const& each) { return std::pair(each.threads, each.running); }, 0,
               compared, difference, layout) +
           things_table(
               "CPU time of functions, on any number of CPUs", count.functions,
               [](FunctionDifference const& each) { return std::pair(each.function, each.self); },
               least_function * thread_ns, compared, difference, layout);
}

// A line for each side: its times, and what changed since the side it is compared with.
std::string sides_table(ComparedSides const& compared, Layout const& layout) {
    std::set<std::uint32_t> counts;
    for (auto const& side : compared.sides)
        for (auto const& [cpus, run] : side.runs)
            counts.insert(cpus);
    std::vector<Column> columns{{"", Align::left}, {"recorded", Align::left}, {"", Align::left, Cut::middle}};
    for (auto const cpus : counts)
        columns.push_back({counted(cpus, "CPU")});
    columns.push_back({compared.is_history ? "change" : "against A"});
    columns.push_back({"90 %", Align::left});
    columns.push_back({"on"});
    Table table(std::move(columns));
    for (std::size_t i = 0; i < compared.sides.size(); ++i) {
        auto const& side = compared.sides[i];
        auto const what = !side.change.empty()   ? side.change
                          : side.command.empty() ? side.file
                                                 : shown_command(side.command);
        std::vector<Cell> cells{{side.letter}, {side.date}, {shortened(what, layout)}};
        for (auto const cpus : counts) {
            auto const run = std::ranges::find(side.runs, cpus, [](auto const& each) { return each.first; });
            cells.push_back({run == side.runs.end() ? "" : time_of(run->second.time_ns)});
        }
        auto const difference = std::ranges::find(compared.differences, i, &Difference::second);
        if (difference == compared.differences.end() || difference->counts.empty()) {
            cells.resize(cells.size() + 3);
        } else {
            auto const& count =
                difference->counts[difference->telling.value_or(difference->counts.size() - 1)];
            bool const is_worthless = side.is_worthless || compared.sides[difference->first].is_worthless;
            cells.push_back(
                {is_worthless        ? ""
                 : count.is_beyond() ? fmt::format("{:+.0f} %", 100 * (count.ratio - 1))
                                     : "none",
                 !is_worthless && count.is_beyond() && count.ratio > 1 ? Emphasis::worst : Emphasis::none});
            cells.push_back({count.ratio_range
                                 ? fmt::format("{:+.0f} to {:+.0f}", 100 * (count.ratio_range->low - 1),
                                               100 * (count.ratio_range->high - 1))
                                 : ""});
            cells.push_back({fmt::format("{}", count.cpus)});
        }
        table.add(std::move(cells));
    }
    return table.text(layout.colour, layout.table_width());
}

std::string sentences_text(ComparedSides const& compared, Difference const& difference,
                           Layout const& layout) {
    std::string text;
    for (auto const& sentences :
         {difference_sentences(compared, difference), alignment_sentences(compared, difference)})
        for (auto const& sentence : sentences)
            text += paragraph(sentence, layout);
    return text;
}

}  // namespace

std::string difference_text(ComparedSides const& compared, Layout const& layout) {
    std::string text;
    for (auto const& side : compared.sides)
        text += side_text(side, layout);
    for (auto const& note : compared.notes)
        text += paragraph("note: " + note, layout);
    text += "\n";
    if (compared.differences.size() == 1) {
        auto const& difference = compared.differences.front();
        text += sentences_text(compared, difference, layout) + "\n";
        if (difference.counts.empty())
            return text;
        text += counts_table(compared, difference, layout);
        text += paragraph("  90 %: nine of ten measurements should lie within; that of " +
                              compared.sides[difference.second].letter + "/" +
                              compared.sides[difference.first].letter +
                              " takes the errors of both sides as independent, unless one is a change of "
                              "the other",
                          layout);
        return text + details(compared, difference, layout);
    }
    for (auto const& difference : compared.differences)
        text += sentences_text(compared, difference, layout);
    text += "\n" + sides_table(compared, layout);
    if (layout.detail == Detail::all)
        for (auto const& difference : compared.differences)
            text += "\n" + compared.sides[difference.second].letter + " against " +
                    compared.sides[difference.first].letter + "\n" +
                    counts_table(compared, difference, layout) + details(compared, difference, layout);
    return text;
}

}  // namespace parcast::report
