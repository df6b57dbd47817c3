#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "core/percent_text.h"
#include "core/time_text.h"
#include "report/format.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr std::size_t columns_before = 16;
constexpr std::size_t narrowest_column = 16;
constexpr std::size_t narrowest_with_range = 26;

// Which row it is: by its number of CPUs; of ranks by the values of the network and the method.
std::vector<Column> place_columns(Answer const& prediction) {
    if (!prediction.has_messages())
        return {{"CPUs"}};
    std::vector<Column> columns;
    for (auto const& parameter : prediction.messages().swept)
        columns.push_back({name_of(parameter)});
    if (prediction.form() == Form::steps)
        columns.push_back({"method", Align::left});
    return columns;
}

std::vector<Cell> place_cells(Answer const& prediction, Row const& row) {
    if (!prediction.has_messages())
        return {{fmt::format("{}", row.cpus)}};
    std::vector<Cell> cells;
    auto const& swept = prediction.messages().swept;
    for (std::size_t i = 0; i < swept.size(); ++i)
        cells.push_back({value_text(swept[i], row.messages->swept[i])});
    if (prediction.form() == Form::steps)
        cells.push_back({std::string(name_of(row.messages->method))});
    return cells;
}

}  // namespace

std::string what_if_text(Answer const& prediction, Layout const& layout) {
    auto const& changes = prediction.what_if;
    if (changes.empty())
        return {};
    std::size_t columns = columns_before;
    for (auto const& change : changes)
        columns +=
            std::max(display_width(change), prediction.ranges ? narrowest_with_range : narrowest_column) + 2;
    bool const is_numbered = columns > layout.width;
    std::string text = "\nWhat if\n";
    if (prediction.form() == Form::task_graph && prediction.graph().schedules.size() > 1)
        text = "\nWhat if, under schedule " + prediction.graph().schedules.front().name + "\n";
    if (prediction.ranges)
        text.insert(text.size() - 1, ", with the 90 % range of each change");
    auto heads = place_columns(prediction);
    heads.push_back({"as it is"});
    for (std::size_t change = 0; change < changes.size(); ++change) {
        auto const number = fmt::format("({})", change + 1);
        heads.push_back({is_numbered ? number : printable(changes[change])});
        if (is_numbered)
            text += "  " + number + " " + printable(changes[change]) + '\n';
    }
    auto const time = [&](double ns) {
        return prediction.form() == Form::task_graph ? task_time_text(ns)
                                                     : time_text(Duration{std::llround(ns)});
    };
    // Gains align in their columns.
    auto const gain_of = [](Row const& row, std::size_t change) {
        double const after_ns = *row.what_if_ns[change];
        return change_of_time_text(row.time_ns > 0 ? 1 - after_ns / row.time_ns : 0,
                                   row.what_if_gains.empty() ? std::nullopt : row.what_if_gains[change]);
    };
    std::vector<std::size_t> widest(changes.size(), 0);
    for (auto const& row : prediction.rows)
        for (std::size_t change = 0; change < row.what_if_ns.size(); ++change)
            if (row.what_if_ns[change] && !row.run.deadlock)
                widest[change] = std::max(widest[change], gain_of(row, change).size());
    Table table(std::move(heads));
    for (auto const& row : prediction.rows) {
        if (row.run.deadlock || row.schedule != 0)
            continue;
        auto cells = place_cells(prediction, row);
        cells.push_back({time(row.time_ns)});
        for (std::size_t change = 0; change < row.what_if_ns.size(); ++change) {
            auto const& time_ns = row.what_if_ns[change];
            cells.push_back(
                {time_ns ? fmt::format("{} {:>{}}", time(*time_ns), gain_of(row, change), widest[change])
                         : "deadlock"});
        }
        table.add(std::move(cells));
    }
    return text + table.text(layout.colour, layout.table_width());
}

}  // namespace parcast::report
