#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <fmt/core.h>

#include "core/percent_text.h"
#include "core/time_text.h"
#include "report/format.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr double told_effect = 0.01;  // of the time
constexpr std::size_t most_shown_points = 60;
constexpr std::size_t most_shown_jobs = 4;

// Less time than the row takes, as a share of it; none: that run deadlocks.
std::optional<double> gain_of(NetworkEffect const& effect, Row const& row) {
    return effect.time_ns && row.time_ns > 0 ? std::optional(1 - *effect.time_ns / row.time_ns)
                                             : std::nullopt;
}

// "half the latency (L)", "no rendezvous (S=never)"
std::string cheaper_text(NetworkEffect const& effect) {
    auto const name = name_of(effect.parameter);
    return is_time(effect.parameter) ? fmt::format("half the {} ({})", meaning_of(effect.parameter), name)
                                     : fmt::format("messages without rendezvous ({})", effect.change);
}

// "G: 31 %" of the first, which brings most.
std::string greatest_effect_text(Row const& row) {
    auto const& effects = row.messages->effects;
    auto const gain = effects.empty() ? std::nullopt : gain_of(effects.front(), row);
    if (!gain || *gain < told_effect)
        return effects.empty() ? "" : "nothing";
    return fmt::format("{}  {:>5}", name_of(effects.front().parameter), percent_text(*gain));
}

std::string time_or_deadlock(Row const& row) {
    return row.run.deadlock ? "deadlock" : time_text(row.run.accounts.completion);
}

std::vector<Cell> swept_cells(Answer const& prediction, Row const& row) {
    std::vector<Cell> cells;
    auto const& swept = prediction.messages().swept;
    for (std::size_t i = 0; i < swept.size(); ++i)
        cells.push_back({value_text(swept[i], row.messages->swept[i])});
    return cells;
}

double transfer_of(Row const& row) {
    auto const& ideal = row.messages->ideal_network;
    return ideal && row.time_ns > 0 ? static_cast<double>(ideal->ns) / row.time_ns : 0;
}

// Each has a column.
std::span<MessageJob const> shown_jobs(Answer const& prediction) {
    auto const& jobs = prediction.messages().jobs;
    return std::span(jobs).first(std::min(jobs.size(), most_shown_jobs));
}

std::vector<Cell> messages_cells(Answer const& prediction, Row const& row) {
    auto cells = swept_cells(prediction, row);
    cells.push_back({time_or_deadlock(row)});
    bool const has_time = !row.run.deadlock;
    for (auto const& job : shown_jobs(prediction))
        cells.push_back({has_time ? time_text(job_time(job, *row.messages)) : ""});
    cells.push_back({has_time ? percent_text(row.efficiency) : ""});
    cells.push_back({has_time && row.messages->ideal_network ? percent_text(transfer_of(row)) : ""});
    cells.push_back({has_time ? greatest_effect_text(row) : ""});
    return cells;
}

std::vector<Cell> steps_cells(Answer const& prediction, std::size_t first) {
    auto const& rows = prediction.rows;
    auto cells = swept_cells(prediction, rows[first]);
    for (std::size_t method = 0; method < step_methods; ++method)
        cells.push_back({time_or_deadlock(rows[first + method])});
    auto const& standard = rows[first];
    auto const communication = standard.run.accounts.completion - standard.messages->computation;
    cells.push_back(
        {standard.time_ns > 0 ? percent_text(static_cast<double>(communication.ns) / standard.time_ns) : ""});
    cells.push_back({greatest_effect_text(standard)});
    return cells;
}

}  // namespace

std::string network_points_text(Answer const& prediction, Layout const& layout) {
    bool const is_steps = prediction.form() == Form::steps;
    std::vector<Column> columns;
    for (auto const& parameter : prediction.messages().swept)
        columns.push_back({name_of(parameter)});
    if (is_steps)
        for (auto const* const name : {"standard", "overestimate", "overlapped", "communication"})
            columns.push_back({name});
    else
        columns.push_back({"time"});
    for (auto const& job : shown_jobs(prediction))
        columns.push_back({printable(job.file), Align::right, Cut::heading});
    if (!is_steps)
        for (auto const* const name : {"efficiency", "transfer"})
            columns.push_back({name});
    columns.push_back({"half of what brings most"});
    Table table(std::move(columns));
    auto const rows_of_point = is_steps ? step_methods : std::size_t{1};
    auto const points = prediction.rows.size() / rows_of_point;
    auto const shown = std::min(points, most_shown_points);
    for (std::size_t each = 0; each < shown; ++each) {
        auto const point = shown == points ? each : each * (points - 1) / (shown - 1);
        table.add(is_steps ? steps_cells(prediction, point * rows_of_point)
                           : messages_cells(prediction, prediction.rows[point]));
    }
    auto const text = table.text(layout.colour, layout.table_width());
    return shown == points
               ? text
               : text + paragraph(fmt::format("{} of {} points: all of them with --json.", shown, points),
                                  layout);
}

std::string network_effects_sentence(Row const& row) {
    auto const& effects = row.messages->effects;
    if (effects.empty() || row.run.deadlock)
        return {};
    std::string brings;
    std::string costs;
    for (auto const& effect : effects) {
        auto const gain = gain_of(effect, row);
        if (gain && std::abs(*gain) < told_effect)
            continue;
        auto& list = gain && *gain > 0 ? brings : costs;
        list += (list.empty() ? "" : ", ") + cheaper_text(effect);
        if (!gain)
            list += " lets it deadlock";
        else if (*gain > 0)
            list += (brings.find("would") == std::string::npos ? " would bring " : " ") + percent_text(*gain);
        else
            list += " would cost " + percent_text(-*gain);
    }
    if (brings.empty() && costs.empty())
        return "No value of the network matters: half of any brings less than 1 %.";
    auto text = brings + (brings.empty() || costs.empty() ? "" : "; ") + costs;
    if (text.front() == 'h' || text.front() == 'm')
        text.front() = text.front() == 'h' ? 'H' : 'M';
    return text + ".";
}

}  // namespace parcast::report
