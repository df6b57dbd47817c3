// A row for every thread of every recording, and below them the figures over the threads that the means are
// of.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "answer/signature_numbers.h"
#include "report/format.h"
#include "report/signature.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

namespace {

// A column of numbers, of a thread and over the threads.
struct ThreadColumn {
    std::string heading;
    std::string meaning;  // empty: the heading says it
    std::optional<double> (*value)(ThreadSignature const&, RecordingSignature const&);
    std::string (*text)(double);
    OverThreads (*over)(RecordingSignature const&);
};

// Of a thread whole, of a mean perhaps not.
std::string number_cell(double value) {
    return value == std::floor(value) ? count_text(static_cast<std::int64_t>(value)) : mean_count_text(value);
}

std::string bytes_cell(double bytes) {
    return bytes_text(static_cast<std::uint64_t>(bytes));
}

// The ratio of the means of beta and alpha.
OverThreads gamma_over_threads(RecordingSignature const& recording) {
    OverThreads over;
    bool is_first = true;
    for (auto const& row : recording.rows) {
        if (!row.is_counted || !row.is_in_means || row.alpha_ns() <= 0)
            continue;
        auto const gamma = row.beta_ns() / row.alpha_ns();
        over.least = is_first ? gamma : std::min(over.least, gamma);
        over.most = std::max(over.most, gamma);
        is_first = false;
    }
    over.mean = recording.gamma.value_or(0);
    return over;
}

OverThreads eta_over_threads(RecordingSignature const& recording) {
    auto over = recording.means.active_ns;
    auto const time = recording.time_ns > 0 ? recording.time_ns : 1;
    for (auto* const figure : {&over.mean, &over.least, &over.most})
        *figure /= time;
    if (over.ci95)
        *over.ci95 /= time;
    return over;
}

std::vector<ThreadColumn> thread_columns() {
    using Row = ThreadSignature;
    using Recording = RecordingSignature;
    using Value = std::optional<double>;
    return {
        {"κ", "events",
         [](Row const& row, Recording const&) -> Value { return static_cast<double>(row.events); },
         number_cell, [](Recording const& each) { return each.means.events; }},
        {"writes", "",
         [](Row const& row, Recording const&) -> Value { return static_cast<double>(row.writes); },
         number_cell, [](Recording const& each) { return each.means.thread_writes; }},
        {"reads", "",
         [](Row const& row, Recording const&) -> Value { return static_cast<double>(row.reads); },
         number_cell, [](Recording const& each) { return each.means.thread_reads; }},
        {"active", "in all", [](Row const& row, Recording const&) -> Value { return row.active_ns; },
         signed_time_text, [](Recording const& each) { return each.means.active_ns; }},
        {"α", "active between two events",
         [](Row const& row, Recording const&) -> Value { return row.alpha_ns(); }, signed_time_text,
         [](Recording const& each) { return each.means.alpha_ns; }},
        {"β", "an event", [](Row const& row, Recording const&) -> Value { return row.beta_ns(); },
         signed_time_text, [](Recording const& each) { return each.means.beta_ns; }},
        {"γ", "β/α",
         [](Row const& row, Recording const&) -> Value {
             return row.alpha_ns() > 0 ? Value(row.beta_ns() / row.alpha_ns()) : std::nullopt;
         },
         three_digits, gamma_over_threads},
        {"η", "share of the run in which it is active",
         [](Row const& row, Recording const& recording) -> Value {
             return recording.time_ns > 0 ? Value(row.active_ns / recording.time_ns) : std::nullopt;
         },
         percent_text, eta_over_threads},
        {"communicating", "CPU time in events",
         [](Row const& row, Recording const&) -> Value { return row.communicating_ns; }, signed_time_text,
         [](Recording const& each) { return each.means.thread_communicating_ns; }},
        {"algorithmic", "blocked until what it waits for is issued",
         [](Row const& row, Recording const&) -> Value { return row.algorithmic_ns; }, signed_time_text,
         [](Recording const& each) { return each.means.thread_algorithmic_ns; }},
        {"other", "blocked otherwise",
         [](Row const& row, Recording const&) -> Value { return row.other_blocking_ns; }, signed_time_text,
         [](Recording const& each) { return each.means.thread_other_ns; }},
        {"outside", "before it is created and after its end",
         [](Row const& row, Recording const&) -> Value { return row.outside_ns; }, signed_time_text,
         [](Recording const& each) { return each.means.thread_outside_ns; }},
        {"data", "bytes of input and output",
         [](Row const& row, Recording const&) -> Value {
             return row.data_bytes > 0 ? Value(row.data_bytes) : std::nullopt;
         },
         bytes_cell, [](Recording const& each) { return each.means.data_bytes; }},
    };
}

std::string role_text(ThreadSignature const& row) {
    return !row.is_counted ? " (not in P)" : !row.is_in_means ? " (in no mean)" : "";
}

// A row below those of the threads.
struct FigureRow {
    char const* name;
    std::optional<double> (*of)(OverThreads const&);
};
constexpr std::array figure_rows = std::to_array<FigureRow>({
    {"mean", [](OverThreads const& over) { return std::optional(over.mean); }},
    {"± (95 %)", [](OverThreads const& over) { return over.ci95; }},
    {"least", [](OverThreads const& over) { return std::optional(over.least); }},
    {"most", [](OverThreads const& over) { return std::optional(over.most); }},
});

std::string table_of(RecordingSignature const& recording, std::vector<ThreadColumn> const& columns,
                     Layout const& layout) {
    std::vector<Column> headings{{"thread"}, {"name", Align::left, Cut::end}};
    for (auto const& column : columns)
        headings.push_back({column.heading});
    Table table(std::move(headings));
    for (auto const& row : recording.rows) {
        std::vector<Cell> cells{
            {std::to_string(row.thread.value)},
            {printable(row.name) + role_text(row), Emphasis::none, {printable(row.name)}}};
        for (auto const& column : columns) {
            auto const value = column.value(row, recording);
            cells.push_back({value ? column.text(*value) : ""});
        }
        table.add(std::move(cells));
    }
    for (auto const& figure : figure_rows) {
        std::vector<Cell> cells{{""}, {figure.name}};
        for (auto const& column : columns) {
            auto const over = column.over(recording);
            auto const value = over.most > 0 ? figure.of(over) : std::nullopt;
            cells.push_back({value ? column.text(*value) : ""});
        }
        table.add(std::move(cells));
    }
    return table.text(layout.colour, layout.table_width());
}

}  // namespace

std::string signature_threads_text(SignatureAnswer const& answer, Layout const& layout) {
    auto const columns = thread_columns();
    std::string text;
    for (auto const& recording : answer.recordings)
        text += fmt::format("\nP = {}, {}\n", recording.threads, printable(recording.file)) +
                table_of(recording, columns, layout);
    std::string legend;
    for (auto const& column : columns)
        if (!column.meaning.empty())
            legend += (legend.empty() ? "  " : "; ") + column.heading + ": " + column.meaning;
    return text + paragraph(legend + "; mean to most: over the threads that are in the means", layout);
}

}  // namespace parcast::report
