#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/bytes_text.h"
#include "core/counted.h"
#include "core/percent_text.h"
#include "core/three_digits.h"
#include "report/format.h"
#include "report/signature_mapping.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr std::size_t most_thread_rows = 32;
constexpr std::size_t widest_matrix = 64;  // columns that are printed one by one

std::int64_t whole(std::uint64_t number) {
    return static_cast<std::int64_t>(number);
}

// "7", "2 to 7"
std::string range_text(std::uint64_t least, std::uint64_t most) {
    return least == most ? count_text(whole(least))
                         : count_text(whole(least)) + " to " + count_text(whole(most));
}

std::string tasks_each(MappingRow const& row) {
    auto const [least, most] = std::ranges::minmax(row.threads, {}, &MappedThreadRow::tasks);
    return range_text(least.tasks, most.tasks);
}

std::string events_each(MappingRow const& row) {
    auto const [least, most] = std::ranges::minmax(row.threads, {}, &MappedThreadRow::events);
    return range_text(least.events, most.events);
}

std::string work_text(std::optional<double> ns) {
    return ns ? task_time_text(*ns) : "";
}

std::string data_text(std::optional<double> bytes) {
    return bytes ? bytes_text(static_cast<std::uint64_t>(std::llround(*bytes))) : "";
}

std::string law_text(SignatureMapping const& mapping) {
    return mapping.law == "normal" && mapping.correlation != 0
               ? fmt::format("normal, correlation {:g}", mapping.correlation)
               : mapping.law;
}

std::string row_verdict(SignatureMapping const& mapping, MappingRow const& row) {
    auto text = fmt::format("{} {} {}, {} each", counted(whole(row.threads.size()), "thread"),
                            row.threads.size() == 1 ? "has" : "have", counted(whole(row.events), "event"),
                            events_each(row));
    text += row.alpha_ns ? fmt::format(": one after {} of work.", work_text(row.alpha_ns)) : ".";
    if (row.work_ns > 0)
        text += row.imbalance > 0 ? fmt::format(" The busiest thread has {} more work than the mean.",
                                                percent_text(row.imbalance))
                                  : " All threads have the same work.";
    if (row.expected_imbalance)
        text += fmt::format(" With random work ({}) the busiest is expected to have {} more.",
                            law_text(mapping), percent_text(*row.expected_imbalance));
    return text;
}

std::string characteristic_verdict(MappingCharacteristic const& g) {
    constexpr double fits_badly = 0.25;
    if (g.relative_error > fits_badly)
        return fmt::format(
            "The number of events follows no simple function of P; the nearest, {}, is off by {}.", g.formula,
            percent_text(g.relative_error));
    auto text = fmt::format("E = g(P) = {} is {}.", g.formula, g.growth_sentence);
    bool const is_power = g.formula.find('^') != std::string::npos;
    if (is_power && g.exponent && g.exponent_95)
        text += fmt::format(" As a power, its exponent is {:.3g} ({:.3g} to {:.3g}, 95 % confidence).",
                            *g.exponent, g.exponent_95->low, g.exponent_95->high);
    if (g.few_counts)
        text += " Three numbers of threads are few: ask for more with --cpus.";
    return text;
}

std::string mappings_text(SignatureMapping const& mapping, Layout const& layout) {
    Table table({{"threads"},
                 {"tasks each"},
                 {"work"},
                 {"imbalance"},
                 {"expected"},
                 {"events"},
                 {"each"},
                 {"work/event"},
                 {"data"},
                 {"data/event"}});
    for (auto const& row : mapping.rows)
        table.add({{count_text(whole(row.threads.size()))},
                   {tasks_each(row)},
                   {work_text(row.work_ns)},
                   {percent_text(row.imbalance)},
                   {row.expected_imbalance ? percent_text(*row.expected_imbalance) : ""},
                   {count_text(whole(row.events))},
                   {events_each(row)},
                   {work_text(row.alpha_ns)},
                   {row.beta_bytes ? data_text(row.data_bytes) : ""},
                   {data_text(row.beta_bytes)}});
    return table.text(layout.colour, layout.table_width());
}

std::string threads_text(SignatureMapping const& mapping, MappingRow const& row, Layout const& layout) {
    Table table({{"thread"},
                 {"tasks"},
                 {"work"},
                 {"mean"},
                 {"deviation"},
                 {"events"},
                 {"work/event"},
                 {"data"},
                 {"data/event"}});
    for (std::size_t i = 0; i < row.threads.size(); ++i) {
        auto const& thread = row.threads[i];
        table.add({{std::to_string(i)},
                   {count_text(whole(thread.tasks))},
                   {work_text(thread.work_ns)},
                   {mapping.is_random ? work_text(thread.mean_ns) : ""},
                   {mapping.is_random ? work_text(thread.deviation_ns) : ""},
                   {count_text(whole(thread.events))},
                   {work_text(thread.alpha_ns)},
                   {thread.beta_bytes ? data_text(thread.data_bytes) : ""},
                   {data_text(thread.beta_bytes)}});
    }
    auto const text = table.text(layout.colour, layout.table_width());
    if (!mapping.is_random)
        return text;
    return text +
           wrapped(fmt::format(
                       "  mean, deviation: of a thread whose tasks are alike, all with the mean {} and the "
                       "deviation {} of the program's tasks (3.10, 3.11); work and imbalance: of the "
                       "tasks as they are",
                       work_text(row.task_mean_ns), work_text(row.task_deviation_ns)),
                   layout.width, 4) +
           "\n";
}

// "0 to 3, 7": ascending.
std::string places_text(std::vector<std::uint32_t> const& places) {
    std::string text;
    for (std::size_t i = 0; i < places.size();) {
        std::size_t last = i;
        while (last + 1 < places.size() && places[last + 1] == places[last] + 1)
            ++last;
        text += (text.empty() ? "" : ", ") + std::to_string(places[i]);
        if (last > i)
            text += " to " + std::to_string(places[last]);
        i = last + 1;
    }
    return text.empty() ? "none" : text;
}

// A row of 0 and 1, or the places of the ones where it would be too wide.
std::string matrix_row(std::vector<std::uint32_t> const& ones, std::size_t columns) {
    if (columns > widest_matrix)
        return places_text(ones);
    std::string row(2 * columns, ' ');
    for (std::size_t i = 0; i < columns; ++i)
        row[2 * i] = '0';
    for (auto const place : ones)
        row[2 * place] = '1';
    return row.substr(0, row.empty() ? 0 : row.size() - 1);
}

std::string matrix_text(std::string const& title, std::vector<std::vector<std::uint32_t>> const& rows,
                        std::size_t columns, Layout const& layout) {
    auto text = "\n" + title + "\n";
    for (std::size_t i = 0; i < rows.size(); ++i)
        text += wrapped(fmt::format("  {:>4}  {}", i, matrix_row(rows[i], columns)), layout.width, 8) + "\n";
    return text;
}

std::string matrices_text(MappingRow const& row, bool is_random, Layout const& layout) {
    auto const& matrices = *row.matrices;
    std::vector<std::vector<std::uint32_t>> tasks(row.threads.size());
    for (std::size_t task = 0; task < matrices.thread_of_task.size(); ++task)
        tasks[matrices.thread_of_task[task]].push_back(static_cast<std::uint32_t>(task));
    auto text = matrix_text("M_D: which thread (a row each) does which task", tasks,
                            matrices.thread_of_task.size(), layout);
    if (!matrices.subdomains.empty())
        text += matrix_text("Q_B: which thread (a row each) has whose data", matrices.subdomains,
                            matrices.subdomains.size(), layout);
    if (is_random) {
        text += "\nCovariance of the threads' work, ns^2\n";
        for (auto const& line : matrices.covariance_ns2) {
            text += " ";
            for (double const value : line)
                text += fmt::format(" {:.4g}", value);
            text += "\n";
        }
    }
    return text;
}

std::string head_of(SignatureMapping const& mapping) {
    auto const& row = mapping.rows.front();
    auto const how = mapping.schedule.empty() ? std::string("as they are on its ranks")
                                              : "mapped to threads by " + mapping.schedule;
    return fmt::format("{}: {}, {}; no clock\n", mapping.file, counted(whole(row.tasks), "task"), how);
}

}  // namespace

std::string signature_mapping_text(SignatureMapping const& mapping, Layout const& layout) {
    auto text = wrapped(head_of(mapping), layout.width) + "\n";
    if (mapping.characteristic)
        text += wrapped(characteristic_verdict(*mapping.characteristic), layout.width) + "\n";
    text += wrapped(row_verdict(mapping, mapping.rows.back()), layout.width) + "\n\n";
    text += mappings_text(mapping, layout);
    for (auto const& row : mapping.rows) {
        bool const is_only = mapping.rows.size() == 1;
        if (row.matrices || (is_only && row.threads.size() <= most_thread_rows))
            text += (is_only ? "\n" : fmt::format("\nOn {} threads\n", row.threads.size())) +
                    threads_text(mapping, row, layout);
        if (row.matrices)
            text += matrices_text(row, mapping.is_random, layout);
    }
    for (auto const& note : mapping.notes)
        text += "\n" + wrapped(note, layout.width) + "\n";
    return text;
}

}  // namespace parcast::report
