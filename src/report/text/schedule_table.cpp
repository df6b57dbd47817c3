#include "report/text/parts.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <fmt/core.h>

#include "core/listed.h"
#include "report/format.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr double least_share = 0.005;  // shown as 1 %
constexpr double same_time = 1e-9;     // of rates that round
constexpr std::size_t most_side_by_side = 4;
constexpr std::size_t width_of_a_count = 12;  // "12.3  100 %", and what is between columns

// Where all schedules take as long, none is marked.
bool is_marked(std::vector<ScheduledRows> const& schedules, std::size_t schedule, std::size_t row) {
    std::size_t best = 0;
    for (std::size_t each = 0; each < schedules.size(); ++each)
        best += is_best(schedules, each, row) ? 1 : 0;
    return best < schedules.size() && is_best(schedules, schedule, row);
}

std::string marked_time(std::vector<ScheduledRows> const& schedules, std::size_t schedule, std::size_t row) {
    return task_time_text(schedules[schedule].rows[row].time_ns) +
           (is_marked(schedules, schedule, row) ? " *" : "  ");
}

// A row a number of processors.
std::string side_by_side(std::vector<ScheduledRows> const& schedules, Layout const& layout) {
    std::vector<Column> columns = {{"CPUs"}};
    for (auto const& scheduled : schedules) {
        columns.push_back({scheduled.schedule + "  "});
        columns.push_back({"speed-up"});
    }
    columns.push_back({"bounds"});
    Table table(std::move(columns));
    auto const has_bounds = std::ranges::find(schedules, true, &ScheduledRows::is_work_conserving);
    for (std::size_t row = 0; row < schedules.front().rows.size(); ++row) {
        std::vector<Cell> cells = {{std::to_string(schedules.front().rows[row].cpus)}};
        for (std::size_t schedule = 0; schedule < schedules.size(); ++schedule) {
            cells.push_back({marked_time(schedules, schedule, row)});
            cells.push_back({speed_up_text(schedules[schedule].rows[row].speed_up)});
        }
        cells.push_back({has_bounds == schedules.end() ? "" : range_text(has_bounds->rows[row].bounds)});
        table.add(std::move(cells));
    }
    return table.text(layout.colour, layout.table_width());
}

enum class Content : std::uint8_t { times, speed_ups };

// A row a schedule; the numbers of processors from `first` on.
std::string a_row_each(std::vector<ScheduledRows> const& schedules, Content content, std::size_t first,
                       std::size_t count, Layout const& layout) {
    std::vector<Column> columns = {{content == Content::times ? "time" : "speed-up", Align::left}};
    auto const end = std::min(schedules.front().rows.size(), first + count);
    for (auto row = first; row < end; ++row)
        columns.push_back({counted(schedules.front().rows[row].cpus, "CPU") + "  "});
    Table table(std::move(columns));
    for (std::size_t schedule = 0; schedule < schedules.size(); ++schedule) {
        std::vector<Cell> cells = {{schedules[schedule].schedule}};
        for (auto row = first; row < end; ++row) {
            auto const& run = schedules[schedule].rows[row];
            cells.push_back({content == Content::times ? marked_time(schedules, schedule, row)
                                                       : fmt::format("{} {:>5}", speed_up_text(run.speed_up),
                                                                     percent_text(run.efficiency))});
        }
        table.add(std::move(cells));
    }
    return table.text(layout.colour, layout.table_width());
}

// As many numbers of processors at once as the line has room for.
std::string rows_of_schedules(std::vector<ScheduledRows> const& schedules, Layout const& layout) {
    auto const counts = schedules.front().rows.size();
    std::size_t names = 2;  // and the margin
    for (auto const& scheduled : schedules)
        names = std::max(names, 2 + scheduled.schedule.size());
    auto const room = layout.width - std::min(layout.width, names);
    auto const at_once = std::clamp<std::size_t>(room / width_of_a_count, 1, counts);
    std::string text;
    for (std::size_t first = 0; first < counts; first += at_once)
        for (auto const content : {Content::times, Content::speed_ups})
            text += (text.empty() ? "" : "\n") + a_row_each(schedules, content, first, at_once, layout);
    return text;
}

struct Gain {
    std::size_t row = 0;
    double ratio = 1;  // of the times
};

Gain greatest_gain(ScheduledRows const& other, ScheduledRows const& first) {
    Gain gain;
    for (std::size_t row = 0; row < first.rows.size(); ++row) {
        double const ratio = other.rows[row].time_ns / first.rows[row].time_ns;
        if (ratio < gain.ratio)
            gain = {row, ratio};
    }
    return gain;
}

std::string sentence_of(Gain gain, ScheduledRows const& other, ScheduledRows const& first) {
    auto const& faster = other.rows[gain.row];
    auto const& slower = first.rows[gain.row];
    return fmt::format("The largest gain of {} over {} is on {}: {} instead of {}, {} less.", other.schedule,
                       first.schedule, counted(slower.cpus, "CPU"), task_time_text(faster.time_ns),
                       task_time_text(slower.time_ns), percent_text(1 - gain.ratio));
}

// Where it is the other way round.
std::string losses(ScheduledRows const& other, ScheduledRows const& first) {
    constexpr std::size_t most = 6;
    std::vector<std::string> counts;
    for (std::size_t row = 0; row < first.rows.size(); ++row)
        if (other.rows[row].time_ns > first.rows[row].time_ns * (1 + least_share))
            counts.push_back(std::to_string(first.rows[row].cpus));
    if (counts.empty())
        return "";
    if (counts.size() > most)
        return fmt::format(" It takes longer on {} of {} numbers of CPUs.", counts.size(), first.rows.size());
    auto const list = listed(counts, " and ");
    return fmt::format(" On {} it takes longer.", list + (list == "1" ? " CPU" : " CPUs"));
}

}  // namespace

bool is_best(std::vector<ScheduledRows> const& schedules, std::size_t schedule, std::size_t row) {
    auto const time_of_row = [row](ScheduledRows const& each) { return each.rows[row].time_ns; };
    auto const least = std::ranges::min(schedules, {}, time_of_row).rows[row].time_ns;
    return time_of_row(schedules[schedule]) <= least * (1 + same_time);
}

std::string range_text(std::optional<SpeedUpBounds> const& bounds) {
    return bounds ? fmt::format("{} - {}", speed_up_text(bounds->lower), speed_up_text(bounds->upper)) : "";
}

std::string schedule_table(std::vector<ScheduledRows> const& schedules, Layout const& layout) {
    auto const table = schedules.size() <= most_side_by_side ? side_by_side(schedules, layout)
                                                             : rows_of_schedules(schedules, layout);
    return table +
           (table.find(" *") == std::string::npos ? "" : "\n* the least time on that number of CPUs\n");
}

std::vector<std::string> gains(std::vector<ScheduledRows> const& schedules) {
    auto const& first = schedules.front();
    std::vector<std::string> sentences;
    auto const best = std::ranges::min_element(
        schedules, {}, [&](ScheduledRows const& other) { return greatest_gain(other, first).ratio; });
    auto const say = [&](ScheduledRows const& other, ScheduledRows const& than) {
        auto const gain = greatest_gain(other, than);
        if (gain.ratio < 1 - least_share)
            sentences.push_back(sentence_of(gain, other, than) + losses(other, than));
    };
    say(*best, first);
    auto const fifo = std::ranges::find(schedules, "fifo", &ScheduledRows::schedule);
    auto const lpt = std::ranges::find(schedules, "lpt", &ScheduledRows::schedule);
    bool const is_said = lpt == best && fifo == schedules.begin();
    if (fifo != schedules.end() && lpt != schedules.end() && !is_said)
        say(*lpt, *fifo);
    return sentences;
}

}  // namespace parcast::report
