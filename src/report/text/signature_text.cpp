#include "report/signature.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "answer/signature_numbers.h"
#include "report/format.h"
#include "report/names.h"
#include "report/sentences/sentences.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/signature_parts.h"

namespace parcast::report {

namespace {

// A finding that several recordings share is said once, for the first of them.
std::string findings_of_series(SignatureAnswer const& answer, Layout const& layout) {
    std::string text;
    std::set<FindingKind> said;
    for (auto const& recording : answer.recordings) {
        std::vector<Finding> news;
        for (auto const& finding : recording.findings)
            if (finding.severity == Severity::warning && said.insert(finding.kind).second)
                news.push_back(finding);
        if (!news.empty())
            text += printable(recording.file) + ":\n" + findings_text(news, recording.catalogue, layout);
    }
    return text.empty() ? text : text + '\n';
}

// The placeholder as it is typed for scale: a shell takes it as it is.
std::string command_text(std::vector<std::string> const& words) {
    auto text = shown_command(words);
    std::string const quoted = "'{cpus}'";
    for (auto at = text.find(quoted); at != std::string::npos; at = text.find(quoted))
        text.replace(at, quoted.size(), "{cpus}");
    return text;
}

std::string origin_of_series(SignatureAnswer const& answer, Layout const& layout) {
    auto const& last = answer.recordings.back();
    std::string numbers;
    for (auto const& recording : answer.recordings)
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(recording.threads);
    std::set<std::string> models;
    bool has_cpu_each = true;
    for (auto const& recording : answer.recordings) {
        models.insert(recording.model);
        has_cpu_each = has_cpu_each && recording.cpus >= recording.rows.size();
    }
    std::string names;
    for (auto const& model : models)
        names += (names.empty() ? "" : " and ") + model;
    return paragraph(command_text(answer.command), layout) +
           paragraph(
               fmt::format("{} with P = {} {}, each recorded on one CPU and replayed on "
                           "{} by the {} model · {}",
                           counted(static_cast<std::int64_t>(answer.recordings.size()), "recording"), numbers,
                           answer.is_number_of_threads ? "threads that work" : "by their names",
                           has_cpu_each ? std::string("a CPU for each thread")
                                        : counted(std::int64_t{last.cpus}, "CPU"),
                           names, last.machine),
               layout);
}

// A column of a table by P: its heading, what it means, and its cell of a recording.
struct ColumnByThreads {
    std::string heading;
    std::string meaning;  // empty: the heading says it
    std::string (*cell)(RecordingSignature const&);
};

std::string mean_time_cell(OverThreads const& quantity) {
    return quantity.mean > 0 ? signed_time_text(quantity.mean) : "";
}

std::vector<ColumnByThreads> dynamic_columns() {
    using Recording = RecordingSignature;
    return {
        {"P", "", [](Recording const& each) { return std::to_string(each.threads); }},
        {"events", "", [](Recording const& each) { return count_text(each.events); }},
        {"κ", "events of a thread",
         [](Recording const& each) { return mean_count_text(each.means.events.mean); }},
        {"active α", "mean active period",
         [](Recording const& each) { return mean_time_cell(each.means.alpha_ns); }},
        {"event β", "mean duration of an event",
         [](Recording const& each) { return mean_time_cell(each.means.beta_ns); }},
        {"write", "an event that does not wait",
         [](Recording const& each) { return mean_time_cell(each.means.write_ns); }},
        {"read", "an event that waits",
         [](Recording const& each) { return mean_time_cell(each.means.read_ns); }},
        {"algorithmic", "of a read, until what it waits for is issued",
         [](Recording const& each) { return mean_time_cell(each.means.algorithmic_ns); }},
        {"other", "of a read, by locks, input and output, wake-ups and want of a CPU",
         [](Recording const& each) { return mean_time_cell(each.means.other_blocking_ns); }},
        {"γ", "β/α", [](Recording const& each) { return optional_cell(each.gamma); }},
        {"η", "share of its life in which a thread is active (3.37)",
         [](Recording const& each) { return percent_text(each.eta); }},
        {"ν active", "mean number of active threads",
         [](Recording const& each) { return three_digits(each.nu_active); }},
        {"ν", "of threads not blocked", [](Recording const& each) { return three_digits(each.nu); }},
        {"Δ", "load imbalance, the busiest thread over the mean, less 1",
         [](Recording const& each) { return percent_text(each.imbalance); }},
        {"data", "bytes of input and output",
         [](Recording const& each) {
             return each.data_bytes > 0 ? bytes_text(static_cast<std::uint64_t>(each.data_bytes))
                                        : std::string();
         }},
    };
}

std::vector<ColumnByThreads> speed_up_columns(SignatureAnswer const& answer) {
    using Recording = RecordingSignature;
    std::string const basis = answer.is_scaled ? "ν active: what one thread would take for the active work "
                                                 "alone, over T"
                              : answer.has_one_thread ? "T(1)/T(P), of the replays"
                                                      : "W(1)/T(P), of the replays";
    return {
        {"P", "", [](Recording const& each) { return std::to_string(each.threads); }},
        {"time T", "", [](Recording const& each) { return signed_time_text(each.time_ns); }},
        {"work W", "CPU time of all threads",
         [](Recording const& each) { return signed_time_text(each.work_ns); }},
        {"W/P", "the signature",
         [](Recording const& each) { return signed_time_text(each.work_ns / each.threads); }},
        {"a", "ν/P", [](Recording const& each) { return optional_cell(each.a); }},
        {"b", "W(P)/(P W(1))", [](Recording const& each) { return optional_cell(each.b); }},
        {"speed-up", answer.is_number_of_threads ? "a/b, " + basis : basis,
         [](Recording const& each) { return optional_cell(each.speed_up); }},
        {"P η", "its bound if no work is lost (3.39), the η of all threads summed",
         [](Recording const& each) { return optional_cell(each.speed_up_bound); }},
        {"theorem", "nobody is blocked", [](Recording const& each) { return optional_cell(each.theorem); }},
        {"Amdahl", "", [](Recording const& each) { return optional_cell(each.amdahl); }},
        {"Gustafson", "", [](Recording const& each) { return optional_cell(each.gustafson); }},
        {"USL", "universal scalability; these laws are fitted to the speed-ups",
         [](Recording const& each) { return optional_cell(each.universal); }},
        {"measured", "median",
         [](Recording const& each) {
             return each.measured ? three_digits(each.measured->median) : std::string();
         }},
    };
}

// The table, and below it what the columns mean that it shows.
std::string table_by_threads(SignatureAnswer const& answer, std::vector<ColumnByThreads> const& columns,
                             Layout const& layout) {
    std::vector<Column> headings;
    std::string legend;
    for (auto const& column : columns) {
        headings.push_back({column.heading});
        bool const is_shown = std::ranges::any_of(
            answer.recordings, [&](RecordingSignature const& each) { return !column.cell(each).empty(); });
        if (is_shown && !column.meaning.empty())
            legend += (legend.empty() ? "  " : "; ") + column.heading + ": " + column.meaning;
    }
    Table table(std::move(headings));
    for (auto const& recording : answer.recordings) {
        std::vector<Cell> row;
        for (auto const& column : columns)
            row.push_back({column.cell(recording)});
        table.add(std::move(row));
    }
    return table.text(layout.colour, layout.table_width()) + paragraph(legend, layout);
}

}  // namespace

std::string signature_text(SignatureAnswer const& answer, Layout const& layout) {
    auto text = findings_of_series(answer, layout) + origin_of_series(answer, layout) + "\n";
    for (auto const& sentence : answer.verdict)
        text += paragraph(printable(sentence), layout);
    for (auto const& note : answer.notes)
        text += paragraph("note: " + printable(note), layout);
    for (auto const& command : answer.next)
        text += paragraph("next: " + printable(command), layout);
    return text + "\n" + table_by_threads(answer, dynamic_columns(), layout) + "\n" +
           table_by_threads(answer, speed_up_columns(answer), layout) + signature_laws_text(answer, layout) +
           signature_work_text(answer, layout) + signature_candidates_text(answer, layout) +
           signature_causes_text(answer, layout);
}

}  // namespace parcast::report
